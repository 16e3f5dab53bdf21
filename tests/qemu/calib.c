/* Loops of known length: checks the instruction counter and the clock. Prints for each what is expected and what
 * SysTick under -icount says; the plugin's regions 1, 2, 3 hold the loop and 30 instructions of reading the clock. */
#include "bench.h"

/* n >= 1: executes 4 * n + 1 instructions. */
__attribute__((noinline, naked)) static void loop(uint32_t n)
{
    (void)n;
    __asm__ volatile("1: nop\n\tnop\n\tsubs r0, r0, #1\n\tbne 1b\n\tbx lr\n\t");
}

static void measure(uint32_t label, uint32_t n)
{
    bench_mark(label);
    uint32_t begin = bench_ticks();
    loop(n);
    uint32_t end = bench_ticks();
    bench_mark(0);
    bench_kv("expected", 4 * n + 1);
    bench_kv("icount", bench_ticks_to_insns(end - begin));
}

int main(void)
{
    bench_timer_start();
    measure(1, 1000);
    measure(2, 1000000);
    measure(3, 200000000);
    return 0;
}
