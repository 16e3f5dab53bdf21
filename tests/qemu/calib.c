/* Known instruction counts, to check the icount clock and the plugin. */
#include "bench.h"
__attribute__((noinline, naked)) void loop_n(uint32_t n)
{
    /* n >= 1: executes 4*n + 1 instructions (4 per iteration + bx) */
    (void)n;
    __asm__ volatile("1: nop\n\tnop\n\tsubs r0, r0, #1\n\tbne 1b\n\tbx lr\n\t");
}
static void one(uint32_t label, uint32_t n)
{
    bench_mark(label);
    uint32_t a = bench_ticks();
    loop_n(n);
    uint32_t b = bench_ticks();
    bench_mark(0);
    bench_puts("calib n=");
    bench_put_u32(n);
    bench_puts(" expect=");
    bench_put_u32(4 * n + 1);
    bench_puts(" icount=");
    bench_put_u32(bench_ticks_to_insns(b - a));
    bench_puts("\n");
}
int main(void)
{
    bench_timer_start();
    one(1, 1000);
    one(2, 1000000);
    one(3, 200000000);
    return 0;
}
