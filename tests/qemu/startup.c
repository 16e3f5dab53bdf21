/* Reset handler and vector table, for ARMv7E-M and ARMv8.1-M. */
#include "bench.h"

#define CPACR (*(volatile uint32_t *)0xE000ED88u)
#define CCR (*(volatile uint32_t *)0xE000ED14u)

extern uint32_t __stack_top[], __data_start[], __data_end[], __data_load[], __bss_start[], __bss_end[];
extern void (*__init_array_start[])(void);
extern void (*__init_array_end[])(void);
extern int main(void);
extern void SysTick_Handler(void);
void Reset_C(void);
void Reset_Handler(void);

__attribute__((noreturn, used)) void Reset_C(void)
{
    CPACR |= 0xFu << 20; /* CP10/CP11: FPU and, on v8.1-M, MVE */
#if defined(__ARM_FEATURE_MVE)
    CCR |= 1u << 19; /* LOB: low-overhead loops */
#endif
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    const uint32_t *from = __data_load;
    for (uint32_t *d = __data_start; d < __data_end; d++)
        *(volatile uint32_t *)d = *from++;
    for (uint32_t *b = __bss_start; b < __bss_end; b++)
        *(volatile uint32_t *)b = 0;
    for (void (**f)(void) = __init_array_start; f < __init_array_end; f++)
        (*f)();
    bench_exit(main());
}

__attribute__((naked, noreturn)) void Reset_Handler(void)
{
    __asm__ volatile("ldr r0, =__stack_top\n\tmov sp, r0\n\tb Reset_C");
}

static void fault(const char *what)
{
    bench_puts("FAULT ");
    bench_puts(what);
    bench_puts("\n");
    bench_exit(99);
}

static void hard_fault(void)
{
    fault("hard");
}

static void usage_fault(void)
{
    fault("usage");
}

static void other_fault(void)
{
    fault("other");
}

extern void (*const vectors[16])(void);
__attribute__((section(".vectors"), used)) void (*const vectors[16])(void) = {(void (*)(void))__stack_top,
                                                                              Reset_Handler,
                                                                              other_fault,
                                                                              hard_fault,
                                                                              other_fault,
                                                                              other_fault,
                                                                              usage_fault,
                                                                              other_fault,
                                                                              0,
                                                                              0,
                                                                              0,
                                                                              other_fault,
                                                                              other_fault,
                                                                              0,
                                                                              other_fault,
                                                                              SysTick_Handler};
