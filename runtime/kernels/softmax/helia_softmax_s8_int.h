/* Body of SOFTMAX of int8 in the fixed-point arithmetic of the reference. The file that includes it defines HELIA_KERNEL, the
 * function's name, HELIA_OUT, the type of the output, and HELIA_BITS, of which it has as many. */
#include "helia_fixed_point.h"
#include "helia_softmax.h"

enum { DIFF_BITS = 5, SUM_BITS = 12 }; /* integer bits of the scaled difference and of the sum */

static int32_t exponential(const helia_softmax_s8_params *p, int32_t diff)
{
    return helia_exp_negative(helia_srdhm(helia_wrap_shl(diff, p->shift), p->multiplier), DIFF_BITS);
}

void HELIA_KERNEL(const helia_softmax_s8_params *p, const int8_t *restrict in, HELIA_OUT *restrict out)
{
    const int32_t lo = -(1 << (HELIA_BITS - 1)), hi = (1 << (HELIA_BITS - 1)) - 1;
    for (int32_t r = 0; r < p->rows; r++, in += p->depth, out += p->depth) {
        int32_t max = INT8_MIN;
        for (int32_t i = 0; i < p->depth; i++)
            max = helia_max(max, in[i]);
        int32_t sum = 0;
        for (int32_t i = 0; i < p->depth; i++) {
            if (in[i] - max >= p->diff_min) {
                int32_t term = helia_rdbp(exponential(p, in[i] - max), SUM_BITS);
                sum = sum > INT32_MAX - term ? INT32_MAX : sum + term; /* 4096 equal elements reach 2^31 */
            }
        }
        int32_t over;
        int32_t scale = helia_reciprocal(sum, SUM_BITS, &over);
        for (int32_t i = 0; i < p->depth; i++) {
            int32_t y = lo;
            /* More than 31 bits down nothing is left: a long row of nearly equal elements. */
            if (in[i] - max >= p->diff_min && over + 31 - HELIA_BITS <= 31)
                y += helia_rdbp(helia_srdhm(scale, exponential(p, in[i] - max)), over + 31 - HELIA_BITS);
            out[i] = (HELIA_OUT)helia_clamp(y, lo, hi);
        }
    }
}
