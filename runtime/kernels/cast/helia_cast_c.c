/* CAST, portable: every pair of types in one kernel, by way of the widest type. */
#include "helia_cast.h"

static int64_t load(const void *in, int32_t i, int32_t type)
{
    switch (type) {
    case HELIA_CAST_S8:
        return ((const int8_t *)in)[i];
    case HELIA_CAST_S16:
        return ((const int16_t *)in)[i];
    case HELIA_CAST_U16:
        return ((const uint16_t *)in)[i];
    case HELIA_CAST_S32:
        return ((const int32_t *)in)[i];
    case HELIA_CAST_U32:
        return ((const uint32_t *)in)[i];
    case HELIA_CAST_S64:
        return ((const int64_t *)in)[i];
    default: /* BOOL, U8 */
        return ((const uint8_t *)in)[i];
    }
}

static void store(void *out, int32_t i, int32_t type, int64_t x)
{
    switch (type) {
    case HELIA_CAST_BOOL:
        ((uint8_t *)out)[i] = x != 0;
        break;
    case HELIA_CAST_S8:
        ((int8_t *)out)[i] = (int8_t)x;
        break;
    case HELIA_CAST_U8:
        ((uint8_t *)out)[i] = (uint8_t)x;
        break;
    case HELIA_CAST_S16:
        ((int16_t *)out)[i] = (int16_t)x;
        break;
    case HELIA_CAST_U16:
        ((uint16_t *)out)[i] = (uint16_t)x;
        break;
    case HELIA_CAST_S32:
        ((int32_t *)out)[i] = (int32_t)x;
        break;
    case HELIA_CAST_U32:
        ((uint32_t *)out)[i] = (uint32_t)x;
        break;
    default: /* S64 */
        ((int64_t *)out)[i] = x;
        break;
    }
}

/* low and high: the first values that the type does not have on either side; both are powers of two or next to 0. */
static int64_t truncated(float x, float low, float high, int64_t min, int64_t max)
{
    return x >= high ? max : x <= low ? min : x == x ? (int64_t)x : 0;
}

static int64_t from_float(float x, int32_t type)
{
    switch (type) {
    case HELIA_CAST_BOOL:
        return x < 0.0f || x > 0.0f || x != x;
    case HELIA_CAST_S8:
        return truncated(x, -129.0f, 128.0f, INT8_MIN, INT8_MAX);
    case HELIA_CAST_U8:
        return truncated(x, -1.0f, 256.0f, 0, UINT8_MAX);
    case HELIA_CAST_S16:
        return truncated(x, -32769.0f, 32768.0f, INT16_MIN, INT16_MAX);
    case HELIA_CAST_U16:
        return truncated(x, -1.0f, 65536.0f, 0, UINT16_MAX);
    case HELIA_CAST_S32: /* the float below -2^31 is further away than 1 */
        return truncated(x, -2147483648.0f, 2147483648.0f, INT32_MIN, INT32_MAX);
    case HELIA_CAST_U32:
        return truncated(x, -1.0f, 4294967296.0f, 0, UINT32_MAX);
    default: /* S64 */
        return truncated(x, -9223372036854775808.0f, 9223372036854775808.0f, INT64_MIN, INT64_MAX);
    }
}

void helia_cast_c(const helia_cast_params *p, const void *restrict in, void *restrict out)
{
    const float *floats = in;
    float *to_floats = out;
    for (int32_t i = 0; i < p->count; i++) {
        if (p->from == HELIA_CAST_F32 && p->to == HELIA_CAST_F32)
            to_floats[i] = floats[i];
        else if (p->to == HELIA_CAST_F32)
            to_floats[i] = (float)load(in, i, p->from);
        else
            store(out, i, p->to, p->from == HELIA_CAST_F32 ? from_float(floats[i], p->to) : load(in, i, p->from));
    }
}
