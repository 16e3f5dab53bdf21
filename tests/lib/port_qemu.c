/* A test image under QEMU: the first case is the last word of the command line. */
#include "driver.h"
#include "bench.h"

#include <string.h>

void port_puts(const char *text)
{
    bench_puts(text);
}

int port_open(const char *path, const char *mode)
{
    return bench_open(path, mode);
}

size_t port_read(int file, void *bytes, size_t n)
{
    return bench_read(file, bytes, n);
}

size_t port_write(int file, const void *bytes, size_t n)
{
    return bench_write(file, bytes, n);
}

void port_close(int file)
{
    bench_close(file);
}

int main(void)
{
    char text[256];
    bench_command_line(text, sizeof(text));
    const char *word = strrchr(text, ' ');
    uint32_t first = 0;
    for (const char *p = word ? word + 1 : ""; *p >= '0' && *p <= '9'; p++)
        first = first * 10u + (uint32_t)(*p - '0');
    return driver_main(first);
}
