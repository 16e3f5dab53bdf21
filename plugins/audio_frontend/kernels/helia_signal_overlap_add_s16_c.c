/* Overlapping frames of int16, saturating, in portable C. */
#include <stdint.h>

#include "helia_math.h"

typedef int16_t real;

static inline real add(real a, real b)
{
    return (real)helia_clamp(a + b, INT16_MIN, INT16_MAX);
}

#include "helia_signal_overlap_add_body.h"

void helia_signal_overlap_add_s16_c(const helia_signal_overlap_add_params *p, const int16_t *in, int16_t *overlap,
                                    int16_t *out)
{
    overlap_add(p, in, overlap, out);
}
