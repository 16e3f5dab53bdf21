#include "bench.h"
int main(void)
{
    bench_timer_start();
    bench_stack_paint();
    static uint8_t b[4];
    bench_mark(1);
    uint32_t a = bench_ticks();
    bench_fill(b, 4, 1);
    bench_mark(0);
    bench_kv("t", bench_ticks_to_insns(bench_ticks() - a));
    bench_kvx("c", bench_crc32(b, 4));
    bench_kv("s", bench_stack_used());
    return 0;
}
