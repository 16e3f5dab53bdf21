/* ADD and SUB for cores with the DSP extension: looks for a linear form and proves it on all pairs of operands. */
#include "pack/add_dsp.h"

#include <math.h>

#include "helia_math.h"
#include "op/print.h"

enum { VALUES = 256, NEAR = 2, LARGEST_SHIFT = 22, SMALLEST_SHIFT = 16 };

/* The reference for all pairs of operands, by value + 128; far outside of int8 it says so and no more. */
typedef struct Reference {
    int16_t out[VALUES][VALUES]; /* before the activation */
    int32_t zero, min, max;
} Reference;

static void fill_reference(const helia_add_params *r, bool subtract, Reference *reference)
{
    int32_t a[VALUES], b[VALUES];
    for (int32_t i = 0; i < VALUES; i++) {
        a[i] = helia_requantize(helia_wrap_shl(i - 128 - r->zero_a, r->shift), r->multiplier_a, r->exponent_a);
        b[i] = helia_requantize(helia_wrap_shl(i - 128 - r->zero_b, r->shift), r->multiplier_b, r->exponent_b);
        b[i] = subtract ? -b[i] : b[i];
    }
    for (int32_t i = 0; i < VALUES; i++)
        for (int32_t k = 0; k < VALUES; k++) {
            int32_t y = helia_requantize(helia_wrap_add(a[i], b[k]), r->multiplier_out, r->exponent_out);
            reference->out[i][k] = (int16_t)helia_clamp(helia_wrap_add(y, r->zero_out), INT16_MIN, INT16_MAX);
        }
    reference->zero = r->zero_out;
    reference->min = r->min;
    reference->max = r->max;
}

/* factor * value / 2^8, rounded down. */
static int64_t linear_term(int64_t factor, int32_t value)
{
    return (factor * value) >> 8;
}

/* Sets the base for which every pair gives the reference's result, in the middle of those that do; false if there is
 * none. With t the two terms: t + base - [negative] + bias in [out, out + 1) * 2^shift, one side open where the clamp
 * hides it. */
static bool find_base(const Reference *r, helia_add_s8_dsp_params *p)
{
    const int64_t unit = INT64_C(1) << p->shift;
    int64_t low = INT64_MIN, high = INT64_MAX;
    p->bias = p->halves ? (int32_t)(r->zero * unit + unit / 2) : 0;
    for (int32_t i = 0; i < VALUES && low <= high; i++) {
        int64_t a = linear_term(p->factor_a, i - 128);
        for (int32_t k = 0; k < VALUES; k++) {
            int32_t whole = r->out[i][k], out = helia_clamp(whole, r->min, r->max);
            int64_t nudge = p->halves && whole < r->zero ? 1 : 0;
            int64_t from = out * unit - p->bias + nudge - a - linear_term(p->factor_b, k - 128), to = from + unit - 1;
            if (out > r->min && from > low)
                low = from;
            if (out < r->max && to < high)
                high = to;
        }
    }
    if (low > high)
        return false;
    int64_t base = low == INT64_MIN ? high : high == INT64_MAX ? low : low + (high - low) / 2;
    p->base = (int32_t)base;
    return base == p->base;
}

/* The form as the kernel computes it against the reference, pair by pair; no sum leaves 32 bits. */
static bool proven(const Reference *r, const helia_add_s8_dsp_params *p)
{
    for (int32_t i = 0; i < VALUES; i++)
        for (int32_t k = 0; k < VALUES; k++) {
            int64_t first = linear_term(p->factor_b, k - 128) + p->base;
            int64_t sum = first + linear_term(p->factor_a, i - 128);
            int64_t t = p->halves ? sum - (sum < 0) + p->bias : sum;
            if (first != (int32_t)first || sum != (int32_t)sum || t != (int32_t)t)
                return false;
            if (helia_clamp((int32_t)t >> p->shift, r->min, r->max) != helia_clamp(r->out[i][k], r->min, r->max))
                return false;
        }
    return true;
}

/* Ratios of the operands' scales to the output's, as factors plus a few units. */
static bool try_factors(const Reference *r, double a, double b, int32_t add_a, int32_t add_b,
                        helia_add_s8_dsp_params *p)
{
    for (p->shift = LARGEST_SHIFT; p->shift >= SMALLEST_SHIFT; p->shift--) {
        const double unit = (double)(INT64_C(1) << (p->shift + 8)), most = (double)(INT32_MAX - NEAR);
        if (a * unit > most || fabs(b) * unit > most)
            continue;
        p->factor_a = (int32_t)llround(a * unit) + add_a;
        p->factor_b = (int32_t)llround(b * unit) + add_b;
        for (p->halves = 0; p->halves < 2; p->halves++)
            if (find_base(r, p) && proven(r, p))
                return true;
    }
    return false;
}

bool add_dsp_linear(HeliaArena *arena, const helia_add_params *r, bool subtract, helia_add_s8_dsp_params *p)
{
    static const int32_t offsets[2 * NEAR + 1] = {0, 1, -1, 2, -2};
    HeliaArena *work = helia_arena_child(arena);
    Reference *reference = HELIA_NEW(work, Reference);
    fill_reference(r, subtract, reference);
    double out = ldexp((double)r->multiplier_out, r->exponent_out - 31 + r->shift);
    double a = ldexp((double)r->multiplier_a, r->exponent_a - 31) * out;
    double b = ldexp((double)r->multiplier_b, r->exponent_b - 31) * (subtract ? -out : out);
    bool found = false;
    *p = (helia_add_s8_dsp_params){.min = r->min, .max = r->max};
    for (int32_t i = 0; i <= 2 * NEAR && !found; i++)
        for (int32_t k = 0; k <= 2 * NEAR && !found; k++)
            found = try_factors(reference, a, b, offsets[i], offsets[k], p);
    helia_arena_free(work);
    return found;
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
