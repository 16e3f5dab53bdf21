/* Overlapping frames of float32 in portable C. */
typedef float real;

static inline real add(real a, real b)
{
    return a + b;
}

#include "helia_signal_overlap_add_body.h"

void helia_signal_overlap_add_f32_c(const helia_signal_overlap_add_params *p, const float *in, float *overlap,
                                    float *out)
{
    overlap_add(p, in, overlap, out);
}
