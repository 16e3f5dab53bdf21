/* The harness alone: what is subtracted from an image's sizes. */
#include "bench.h"

int main(void)
{
    static uint8_t bytes[4];
    bench_stack_paint();
    bench_mark(1);
    bench_fill(bytes, sizeof(bytes), 1);
    bench_mark(0);
    bench_kvx("crc", bench_crc32(bytes, sizeof(bytes)));
    bench_kv("stack", bench_stack_used());
    return 0;
}
