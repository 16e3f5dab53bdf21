/* A test image as a program of the host: image [FIRST]. */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_FILES = 8 };
static FILE *files[MAX_FILES];

void port_puts(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

int port_open(const char *path, const char *mode)
{
    for (int i = 0; i < MAX_FILES; i++) {
        if (!files[i]) {
            files[i] = fopen(path, mode);
            return files[i] ? i : -1;
        }
    }
    return -1;
}

size_t port_read(int file, void *bytes, size_t n)
{
    return fread(bytes, 1, n, files[file]);
}

size_t port_write(int file, const void *bytes, size_t n)
{
    return fwrite(bytes, 1, n, files[file]);
}

void port_close(int file)
{
    fclose(files[file]);
    files[file] = NULL;
}

int main(int argc, char **argv)
{
    return driver_main(argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0);
}
