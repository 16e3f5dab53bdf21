/* A function of one 8-bit element as a table of its 256 results. The output may be the input's storage. */
#ifndef HELIA_LUT_H
#define HELIA_LUT_H

#include <stdint.h>

typedef struct helia_lut_params {
    int32_t count; /* elements */
} helia_lut_params;

/* table[q + 128] is the result for q. */
void helia_lut_s8_c(const helia_lut_params *p, const int8_t *in, const int8_t *table, int8_t *out);

#endif
