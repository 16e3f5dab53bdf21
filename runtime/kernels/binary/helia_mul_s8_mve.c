/* int8 MUL for cores with MVE with parameters known at run time only: one body for all operators. */
#include "helia_mul_s8_mve.h"

#include "helia_mul_s8_mve_body.h"

void helia_mul_s8_mve(const helia_mul_params *p, const int8_t *a, const int8_t *b, int8_t *out)
{
    helia_mul_s8_mve_body(p, a, b, out);
}
