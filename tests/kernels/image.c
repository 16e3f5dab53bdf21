/* A bare-metal image with cases that the host has written (kernel_cases): says which failed, and how many. */
#include "bench.h"
#include "kernel_case.h"

extern const KernelCase kernel_cases[];
extern const uint32_t kernel_case_count;

int main(void)
{
    uint32_t failed = 0;
    for (uint32_t i = 0; i < kernel_case_count; i++) {
        const char *why = kernel_case_run(&kernel_cases[i]);
        if (!why)
            continue;
        failed++;
        bench_puts("FAIL kernels ");
        bench_puts(kernel_cases[i].symbol);
        bench_puts(": ");
        bench_puts(why);
        bench_puts("\n     ");
        bench_puts(kernel_cases[i].layer);
        bench_puts("\n");
    }
    bench_kv("passed", kernel_case_count - failed);
    bench_kv("failed", failed);
    return 0;
}
