/* Semihosting, deterministic data, counters and marks of bare-metal images under QEMU. */
#include "bench.h"

#include <string.h>

#ifndef BENCH_SYSCLK_HZ
#error BENCH_SYSCLK_HZ must be defined (25000000 for mps2-an386, 32000000 for mps3-an547)
#endif

enum {
    SYS_OPEN = 0x01,
    SYS_CLOSE = 0x02,
    SYS_WRITE0 = 0x04,
    SYS_WRITE = 0x05,
    SYS_READ = 0x06,
    SYS_GET_CMDLINE = 0x15,
    SYS_EXIT_EXTENDED = 0x20,
    ADP_STOPPED_APPLICATION_EXIT = 0x20026
};

/* ---- semihosting ------------------------------------------------------------------------------ */
static uint32_t semihost(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static uint32_t address(const void *p)
{
    return (uint32_t)(uintptr_t)p;
}

void bench_puts(const char *text)
{
    semihost(SYS_WRITE0, text);
}

void bench_put_u32(uint32_t value)
{
    char digits[12];
    int i = 11;
    digits[i] = 0;
    do {
        digits[--i] = (char)('0' + value % 10u);
        value /= 10u;
    } while (value);
    bench_puts(digits + i);
}

void bench_put_hex(uint32_t value)
{
    char digits[11] = "0x";
    for (int i = 0; i < 8; i++)
        digits[2 + i] = "0123456789abcdef"[(value >> (28 - 4 * i)) & 15u];
    bench_puts(digits);
}

void bench_kv(const char *key, uint32_t value)
{
    bench_puts(key);
    bench_puts("=");
    bench_put_u32(value);
    bench_puts("\n");
}

void bench_kvx(const char *key, uint32_t value)
{
    bench_puts(key);
    bench_puts("=");
    bench_put_hex(value);
    bench_puts("\n");
}

void bench_exit(int code)
{
    const uint32_t block[2] = {ADP_STOPPED_APPLICATION_EXIT, (uint32_t)code};
    semihost(SYS_EXIT_EXTENDED, block);
    for (;;) {
    }
}

int bench_open(const char *path, const char *mode)
{
    const uint32_t block[3] = {address(path), mode[0] == 'r' ? 1u : 5u, (uint32_t)strlen(path)};
    return (int)semihost(SYS_OPEN, block);
}

/* SYS_READ and SYS_WRITE return how many bytes were not moved. */
static size_t transfer(uint32_t operation, int file, const void *bytes, size_t n)
{
    const uint32_t block[3] = {(uint32_t)file, address(bytes), (uint32_t)n};
    return n - semihost(operation, block);
}

size_t bench_read(int file, void *bytes, size_t n)
{
    return transfer(SYS_READ, file, bytes, n);
}

size_t bench_write(int file, const void *bytes, size_t n)
{
    return transfer(SYS_WRITE, file, bytes, n);
}

void bench_close(int file)
{
    const uint32_t block[1] = {(uint32_t)file};
    semihost(SYS_CLOSE, block);
}

void bench_command_line(char *text, size_t size)
{
    const uint32_t block[2] = {address(text), (uint32_t)size};
    if (semihost(SYS_GET_CMDLINE, block) != 0)
        text[0] = 0;
}

/* ---- data ------------------------------------------------------------------------------------- */
void bench_fill(void *bytes, size_t n, uint32_t seed)
{
    uint8_t *p = bytes;
    uint32_t x = seed;
    for (size_t i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        p[i] = (uint8_t)(x >> 24);
    }
}

uint32_t bench_crc32(const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int k = 0; k < 8; k++)
            crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1u)));
    }
    return ~crc;
}

/* ---- SysTick ---------------------------------------------------------------------------------- */
#define SYST_CSR (*(volatile uint32_t *)0xE000E010u)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014u)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018u)

static volatile uint32_t wraps;

void SysTick_Handler(void);
void SysTick_Handler(void)
{
    wraps++;
}

void bench_timer_start(void)
{
    SYST_CSR = 0;
    SYST_RVR = 0x00ffffffu;
    SYST_CVR = 0;
    wraps = 0;
    SYST_CSR = 7; /* processor clock, interrupt, enable */
}

uint32_t bench_ticks(void)
{
    uint32_t w, v;
    do {
        w = wraps;
        v = SYST_CVR;
    } while (w != wraps);
    return (w << 24) + ((0u - v) & 0x00ffffffu); /* counts down to 0, interrupt at 0 */
}

uint32_t bench_ticks_to_insns(uint32_t ticks)
{
    return (uint32_t)((uint64_t)ticks * 1000000000u / (uint32_t)BENCH_SYSCLK_HZ);
}

/* ---- marks ------------------------------------------------------------------------------------ */
/* A store to bench_mark_area + 4 * label. The plugin is told where bench_mark is and watches just that store; without a
 * plugin it does nothing. */
extern uint32_t bench_mark_area[1024];
uint32_t bench_mark_area[1024] __attribute__((section(".marks")));

__attribute__((naked, noinline, section(".text.bench_mark"))) void bench_mark(uint32_t label)
{
    (void)label;
    __asm__ volatile("movw r1, #:lower16:bench_mark_area\n\t"
                     "movt r1, #:upper16:bench_mark_area\n\t"
                     "str.w r0, [r1, r0, lsl #2]\n\t"
                     "bx lr\n\t");
}

/* ---- stack ------------------------------------------------------------------------------------ */
extern uint32_t __stack_limit[], __stack_top[];

enum { PAINT = 0x5eadbeef, OWN_FRAME = 16 /* words kept free below the stack pointer */ };

void bench_stack_paint(void)
{
    uint32_t *sp;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    for (uint32_t *p = __stack_limit; p < sp - OWN_FRAME; p++)
        *(volatile uint32_t *)p = PAINT;
}

uint32_t bench_stack_used(void)
{
    const uint32_t *p = __stack_limit;
    while (p < __stack_top && *p == PAINT)
        p++;
    return (uint32_t)((const char *)__stack_top - (const char *)p);
}
