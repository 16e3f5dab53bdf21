/* Elements of two tensors, compared as the generated test does it. */
#include "golden/differ.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "helia_quantize.h"

static bool is_float(AirType type)
{
    return type == AIR_F32 || type == AIR_F16;
}

static bool is_signed(AirType type)
{
    return type == AIR_S8 || type == AIR_S16 || type == AIR_S32 || type == AIR_S64 || type == AIR_RESOURCE;
}

/* NULL for integers. */
static const float *as_floats(HeliaArena *arena, AirType type, const void *bytes, size_t n)
{
    if (!is_float(type))
        return NULL;
    float *values = HELIA_NEW_N(arena, float, n);
    if (type == AIR_F16) {
        uint16_t *halves = HELIA_NEW_N(arena, uint16_t, n);
        memcpy(halves, bytes, n * sizeof(*halves));
        const helia_dequantize_params p = {.count = (int32_t)n};
        helia_dequantize_f16_c(&p, halves, values);
    } else if (n) {
        memcpy(values, bytes, n * sizeof(*values));
    }
    return values;
}

/* Bits of an integer of at least a byte; the others, packed below 8 bits, are compared byte by byte. */
static uint32_t item_bytes(AirType type)
{
    return air_type_bits(type) < 8 ? 1 : air_type_bits(type) / 8;
}

static int64_t integer_at(AirType type, const void *bytes, size_t i)
{
    const uint32_t item = item_bytes(type), unused = 64 - 8 * item;
    uint64_t bits = 0;
    for (uint32_t k = 0; k < item; k++)
        bits |= (uint64_t)((const uint8_t *)bytes)[i * item + k] << 8 * k;
    if (is_signed(type) && unused && bits >> (63 - unused) & 1)
        bits |= ~UINT64_C(0) << (64 - unused);
    return (int64_t)bits;
}

static uint64_t distance(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static bool floats_agree(float expected, float got, double allowed)
{
    if (isnan(expected) || isnan(got))
        return isnan(expected) && isnan(got);
    return expected == got || fabs((double)expected - (double)got) <= allowed;
}

double largest_magnitude(HeliaArena *arena, AirType type, const void *bytes, size_t n)
{
    HeliaArena *work = helia_arena_child(arena);
    const float *values = as_floats(work, type, bytes, n);
    double largest = 0;
    for (size_t i = 0; values && i < n; i++)
        if (isfinite(values[i]) && fabs((double)values[i]) > largest)
            largest = fabs((double)values[i]);
    helia_arena_free(work);
    return largest;
}

static const char *element_text(HeliaArena *arena, AirType type, const void *bytes, const float *floats, size_t i)
{
    if (floats)
        return helia_format(arena, "%.9g", (double)floats[i]);
    if (type == AIR_U64)
        return helia_format(arena, "%" PRIu64, (uint64_t)integer_at(type, bytes, i));
    return helia_format(arena, "%" PRId64, integer_at(type, bytes, i));
}

bool tensors_differ(HeliaArena *arena, AirType type, const void *expected, const void *got, size_t n,
                    const Tolerance *tolerance, Difference *difference)
{
    HeliaArena *work = helia_arena_child(arena);
    const float *e = as_floats(work, type, expected, n), *g = as_floats(work, type, got, n);
    *difference = (Difference){0};
    if (air_type_bits(type) < 8)
        n = (n * air_type_bits(type) + 7) / 8;
    for (size_t i = 0; i < n; i++) {
        const bool agree = e ? floats_agree(e[i], g[i], tolerance->floats)
                             : distance(integer_at(type, expected, i), integer_at(type, got, i)) <= tolerance->integers;
        if (!agree && difference->count++ == 0)
            difference->first = i;
    }
    if (difference->count) {
        difference->expected = element_text(arena, type, expected, e, difference->first);
        difference->got = element_text(arena, type, got, g, difference->first);
    }
    helia_arena_free(work);
    return difference->count != 0;
}
