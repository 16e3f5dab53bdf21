/* int8 SOFTMAX, portable, each exponential computed once: the reference does it twice an element. The few elements of a
 * short input keep theirs in scratch until the sum is known; longer ones share those of all differences that count. */
#include "helia_fixed_point.h"
#include "helia_softmax.h"

enum { DIFF_BITS = 5, SUM_BITS = 12 }; /* integer bits of the scaled difference and of the sum */

static int32_t exponential(const helia_softmax_s8_params *p, int32_t diff)
{
    return helia_exp_negative(helia_srdhm(helia_wrap_shl(diff, p->shift), p->multiplier), DIFF_BITS);
}

void helia_softmax_s8_once_c(const helia_softmax_s8_params *p, const int8_t *restrict in, int8_t *restrict out,
                             void *scratch)
{
    const int32_t shared = helia_softmax_s8_shares(p), furthest = -p->diff_min;
    int32_t *terms = scratch; /* by difference to the maximum, or by element */
    for (int32_t d = 0; shared && d < helia_softmax_s8_differences(p); d++)
        terms[d] = exponential(p, -d);
    for (int32_t r = 0; r < p->rows; r++, in += p->depth, out += p->depth) {
        int32_t max = INT8_MIN;
        for (int32_t i = 0; i < p->depth; i++)
            max = helia_max(max, in[i]);
        int32_t sum = 0;
        for (int32_t i = 0; i < p->depth; i++) {
            int32_t diff = max - in[i];
            if (diff > furthest)
                continue;
            if (!shared)
                terms[i] = exponential(p, -diff);
            int32_t term = helia_rdbp(terms[shared ? diff : i], SUM_BITS);
            sum = sum > INT32_MAX - term ? INT32_MAX : sum + term;
        }
        int32_t over;
        const int32_t scale = helia_reciprocal(sum, SUM_BITS, &over), shift = over + 31 - 8;
        for (int32_t i = 0; i < p->depth; i++) {
            int32_t diff = max - in[i], y = INT8_MIN;
            if (diff <= furthest && shift <= 31)
                y += helia_rdbp(helia_srdhm(scale, terms[shared ? diff : i]), shift);
            out[i] = (int8_t)helia_clamp(y, INT8_MIN, INT8_MAX);
        }
    }
}
