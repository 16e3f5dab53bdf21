/* The arithmetic of the int32 transforms: Q31, sums wrap, products are rounded once. */
#ifndef HELIA_SIGNAL_FFT_S32_H
#define HELIA_SIGNAL_FFT_S32_H

#include <stdint.h>

#include "helia_math.h"

typedef int32_t real;
typedef int32_t real_sum;

static inline real round_product(int64_t x)
{
    return (real)((x + (INT64_C(1) << 30)) >> 31);
}

static inline real add(real a, real b)
{
    return helia_wrap_add(a, b);
}

static inline real sub(real a, real b)
{
    return helia_wrap_sub(a, b);
}

static inline real negate(real a)
{
    return helia_wrap_sub(0, a);
}

static inline real mul(real a, real b)
{
    return round_product((int64_t)a * b);
}

static inline real mul_add(real a, real b, real c, real d) /* a b + c d */
{
    return round_product((int64_t)a * b + (int64_t)c * d);
}

static inline real mul_sub(real a, real b, real c, real d) /* a b - c d */
{
    return round_product((int64_t)a * b - (int64_t)c * d);
}

static inline real share(real a, int32_t k) /* a / k */
{
    return round_product((int64_t)a * (INT32_MAX / k));
}

static inline real_sum full_add(real a, real b)
{
    return helia_wrap_add(a, b);
}

static inline real_sum full_sub(real a, real b)
{
    return helia_wrap_sub(a, b);
}

static inline real halve(real_sum a)
{
    return a >> 1;
}

static inline real unscaled(real a, int32_t length) /* the inverse's last step: nothing, the stages have scaled */
{
    (void)length;
    return a;
}

#endif
