/* The kernels of x86-64 as one level of the instruction set has them: built by tests/kernels/run for several -march, each
 * time with the cases that `kernels --write x86` has written. Requantisation is compared with the reference's at its
 * edges: extremes, and accumulators around every half. Prints what failed, then passed=N and failed=N. */
#include <stdio.h>

#include "helia_x86.h"
#include "kernel_case.h"

extern const KernelCase kernel_cases[];
extern const uint32_t kernel_case_count;

static uint32_t passed, failed;

/* ---- requantisation --------------------------------------------------------------------------- */
static int32_t accumulators[HELIA_X86_LANES];
static int32_t filled;
static uint32_t wrong;

/* The layout of helia_x86.h, written down once more. */
static void make_record(uint32_t *record, int32_t m, int32_t n)
{
    const uint64_t rounding = (UINT64_C(1) << 30) + (UINT64_C(1) << (n + 30));
    for (int32_t i = 0; i < HELIA_X86_LANES; i++) {
        record[i] = (uint32_t)accumulators[i];
        record[16 + i] = (uint32_t)m;
        record[32 + i] = (uint32_t)(n - 1);
        record[48 + 2 * i] = (uint32_t)rounding;
        record[49 + 2 * i] = (uint32_t)(rounding >> 32);
    }
}

static void compare(int32_t m, int32_t n, const helia_x86_range *range)
{
    uint32_t record[HELIA_X86_RECORD];
    int8_t out[HELIA_X86_LANES];
    make_record(record, m, n);
    helia_x86_store(range, helia_x86_bias(record), record, out, HELIA_X86_LANES);
    for (int32_t i = 0; i < HELIA_X86_LANES; i++) {
        const int32_t y = helia_requantize(accumulators[i], m, -n) + range->out_zero;
        if (out[i] == helia_clamp(y, range->min, range->max))
            continue;
        wrong++;
        printf("FAIL kernels x86 requantisation: %d * %d, shift %d, zero point %d, relu %d: is %d, must be %d\n",
               accumulators[i], m, n, range->out_zero, range->relu, out[i], helia_clamp(y, range->min, range->max));
    }
}

static void add(int64_t a, int32_t m, int32_t n)
{
    static const helia_x86_range ranges[] = {
        {0, 0, -128, 127}, {-128, 1, -128, 127}, {127, 0, -128, 127}, {-7, 0, -100, 90}, {5, 1, 5, 60}};
    if (a < INT32_MIN || a > INT32_MAX)
        return;
    accumulators[filled++] = (int32_t)a;
    if (filled < HELIA_X86_LANES)
        return;
    filled = 0;
    for (uint32_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
        compare(m, n, &ranges[i]);
}

static void requantisation(int32_t m, int32_t n)
{
    static const int64_t extremes[] = {INT32_MIN, INT32_MIN + 1, -(1 << 30) - 1, -(1 << 30), -2, -1, 0, 1,
                                       2,         1 << 30,       INT32_MAX - 1,  INT32_MAX};
    for (uint32_t i = 0; i < sizeof(extremes) / sizeof(extremes[0]); i++)
        add(extremes[i], m, n);
    for (int32_t r = -140; r <= 140 && m; r++)
        for (int32_t near = -2; near <= 2; near++)
            add((int64_t)((double)(2 * r + 1) * (double)(INT64_C(1) << (30 + n)) / (double)m) + near, m, n);
    while (filled)
        add(0, m, n);
    passed += wrong == 0;
    failed += wrong > 0;
    wrong = 0;
}

static void requantisations(void)
{
    static const int32_t multipliers[] = {0,          1 << 30,    (1 << 30) + 1, 1234567891,
                                          1518500250, 2147483646, INT32_MAX,     1610612736};
    for (int32_t n = 1; n <= 31; n++)
        for (uint32_t i = 0; i < sizeof(multipliers) / sizeof(multipliers[0]); i++)
            requantisation(multipliers[i], n);
}

/* ---- the program ------------------------------------------------------------------------------- */
int main(void)
{
    requantisations();
    for (uint32_t i = 0; i < kernel_case_count; i++) {
        const char *why = kernel_case_run(&kernel_cases[i]);
        passed += !why;
        failed += why != NULL;
        if (why)
            printf("FAIL kernels %s: %s\n     %s\n", kernel_cases[i].symbol, why, kernel_cases[i].layer);
    }
    printf("passed=%u\nfailed=%u\n", passed, failed);
    return 0;
}
