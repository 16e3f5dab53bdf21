/* The audio front-end's transforms against the sums that define them, for each type and every plan of stages. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "audio_frontend.h"
#include "op/eval.h"
#include "op_fixture.h"

enum { LONGEST = 540, ROWS = 2 };

/* Twice: one stage of each radix, two of each, and mixtures in the order of the plan. */
static const int32_t halves[] = {2,  3,  4,  5,  6,  8,  9,  10, 12, 15,  16,  18,
                                 20, 25, 27, 30, 32, 45, 60, 75, 90, 125, 256, 270};
enum { N_HALVES = sizeof(halves) / sizeof(halves[0]) };

typedef struct Type {
    const char *name;
    int32_t number; /* the schema's TensorType */
    double full;    /* the largest value */
} Type;
static const Type types[] = {{"s16", 7, 32767.0}, {"s32", 2, 2147483647.0}, {"f32", 0, 1.0}};
enum { N_TYPES = sizeof(types) / sizeof(types[0]) };

static double get(const Type *t, const void *at, int32_t i)
{
    return t->number == 7   ? ((const int16_t *)at)[i]
           : t->number == 2 ? ((const int32_t *)at)[i]
                            : (double)((const float *)at)[i];
}

static void put(const Type *t, void *at, int32_t i, double value)
{
    if (t->number == 7)
        ((int16_t *)at)[i] = (int16_t)value;
    else if (t->number == 2)
        ((int32_t *)at)[i] = (int32_t)value;
    else
        ((float *)at)[i] = (float)value;
}

/* The operator on ROWS rows, to be freed. */
static void *transform(const char *op, const Type *t, int32_t length, int32_t in_last, int32_t out_last, const void *in)
{
    char text[256];
    snprintf(text, sizeof(text),
             "tensor %%0 %s[%dx%d] \"x\"\ntensor %%1 %s[%dx%d] \"y\"\nop 0 %s (%%0) -> (%%1) {T=%d fft_length=%d}\n",
             t->name, ROWS, in_last, t->name, ROWS, out_last, op, t->number, length);
    OpCase *c = op_case_open(1, 1, text);
    void *out = op_case_run(c, &in);
    op_case_close(c);
    return out;
}

/* Each stage rounds a few times, and what it rounds is divided by the stages behind it. */
static double allowed(const Type *t)
{
    return t->number ? 6.0 : 2e-4;
}

static void forward(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int h = 0; h < N_HALVES; h++)
        for (int k = 0; k < N_TYPES; k++) {
            const Type *t = &types[k];
            const int32_t n = 2 * halves[h], given = n - (int32_t)(seed % 3u), pitch = n + 4;
            const double scale = t->number ? 1.0 / n : 1.0;
            double in[ROWS * LONGEST];
            int32_t x[ROWS * LONGEST];
            for (int32_t i = 0; i < ROWS * given; i++) {
                put(t, x, i, t->full * random_between(&seed, -999, 999) / 1000.0);
                in[i] = get(t, x, i);
            }
            void *y = transform("SIGNALRFFT", t, n, given, pitch, x);
            for (int32_t r = 0; r < ROWS; r++)
                for (int32_t bin = 0; bin <= n / 2; bin++) {
                    double re = 0, im = 0;
                    for (int32_t i = 0; i < given; i++) {
                        re += in[r * given + i] * cos(2 * M_PI * bin * i / n);
                        im -= in[r * given + i] * sin(2 * M_PI * bin * i / n);
                    }
                    assert_true(fabs(get(t, y, r * pitch + 2 * bin) - re * scale) <= allowed(t));
                    assert_true(fabs(get(t, y, r * pitch + 2 * bin + 1) - im * scale) <= allowed(t));
                }
            for (int32_t r = 0; r < ROWS; r++)
                for (int32_t i = n + 2; i < pitch; i++)
                    assert_true(get(t, y, r * pitch + i) == 0);
            free(y);
        }
}

static void inverse(void **state)
{
    (void)state;
    uint32_t seed = 2;
    for (int h = 0; h < N_HALVES; h++)
        for (int k = 0; k < N_TYPES; k++) {
            const Type *t = &types[k];
            const int32_t n = 2 * halves[h], pitch = n + 4;
            double in[ROWS * (LONGEST + 4)];
            int32_t x[ROWS * (LONGEST + 4)];
            for (int32_t i = 0; i < ROWS * pitch; i++) {
                put(t, x, i, t->full * random_between(&seed, -499, 499) / 1000.0);
                in[i] = get(t, x, i);
            }
            void *y = transform("SIGNALIRFFT", t, n, pitch, n, x);
            for (int32_t r = 0; r < ROWS; r++)
                for (int32_t i = 0; i < n; i++) {
                    const double *bins = in + r * pitch;
                    double sum = bins[0] + bins[n] * (i % 2 ? -1 : 1);
                    for (int32_t bin = 1; bin < n / 2; bin++)
                        sum += 2 * (bins[2 * bin] * cos(2 * M_PI * bin * i / n) -
                                    bins[2 * bin + 1] * sin(2 * M_PI * bin * i / n));
                    assert_true(fabs(get(t, y, r * n + i) - sum / n) <= allowed(t));
                }
            free(y);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward),
        cmocka_unit_test(inverse),
    };
    op_case_customizer = audio_frontend_customize;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
