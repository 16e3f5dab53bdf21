/* The audio front-end's kernels from the spectrum to the channels' logarithms: their bounds, roundings and wraps. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "helia_signal_energy.h"
#include "helia_signal_filter_bank.h"
#include "helia_signal_log.h"
#include "helia_signal_pcan.h"
#include "helia_signal_spectral_subtraction.h"
#include "helia_signal_square_root.h"

#define COUNT(a) ((int32_t)(sizeof(a) / sizeof((a)[0])))

/* The same numbers on every machine, of 0 to 64 bits. */
static uint64_t random_bits(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = (*seed ^ *seed >> 29) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t bits = (uint32_t)(*seed >> 57) % 65u;
    return bits ? x >> (64u - bits) : 0u;
}

static int bit_length(uint32_t v)
{
    int n = 0;
    for (; v; v >>= 1)
        n++;
    return n;
}

/* ---- energy ----------------------------------------------------------------------------------- */
static void energy(void **state)
{
    (void)state;
    static const int16_t spectrum[] = {1, 2, 3, -4, -32768, -32768, 32767, -32768, 0, 0};
    static const uint32_t squares[] = {5, 25, 2147483648u, 2147418113u, 0};
    static const int32_t ranges[][2] = {{0, 5}, {1, 3}, {2, 2}, {0, 0}, {4, 5}};
    for (int32_t r = 0; r < COUNT(ranges); r++) {
        helia_signal_energy_params p = {ranges[r][0], ranges[r][1], 6};
        uint32_t out[6] = {9, 9, 9, 9, 9, 9};
        helia_signal_energy_s16_c(&p, spectrum, out);
        for (int32_t i = 0; i < p.count; i++)
            assert_int_equal(out[i], i >= p.start && i < p.end ? squares[i] : 0u);
    }
}

/* ---- filter bank ------------------------------------------------------------------------------ */
static void filter_bank(void **state)
{
    (void)state;
    static const uint32_t bins[] = {10, 20, 30, UINT32_MAX};
    static const int16_t weights[] = {1, 2, 3, -1, -32768, 32767}, unweights[] = {100, 200, 300, 1, 32767, -5};
    /* Channel 2 has no width, channel 3 a negative one and starts outside: both add nothing and hand nothing on. */
    static const int16_t starts[] = {0, 1, 3, -7, 2, 3}, weight_starts[] = {0, 2, 4, 99, 0, 4},
                         widths[] = {2, 2, 0, -3, 1, 1};
    static const uint64_t expected[] = {
        10 * 100 + 20 * 200 + 20 * 3 - 30, /* unweights of channel 0, weights of channel 1 */
        20 * 300 + 30,
        0,
        30,
        30 * 100 - UINT64_C(32768) * UINT32_MAX, /* modulo 2^64 */
    };
    uint64_t out[6];
    for (int32_t n = 1; n <= 5; n++) {
        helia_signal_filter_bank_params p = {n};
        out[n] = 77;
        helia_signal_filter_bank_u32_c(&p, bins, weights, unweights, starts, weight_starts, widths, out);
        for (int32_t i = 0; i < n; i++)
            assert_true(out[i] == expected[i]);
        assert_int_equal(out[n], 77);
    }
}

/* The largest sums there can be: the widest channels of the most negative and the largest factors. */
static void filter_bank_extremes(void **state)
{
    (void)state;
    enum { WIDTH = 32767 };
    static uint32_t bins[WIDTH];
    static int16_t factors[WIDTH];
    static const int16_t zeros[2], widths[2] = {WIDTH, WIDTH};
    helia_signal_filter_bank_params p = {1};
    uint64_t out;
    memset(bins, 0xff, sizeof(bins));
    for (int32_t k = 0; k < 2; k++) {
        const int32_t factor = k ? 32767 : -32768;
        for (int32_t i = 0; i < WIDTH; i++)
            factors[i] = (int16_t)factor;
        helia_signal_filter_bank_u32_c(&p, bins, factors, factors, zeros, zeros, widths, &out);
        assert_true(out == (uint64_t)2 * WIDTH * UINT32_MAX * (uint64_t)factor);
    }
}

/* ---- square root ------------------------------------------------------------------------------ */
static uint32_t root(uint64_t v, int32_t scale_bits)
{
    helia_signal_square_root_params p = {1};
    uint32_t out;
    helia_signal_square_root_u64_c(&p, &v, &scale_bits, &out);
    return out;
}

