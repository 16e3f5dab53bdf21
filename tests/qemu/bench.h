/* What a bare-metal image under QEMU has: semihosting output, files and exit, deterministic data, counters, marks. */
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>

/* ---- semihosting ------------------------------------------------------------------------------ */
void bench_puts(const char *text);
void bench_put_u32(uint32_t value);
void bench_put_hex(uint32_t value);
void bench_kv(const char *key, uint32_t value);  /* "key=123\n" */
void bench_kvx(const char *key, uint32_t value); /* "key=0x0000abcd\n" */
void bench_exit(int code) __attribute__((noreturn));
/* A file of the host; mode as fopen's: "rb" or "wb". Negative: it cannot be opened. */
int bench_open(const char *path, const char *mode);
/* Bytes moved. */
size_t bench_read(int file, void *bytes, size_t n);
size_t bench_write(int file, const void *bytes, size_t n);
void bench_close(int file);
/* The image's arguments as one text (-append); empty where there are none. */
void bench_command_line(char *text, size_t size);

/* ---- deterministic data and checksum ---------------------------------------------------------- */
void bench_fill(void *bytes, size_t n, uint32_t seed);
uint32_t bench_crc32(const void *bytes, size_t n);

/* ---- counters --------------------------------------------------------------------------------- */
/* Under `qemu -icount shift=0` one instruction is one nanosecond of virtual time, which SysTick counts. */
void bench_timer_start(void);
uint32_t bench_ticks(void);
uint32_t bench_ticks_to_insns(uint32_t ticks);

/* ---- marks for the counting plugin ------------------------------------------------------------ */
/* Closes the current region and opens region `label`, below 1024 (0: none). */
void bench_mark(uint32_t label);

/* ---- stack high-water mark -------------------------------------------------------------------- */
void bench_stack_paint(void);
uint32_t bench_stack_used(void);

#endif
