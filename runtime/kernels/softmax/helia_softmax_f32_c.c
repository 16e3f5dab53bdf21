/* float32 SOFTMAX, portable. */
#include <math.h>

#include "helia_softmax.h"

void helia_softmax_f32_c(const helia_softmax_f32_params *p, const float *restrict in, float *restrict out)
{
    for (int32_t r = 0; r < p->rows; r++, in += p->depth, out += p->depth) {
        float max = in[0], sum = 0.0f;
        for (int32_t i = 1; i < p->depth; i++)
            max = in[i] > max ? in[i] : max;
        for (int32_t i = 0; i < p->depth; i++) {
            out[i] = expf((in[i] - max) * p->beta);
            sum += out[i];
        }
        for (int32_t i = 0; i < p->depth; i++)
            out[i] /= sum;
    }
}
