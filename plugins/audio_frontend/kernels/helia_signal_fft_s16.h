/* The arithmetic of the int16 transforms: Q15, sums wrap, products are rounded once. */
#ifndef HELIA_SIGNAL_FFT_S16_H
#define HELIA_SIGNAL_FFT_S16_H

#include <stdint.h>

typedef int16_t real;
typedef int32_t real_sum; /* of two, before it is halved: the carry counts */

static inline real round_product(int32_t x)
{
    return (real)((x + (1 << 14)) >> 15);
}

static inline real add(real a, real b)
{
    return (real)(a + b);
}

static inline real sub(real a, real b)
{
    return (real)(a - b);
}

static inline real negate(real a)
{
    return (real)-a;
}

static inline real mul(real a, real b)
{
    return round_product(a * b);
}

static inline real mul_add(real a, real b, real c, real d) /* a b + c d */
{
    return round_product(a * b + c * d);
}

static inline real mul_sub(real a, real b, real c, real d) /* a b - c d */
{
    return round_product(a * b - c * d);
}

static inline real share(real a, int32_t k) /* a / k */
{
    return round_product(a * (INT16_MAX / k));
}

static inline real_sum full_add(real a, real b)
{
    return a + b;
}

static inline real_sum full_sub(real a, real b)
{
    return a - b;
}

static inline real halve(real_sum a)
{
    return (real)(a >> 1);
}

static inline real unscaled(real a, int32_t length) /* the inverse's last step: nothing, the stages have scaled */
{
    (void)length;
    return a;
}

#endif
