/* Whether what came out is what was expected. */
#include "runner.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tolerance_parse(const char *text, Tolerance *out)
{
    char *end;
    *out = (Tolerance){0, 0, 0};
    double first = strtod(text, &end);
    if (end == text)
        return false;
    if (*end == 0) {
        out->a = first >= 1 ? first : 0; /* of integers */
        out->of_range = first >= 1 ? 0 : first;
        return true;
    }
    if (*end != '+')
        return false;
    const char *second = end + 1;
    out->a = first;
    out->b = strtod(second, &end);
    return end != second && strcmp(end, "r") == 0;
}

static double half_value(uint16_t bits)
{
    int exponent = (bits >> 10) & 31, fraction = bits & 1023;
    double sign = bits & 0x8000 ? -1.0 : 1.0;
    if (exponent == 31)
        return fraction ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24));
}

static size_t element_count(const NpzArray *array)
{
    return array->size / array->item;
}

static double float_at(const NpzArray *array, size_t i)
{
    const uint8_t *at = (const uint8_t *)array->data + i * array->item;
    if (array->item == 2) {
        uint16_t bits;
        memcpy(&bits, at, 2);
        return half_value(bits);
    }
    if (array->item == 8) {
        double value;
        memcpy(&value, at, 8);
        return value;
    }
    float value;
    memcpy(&value, at, 4);
    return (double)value;
}

static int64_t int_at(const NpzArray *array, size_t i)
{
    uint64_t bits = 0;
    memcpy(&bits, (const uint8_t *)array->data + i * array->item, array->item); /* little-endian hosts, as the files */
    unsigned unused = 64 - 8 * array->item;
    if (array->kind == 'i' && bits >> (63 - unused) & 1)
        bits |= unused ? ~UINT64_C(0) << (64 - unused) : 0;
    return (int64_t)bits;
}

static bool floats_agree(double expected, double got, double allowed)
{
    if (isnan(expected) || isnan(got))
        return isnan(expected) && isnan(got);
    if (isinf(expected) || isinf(got))
        return expected == got;
    return fabs(expected - got) <= allowed;
}

static const char *compare_floats(HeliaArena *arena, const NpzArray *expected, const NpzArray *got, Tolerance tolerance)
{
    double largest = 0;
    for (size_t i = 0; i < element_count(expected); i++) {
        double magnitude = fabs(float_at(expected, i));
        if (isfinite(magnitude) && magnitude > largest)
            largest = magnitude;
    }
    size_t wrong = 0, first = 0;
    double worst = 0;
    for (size_t i = 0; i < element_count(expected); i++) {
        double e = float_at(expected, i), g = float_at(got, i);
        double allowed = tolerance.a + tolerance.b * fabs(e) + tolerance.of_range * largest;
        if (floats_agree(e, g, allowed))
            continue;
        if (wrong++ == 0)
            first = i;
        worst = fmax(worst, fabs(e - g));
    }
    if (!wrong)
        return NULL;
    return helia_format(arena, "%zu of %zu elements differ, by up to %g; first [%zu]: expected %.9g, got %.9g", wrong,
                        element_count(expected), worst, first, float_at(expected, first), float_at(got, first));
}

static const char *compare_ints(HeliaArena *arena, const NpzArray *expected, const NpzArray *got, Tolerance tolerance)
{
    size_t wrong = 0, first = 0;
    uint64_t worst = 0;
    for (size_t i = 0; i < element_count(expected); i++) {
        int64_t e = int_at(expected, i), g = int_at(got, i);
        uint64_t difference = e > g ? (uint64_t)e - (uint64_t)g : (uint64_t)g - (uint64_t)e;
        if (difference <= (uint64_t)tolerance.a)
            continue;
        if (wrong++ == 0)
            first = i;
        if (difference > worst)
            worst = difference;
    }
    if (!wrong)
        return NULL;
    return helia_format(
        arena, "%zu of %zu elements differ, by up to %" PRIu64 "; first [%zu]: expected %" PRId64 ", got %" PRId64,
        wrong, element_count(expected), worst, first, int_at(expected, first), int_at(got, first));
}

const char *compare_arrays(HeliaArena *arena, const NpzArray *expected, const NpzArray *got, Tolerance tolerance)
{
    bool same = expected->rank == got->rank && expected->kind == got->kind && expected->item == got->item;
    for (int32_t i = 0; same && i < expected->rank; i++)
        same = expected->dim[i] == got->dim[i];
    if (!same)
        return helia_format(arena, "expected %s %s, got %s %s", npz_type_text(arena, expected),
                            npz_shape_text(arena, expected), npz_type_text(arena, got), npz_shape_text(arena, got));
    if (expected->kind == 'f')
        return compare_floats(arena, expected, got, tolerance);
    return compare_ints(arena, expected, got, tolerance);
}
