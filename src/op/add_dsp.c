/* ADD for cores with the DSP extension: looks for a linear form and proves it on all pairs of operands. */
#include "op/add_dsp.h"

#include <math.h>

#include "helia_math.h"
#include "op/print.h"

enum { VALUES = 256 };

/* The reference by its first two roundings, one an operand, and the last. */
typedef struct Terms {
    int32_t a[VALUES], b[VALUES]; /* by value + 128 */
} Terms;

static void reference_terms(const helia_add_params *r, Terms *terms)
{
    for (int32_t i = 0; i < VALUES; i++) {
        int32_t u = helia_wrap_shl(i - 128 - r->zero_a, r->shift), v = helia_wrap_shl(i - 128 - r->zero_b, r->shift);
        terms->a[i] = helia_requantize(u, r->multiplier_a, r->exponent_a);
        terms->b[i] = helia_requantize(v, r->multiplier_b, r->exponent_b);
    }
}

/* factor * value / 2^8, rounded down. */
static int64_t linear_term(int64_t factor, int32_t value)
{
    return (factor * value) >> 8; /* arithmetic, as everywhere */
}

/* The base for which all pairs give the reference's result, in the middle of those that do; false if there is none. With
 * `halves` the zero point stays out of it. */
static bool find_base(const helia_add_params *r, const Terms *terms, helia_add_s8_dsp_params *p)
{
    int64_t low = INT64_MIN, high = INT64_MAX, smallest = INT64_MAX, largest = INT64_MIN;
    const int32_t zero = p->halves ? r->zero_out : 0;
    for (int32_t i = 0; i < VALUES && low <= high; i++)
        for (int32_t k = 0; k < VALUES; k++) {
            int32_t sum = helia_wrap_add(terms->a[i], terms->b[k]);
            int32_t whole = helia_requantize(sum, r->multiplier_out, r->exponent_out) + r->zero_out;
            int32_t result = helia_clamp(whole, r->min, r->max);
            int64_t t = linear_term(p->factor_a, i - 128) + linear_term(p->factor_b, k - 128);
            smallest = t < smallest ? t : smallest;
            largest = t > largest ? t : largest;
            /* t + base - [negative] in [result - zero, result - zero + 1) * 2^shift, open where the clamp hides it. */
            int64_t nudge = p->halves && whole < r->zero_out ? 1 : 0;
            int64_t from = (int64_t)(result - zero) * (INT64_C(1) << p->shift) - t + nudge;
            int64_t to = from + (INT64_C(1) << p->shift) - 1;
            if (result > r->min && from > low)
                low = from;
            if (result < r->max && to < high)
                high = to;
        }
    if (low > high)
        return false;
    int64_t base = low == INT64_MIN ? high : high == INT64_MAX ? low : low + (high - low) / 2;
    if (base + smallest < INT32_MIN / 2 || base + largest > INT32_MAX / 2)
        return false;
    p->base = (int32_t)base;
    p->bias = zero * (1 << p->shift);
    return true;
}

/* The form as the kernel computes it against the reference, pair by pair: the sign that `halves` goes by is the sum's. */
static bool proven(const helia_add_params *r, const Terms *terms, const helia_add_s8_dsp_params *p)
{
    for (int32_t i = 0; i < VALUES; i++)
        for (int32_t k = 0; k < VALUES; k++) {
            int32_t sum = helia_wrap_add(terms->a[i], terms->b[k]);
            int32_t whole = helia_requantize(sum, r->multiplier_out, r->exponent_out) + r->zero_out;
            int64_t t = linear_term(p->factor_a, i - 128) + linear_term(p->factor_b, k - 128) + p->base;
            if (p->halves)
                t += (t < 0 ? -1 : 0) + p->bias;
            if (t < INT32_MIN || t > INT32_MAX ||
                helia_clamp((int32_t)(t >> p->shift), r->min, r->max) != helia_clamp(whole, r->min, r->max))
                return false;
        }
    return true;
}

static bool try_factors(const helia_add_params *r, const Terms *terms, double a, double b, helia_add_s8_dsp_params *p)
{
    enum { NEAR = 2 };
    const double unit = (double)(INT64_C(1) << (p->shift + 8));
    if (a * unit > (double)(INT32_MAX - NEAR) || b * unit > (double)(INT32_MAX - NEAR))
        return false;
    const int32_t near_a = (int32_t)llround(a * unit), near_b = (int32_t)llround(b * unit);
    static const int32_t offsets[2 * NEAR + 1] = {0, 1, -1, 2, -2};
    for (int32_t i = 0; i <= 2 * NEAR; i++)
        for (int32_t k = 0; k <= 2 * NEAR; k++) {
            p->factor_a = near_a + offsets[i];
            p->factor_b = near_b + offsets[k];
            if (find_base(r, terms, p) && proven(r, terms, p))
                return true;
        }
    return false;
}

bool add_dsp_linear(const helia_add_params *r, helia_add_s8_dsp_params *p)
{
    Terms terms;
    reference_terms(r, &terms);
    double out = ldexp((double)r->multiplier_out, r->exponent_out - 31 + r->shift);
    double a = ldexp((double)r->multiplier_a, r->exponent_a - 31) * out;
    double b = ldexp((double)r->multiplier_b, r->exponent_b - 31) * out;
    enum { LARGEST_SHIFT = 22, SMALLEST_SHIFT = 16 };
    *p = (helia_add_s8_dsp_params){.min = r->min, .max = r->max};
    for (p->halves = 0; p->halves < 2; p->halves++)
        for (p->shift = LARGEST_SHIFT; p->shift >= SMALLEST_SHIFT; p->shift--)
            if (try_factors(r, &terms, a, b, p))
                return true;
    return false;
}

static void print(HeliaOut *o, const void *params)
{
    const helia_add_s8_dsp_params *p = params;
    print_broadcast(o, "shape", &p->shape);
    PRINT_INT(o, p, factor_a);
    PRINT_INT(o, p, factor_b);
    PRINT_INT(o, p, base);
    PRINT_INT(o, p, shift);
    PRINT_INT(o, p, halves);
    PRINT_INT(o, p, bias);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

bool add_dsp_emit(struct HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_add_s8_dsp_params", print);
}
