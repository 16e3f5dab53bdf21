/* LOGISTIC and TANH of int16, output scale 2^-15: straight lines between the entries of a table of the logistic function. The
 * output may be the input's storage. */
#ifndef HELIA_SIGMOID_H
#define HELIA_SIGMOID_H

#include <stdint.h>

#define HELIA_SIGMOID_ENTRIES 256

typedef struct helia_sigmoid_s16_params {
    int32_t count;             /* elements */
    int32_t multiplier, shift; /* multiplier / 2^shift = input scale * 4096 * 3 */
} helia_sigmoid_s16_params;

/* The input in units of 1/12288: the table's step of 1/24 is 512 of them, and half of that for TANH. */
static inline int32_t helia_sigmoid_position(const helia_sigmoid_s16_params *p, int32_t x)
{
    return (x * p->multiplier + (p->shift > 0 ? (int32_t)(1u << (p->shift - 1)) : 0)) >> p->shift;
}

/* table[i]: 65536 times the logistic function of i / 24. */
void helia_logistic_s16_c(const helia_sigmoid_s16_params *p, const int16_t *in, const uint16_t *table, int16_t *out);
void helia_tanh_s16_c(const helia_sigmoid_s16_params *p, const int16_t *in, const uint16_t *table, int16_t *out);

#endif
