/* Whole files in and out, paths, checked arithmetic. */
#ifndef SUPPORT_FILE_H
#define SUPPORT_FILE_H

#include <helia_aot/support.h>

typedef struct FileBytes {
    const uint8_t *at;
    size_t size;
} FileBytes;

/* Reads a regular file whole into the arena; reports (fatal: it cannot be read) and returns false. */
bool file_read(HeliaArena *arena, HeliaDiag *diag, const char *path, FileBytes *out);
/* Writes through a temporary name and a rename, so that a failure leaves nothing behind. Devices and the like are not
 * replaced, nor are links, but what they lead to. */
bool file_write(HeliaDiag *diag, const char *path, const void *bytes, size_t size);
/* Both exist and are one file. */
bool file_is_same(const char *a, const char *b);
const char *file_base_name(const char *path); /* after the last '/' */
/* Relative paths are taken from the folder that holds `base_file`. */
const char *file_path_beside(HeliaArena *arena, const char *base_file, const char *path);

static inline bool checked_add(size_t a, size_t b, size_t *sum)
{
    *sum = a + b;
    return *sum >= a;
}

static inline bool checked_mul(size_t a, size_t b, size_t *product)
{
    *product = a * b;
    return b == 0 || *product / b == a;
}

/* FIPS 180-4 SHA-256 as 64 lower-case hexadecimal digits and a NUL. */
void sha256_hex(const void *bytes, size_t size, char hex[65]);
/* CRC-32 (IEEE 802.3, reflected, as in zip). */
uint32_t crc32_bytes(const void *bytes, size_t size);

#endif