/* r is the root of v if (r - 1/2)^2 < v < (r + 1/2)^2; an integer v is never at the half. */
static void check_root(uint64_t v)
{
    uint64_t r = root(v, 0);
    assert_true(r == 0 || v > r * r - r);
    if (r != UINT32_MAX && !(r == 65535 && v < UINT64_C(1) << 32))
        assert_true(v <= r * r + r);
}

static void square_root_rounding(void **state)
{
    (void)state;
    static const uint64_t capped = (UINT64_C(1) << 32) - 65536; /* 65535.5^2 is above it by 1/4 */
    assert_int_equal(root(capped, 0), 65535);
    assert_int_equal(root(capped + 1, 0), 65535);
    assert_int_equal(root(UINT32_MAX, 0), 65535);
    assert_int_equal(root(UINT64_C(1) << 32, 0), 65536);
    assert_int_equal(root(UINT64_MAX, 0), UINT32_MAX);
    assert_int_equal(root(UINT64_MAX - UINT32_MAX, 0), UINT32_MAX);
    assert_int_equal(root(UINT64_C(0xfffffffd00000002), 0), UINT32_MAX - 1); /* (2^32 - 1.5)^2 - 0.25 */
    assert_int_equal(root(UINT64_C(0xfffffffd00000003), 0), UINT32_MAX);
    for (int bits = 0; bits <= 32; bits++)
        for (int64_t r = (INT64_C(1) << bits) - 2; r <= (INT64_C(1) << bits) + 1; r++) {
            const uint64_t square = (uint64_t)r * (uint64_t)r;
            if (r < 0 || r > UINT32_MAX)
                continue;
            check_root(square);
            check_root(square + (uint64_t)r); /* the last that is rounded down, and the first that is rounded up */
            check_root(square + (uint64_t)r + 1);
            check_root(square + 2 * (uint64_t)r);
        }
    for (uint64_t v = 0; v < 70000; v++)
        check_root(v);
    uint64_t seed = 1;
    for (int i = 0; i < 200000; i++)
        check_root(random_bits(&seed));
}

static void square_root_scale(void **state)
{
    (void)state;
    assert_int_equal(root(1000000, 3), 125);
    assert_int_equal(root(UINT64_MAX, 31), 1);
    assert_int_equal(root(UINT64_MAX, 32), 0);
    assert_int_equal(root(UINT64_MAX, -1), 0);
    assert_int_equal(root(UINT64_MAX, INT32_MIN), 0);
}

/* ---- spectral subtraction --------------------------------------------------------------------- */
static void spectral_subtraction(void **state)
{
    (void)state;
    /* 8 fractional bits: even channels take 1/4 of the signal into the estimate, odd ones 1/2; 1/16 always remains. */
    helia_signal_spectral_subtraction_params p = {3, 2, 4, 8, {64, 128}, {192, 128}, 16, 0};
    uint32_t noise[3] = {0}, out[3], estimate[3] = {0, 0, 99};
    static const uint32_t in[3] = {100, 100, 0};
    helia_signal_spectral_subtraction_u32_c(&p, in, noise, out, estimate);
    assert_int_equal(out[0], 75);
    assert_int_equal(out[1], 50);
    assert_int_equal(out[2], 0);
    assert_int_equal(estimate[0], 400); /* with 4 bits more */
    assert_int_equal(estimate[1], 800);
    assert_int_equal(estimate[2], 99); /* only noise_count are put out */
    helia_signal_spectral_subtraction_u32_c(&p, in, noise, out, estimate);
    assert_int_equal(noise[0], 700);
    assert_int_equal(out[0], 56); /* (1600 - 700) / 16, rounded down */
    /* A signal below the estimate: nothing is left of it but the part that always is. */
    static const uint32_t quiet[3] = {32, 32, 32};
    helia_signal_spectral_subtraction_u32_c(&p, quiet, noise, out, estimate);
    assert_int_equal(noise[0], 653);
    assert_int_equal(out[0], 2);
}

static void spectral_subtraction_clamping(void **state)
{
    (void)state;
    for (int32_t clamping = 0; clamping <= 1; clamping++) {
        helia_signal_spectral_subtraction_params p = {1, 1, 4, 8, {64, 64}, {192, 192}, 0, clamping};
        uint32_t noise = 1000, out, estimate;
        const uint32_t in = 10;
        helia_signal_spectral_subtraction_u32_c(&p, &in, &noise, &out, &estimate);
        assert_int_equal(noise, clamping ? 160 : 790);
        assert_int_equal(estimate, noise);
        assert_int_equal(out, 0);
    }
}

