/* CONCATENATION, portable. */
#include <stddef.h>
#include <string.h>

#include "helia_concatenation.h"

void helia_concatenation_c(const helia_concatenation_params *p, const void *restrict in, void *restrict out)
{
    const uint8_t *from = in;
    uint8_t *to = (uint8_t *)out + p->offset;
    for (int32_t i = 0; i < p->rows; i++) {
        memcpy(to, from, (size_t)p->bytes);
        from += p->bytes;
        to += p->out_bytes;
    }
}
