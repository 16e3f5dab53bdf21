/* A printf without a C library behind it: %s, %ld, %lu, %lx with zeros in front; floats as "float". */
#include "print.h"

#include <stdarg.h>
#include <string.h>

#include "bench.h"

static void put_number(unsigned long n, unsigned base, unsigned width)
{
    char text[24];
    unsigned at = sizeof(text) - 1;
    text[at] = 0;
    do {
        text[--at] = "0123456789abcdef"[n % base];
        n /= base;
    } while (n != 0 || sizeof(text) - 1 - at < width);
    bench_puts(text + at);
}

static void put_signed(long n)
{
    if (n < 0)
        bench_puts("-");
    put_number(n < 0 ? 0UL - (unsigned long)n : (unsigned long)n, 10, 1);
}

int check_printf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    while (*format) {
        char text[2] = {*format, 0};
        unsigned width = 0;
        if (*format++ != '%') {
            bench_puts(text);
            continue;
        }
        for (; strchr("0123456789.l", *format); format++)
            width = *format >= '0' && *format <= '9' ? width * 10 + (unsigned)(*format - '0') : width;
        switch (*format++) {
        case 's':
            bench_puts(va_arg(args, const char *));
            break;
        case 'd':
            put_signed(va_arg(args, long));
            break;
        case 'u':
            put_number(va_arg(args, unsigned long), 10, 1);
            break;
        case 'x':
            put_number(va_arg(args, unsigned long), 16, width);
            break;
        default:
            (void)va_arg(args, double);
            bench_puts("float");
            break;
        }
    }
    va_end(args);
    return 0;
}