/* What leaves 32 bits of the scaled signal, and 64 of the sum, is lost; a shift may take all. */
static void spectral_subtraction_wraps(void **state)
{
    (void)state;
    helia_signal_spectral_subtraction_params p = {1, 1, 1, 32, {UINT32_MAX, 0}, {UINT32_MAX, 0}, UINT32_MAX, 0};
    uint32_t noise = UINT32_MAX, out, estimate, in = UINT32_C(0xffffffff);
    helia_signal_spectral_subtraction_u32_c(&p, &in, &noise, &out, &estimate);
    const uint64_t sum = UINT64_C(0xfffffffe) * UINT32_MAX + (uint64_t)UINT32_MAX * UINT32_MAX;
    assert_int_equal(estimate, (uint32_t)(sum >> 32));
    assert_int_equal(out, UINT32_C(0xfffffffe)); /* in * (2^32 - 1) / 2^32, rounded down */
    p.subtraction_bits = 63;
    p.smoothing_bits = 31;
    noise = 0;
    helia_signal_spectral_subtraction_u32_c(&p, &in, &noise, &out, &estimate);
    assert_int_equal(estimate, 0);
    assert_int_equal(out, 1);
}

/* ---- gain control ----------------------------------------------------------------------------- */
static uint32_t pcan(uint32_t in, uint32_t noise, const int16_t *table, int32_t snr_shift)
{
    helia_signal_pcan_params p = {1, snr_shift};
    uint32_t out;
    helia_signal_pcan_u32_c(&p, &in, &noise, table, &out);
    return out;
}

/* The gain itself: the signal 2^16 puts its 16 bits where the output is linear. */
static int32_t gain(uint32_t noise, const int16_t *table)
{
    const uint32_t out = pcan(UINT32_C(1) << 16, noise, table, 0);
    return (int16_t)(out ? (out + 64u) >> 10 : 0u);
}

static int64_t floor_shift(int64_t x, int n)
{
    const int64_t unit = INT64_C(1) << n;
    return x >= 0 ? x / unit : -((-x + unit - 1) / unit);
}

static int32_t expected_gain(uint32_t noise, const int16_t *table)
{
    if (noise < 2)
        return table[noise];
    const int bits = bit_length(noise);
    const int64_t below = noise - (INT64_C(1) << (bits - 1)); /* of bits - 1 bits, made 10 */
    const int64_t f = bits < 11 ? below * (INT64_C(1) << (11 - bits)) : floor_shift(below, bits - 11);
    const int16_t *c = &table[4 * bits - 6];
    const int64_t y = (floor_shift(c[2] * f, 5) + 32 * c[1]) * f;
    return (int16_t)(uint16_t)(uint64_t)(floor_shift(y + 16384, 15) + c[0]);
}

static void pcan_gain(void **state)
{
    (void)state;
    static int16_t tables[4][HELIA_SIGNAL_PCAN_TABLE];
    uint64_t seed = 7;
    for (int32_t i = 0; i < HELIA_SIGNAL_PCAN_TABLE; i++) {
        tables[0][i] = (int16_t)(1 + 97 * i);
        tables[1][i] = INT16_MIN; /* the largest magnitudes of the polynomial */
        tables[2][i] = INT16_MAX;
        tables[3][i] = (int16_t)(uint16_t)random_bits(&seed);
    }
    for (int32_t t = 0; t < 4; t++)
        for (int bits = 0; bits <= 32; bits++) {
            const uint32_t last = (uint32_t)((UINT64_C(1) << bits) - 1u), first = last - (last >> 1);
            const uint32_t noise[] = {first, first + (last - first) / 2, last, last - (last - first) / 3};
            for (int32_t i = 0; i < COUNT(noise); i++)
                assert_int_equal(gain(noise[i], tables[t]), expected_gain(noise[i], tables[t]));
        }
    /* By hand: noise 3 is half of its length's range, f = 512; the length's entries are 2, 3 and 4. */
    static const int16_t small[HELIA_SIGNAL_PCAN_TABLE] = {5, 6, 1000, 64, -2};
    assert_int_equal(gain(0, small), 5);
    assert_int_equal(gain(1, small), 6);
    assert_int_equal(gain(2, small), 1000);
    assert_int_equal(gain(3, small), 1000 + 32); /* ((-32 + 2048) * 512 + 2^14) >> 15 = 32 */
}

