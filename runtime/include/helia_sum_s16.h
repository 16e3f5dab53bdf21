/* Sums of int16 x int8 products: what kernels with a 64-bit bias or none, and those with a 32-bit bias, differ in. A kernel's
 * text is included with HELIA_SUM_WIDE 1 or 0. HELIA_SUM_OF: a 64-bit sum as one of theirs. */
#ifndef HELIA_SUM_S16_H
#define HELIA_SUM_S16_H

#include "helia_math.h"

#endif

#undef HELIA_SUM
#undef HELIA_SUM_ADD
#undef HELIA_SUM_SCALE
#undef HELIA_SUM_OF
#if HELIA_SUM_WIDE
#define HELIA_SUM int64_t
#define HELIA_SUM_ADD(a, b) ((a) + (b))
#define HELIA_SUM_SCALE helia_requantize64
#define HELIA_SUM_OF(a) (a)
#else
#define HELIA_SUM int32_t
#define HELIA_SUM_ADD(a, b) helia_wrap_add(a, b)
#define HELIA_SUM_SCALE helia_requantize
#define HELIA_SUM_OF(a) ((int32_t)(uint32_t)(uint64_t)(a))
#endif
