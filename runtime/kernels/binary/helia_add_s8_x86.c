/* int8 ADD for x86-64 with parameters known at run time only: one body for all operators. */
#include "helia_add_s8_x86.h"

#include "helia_add_s8_x86_body.h"

void helia_add_s8_x86(const helia_add_s8_dsp_params *p, const int8_t *a, const int8_t *b, int8_t *out)
{
    helia_add_s8_x86_body(p, a, b, out);
}