static void pcan_output(void **state)
{
    (void)state;
    static const int16_t table[HELIA_SIGNAL_PCAN_TABLE] = {1, -1};
    assert_int_equal(pcan(1023, 0, table, 0), 0);
    assert_int_equal(pcan(1024, 0, table, 0), 1);
    assert_int_equal(pcan(8191, 0, table, 0), 63);
    assert_int_equal(pcan(8192, 0, table, 0), 64);
    assert_int_equal(pcan(UINT32_MAX, 0, table, 0), (UINT32_MAX >> 6) - 64);
    assert_int_equal(pcan(UINT32_MAX, 0, table, 31), 0);
    assert_int_equal(pcan(UINT32_MAX, 0, table, 63), 0);
    /* The gain -1 is 2^32 - 1; the ratio is cut to 32 bits. */
    assert_int_equal(pcan(10000, 1, table, 0), ((uint32_t)-10000 >> 6) - 64);
    assert_int_equal(pcan(3, 1, table, 32), 0);
    assert_int_equal(pcan(UINT32_MAX, 1, table, 32), (UINT32_C(0xfffffffe) >> 6) - 64);
}

/* ---- logarithm -------------------------------------------------------------------------------- */
static int16_t logarithm(uint32_t in, int32_t correction_bits, uint32_t scale)
{
    helia_signal_log_params p = {1, correction_bits, scale};
    int16_t out;
    helia_signal_log_u32_c(&p, &in, &out);
    return out;
}

/* With the scale 2^10 the result is ln(v) in 10 fractional bits. Interpolation with the shift 16 in place of 9 costs up
 * to the difference of two entries of the table, 224 / 2^16 of log2(v). */
static void logarithm_accuracy(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 200000; i++) {
        const uint32_t v = (uint32_t)random_bits(&seed);
        const double exact = v > 1u ? 1024.0 * log(v) : 0.0;
        assert_true(fabs(logarithm(v, 0, 1024) - exact) < 0.5 + 1024.0 * log(2.0) * 226.0 / 65536.0);
    }
}

/* round(65536 * (log2(1 + i / 128) - i / 128)) */
static int32_t above_chord(int32_t i)
{
    return (int32_t)lround(65536.0 * (log2(1.0 + i / 128.0) - i / 128.0));
}

/* Every entry of the table, at the begin of its segment and inside. The scale 2^16 gives the lower 16 bits of ln(v)
 * where the top one of these is 0, which is so for some of the 15 powers of two that a segment is taken at. */
static void logarithm_table(void **state)
{
    (void)state;
    static const int32_t within[] = {0, 1, 292, 293, 511};
    for (int32_t i = 0; i < 128; i++) {
        int32_t compared = 0;
        for (int32_t k = 0; k < 15 * COUNT(within); k++) {
            const int32_t e = 16 + k / COUNT(within), at = within[k % COUNT(within)];
            const uint32_t v = ((uint32_t)(128 + i) << 9 | (uint32_t)at) << (e - 16);
            const int32_t slope = above_chord(i + 1) - above_chord(i);
            const int64_t log_2 = (int64_t)e * 65536 + i * 512 + at + above_chord(i) + floor_shift(slope * at, 16);
            const int64_t ln = (45426 * log_2 + 32768) / 65536;
            if (ln % 65536 > 32767)
                continue;
            assert_int_equal(logarithm(v, 0, 65536), ln % 65536);
            compared++;
        }
        assert_true(compared >= COUNT(within));
    }
}

static void logarithm_bounds(void **state)
{
    (void)state;
    assert_int_equal(logarithm(0, 0, 1600), 0);
    assert_int_equal(logarithm(1, 0, 1600), 0);
    assert_int_equal(logarithm(1, 1, 1600), 1109); /* ln(2) */
    assert_int_equal(logarithm(2, 31, 1600), 0);   /* all bits are shifted out */
    assert_int_equal(logarithm(UINT32_C(0x80000001), 1, 1600), 1109);
    assert_int_equal(logarithm(UINT32_MAX, 0, 1476), 32741);
    assert_int_equal(logarithm(UINT32_MAX, 0, 1478), 32767); /* saturated */
    assert_int_equal(logarithm(UINT32_MAX, 0, 2954), 32767);
    assert_int_equal(logarithm(UINT32_MAX, 0, 2955), 12); /* wrapped */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy),
        cmocka_unit_test(filter_bank),
        cmocka_unit_test(filter_bank_extremes),
        cmocka_unit_test(square_root_rounding),
        cmocka_unit_test(square_root_scale),
        cmocka_unit_test(spectral_subtraction),
        cmocka_unit_test(spectral_subtraction_clamping),
        cmocka_unit_test(spectral_subtraction_wraps),
        cmocka_unit_test(pcan_gain),
        cmocka_unit_test(pcan_output),
        cmocka_unit_test(logarithm_accuracy),
        cmocka_unit_test(logarithm_table),
        cmocka_unit_test(logarithm_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
