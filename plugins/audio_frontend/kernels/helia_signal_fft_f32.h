/* The arithmetic of the float32 transforms: as written, the stages do not scale. */
#ifndef HELIA_SIGNAL_FFT_F32_H
#define HELIA_SIGNAL_FFT_F32_H

#include <stdint.h>

typedef float real;
typedef float real_sum;

static inline real add(real a, real b)
{
    return a + b;
}

static inline real sub(real a, real b)
{
    return a - b;
}

static inline real negate(real a)
{
    return -a;
}

static inline real mul(real a, real b)
{
    return a * b;
}

static inline real mul_add(real a, real b, real c, real d) /* a b + c d */
{
    return a * b + c * d;
}

static inline real mul_sub(real a, real b, real c, real d) /* a b - c d */
{
    return a * b - c * d;
}

static inline real share(real a, int32_t k)
{
    (void)k;
    return a;
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
    return a * 0.5f;
}

static inline real unscaled(real a, int32_t length) /* the inverse's last step */
{
    return a / (float)length;
}

#endif
