/* What the audio front-end's channel operators refuse, and that the message says why: also what the reference does not
 * check, and then reads or writes outside of its tensors. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "audio_frontend.h"
#include "op/eval.h"
#include "op_fixture.h"

static void accepted(uint32_t n_in, uint32_t out, const char *text)
{
    OpCase *c = op_case_open(n_in, out, text);
    if (!c->resolved)
        fail_msg("%s", c->log);
    op_case_close(c);
}

/* ---- energy ----------------------------------------------------------------------------------- */
#define ENERGY(in, out, options)                                                                                       \
    "tensor %0 " in " \"x\"\ntensor %1 " out " \"y\"\nop 0 SIGNALENERGY (%0) -> (%1) {" options "}\n"

static void energy(void **state)
{
    (void)state;
    accepted(1, 1, ENERGY("s16[8]", "u32[4]", "end_index=4 start_index=0"));
    accepted(1, 1, ENERGY("s16[8]", "u32[9]", "end_index=4 start_index=4"));
    accepted(1, 1, ENERGY("s16[9]", "u32[3]", "end_index=3 start_index=1"));
    op_case_refused(1, 1, ENERGY("s16[8]", "u32[9]", "end_index=5 start_index=0"), "the spectrum has 4 bins");
    op_case_refused(1, 1, ENERGY("s16[9]", "u32[9]", "end_index=5 start_index=0"), "the spectrum has 4 bins");
    op_case_refused(1, 1, ENERGY("s16[8]", "u32[3]", "end_index=4 start_index=0"), "a range within 0 to 3");
    op_case_refused(1, 1, ENERGY("s16[8]", "u32[4]", "end_index=4 start_index=-1"),
                    "start_index is -1 and end_index 4");
    op_case_refused(1, 1, ENERGY("s16[8]", "u32[4]", "end_index=1 start_index=2"), "start_index is 2 and end_index 1");
    op_case_refused(1, 1, ENERGY("s16[8]", "u32[4]", "end_index=2147483647 start_index=0"), "end_index 2147483647");
    op_case_refused(1, 1, ENERGY("s32[8]", "u32[4]", "end_index=4 start_index=0"),
                    "the spectrum is int32; supported: int16");
    op_case_refused(1, 1, ENERGY("s16[8]", "s32[4]", "end_index=4 start_index=0"),
                    "the energy is int32; supported: uint32");
    op_case_refused(1, 1, ENERGY("s16[1x8]", "u32[4]", "end_index=4 start_index=0"), "rank 2; expected rank 1");
    op_case_refused(1, 1, ENERGY("s16[8]", "u32[]", "end_index=1 start_index=0"), "rank 0; expected rank 1");
    op_case_refused(1, 1,
                    "tensor %0 s16[8] \"x\"\ntensor %1 u32[4] \"y\"\nop 0 SIGNALENERGY (%0 %0) -> (%1) "
                    "{end_index=4 start_index=0}\n",
                    "has 2 inputs");
}

/* ---- filter bank ------------------------------------------------------------------------------ */
typedef struct Bank {
    int32_t channels;
    const char *energy, *unweights, *widths, *out; /* as the tensors' types and shapes */
    int16_t start[3], weight_start[3], width[3];   /* the tables' values */
    bool computed_widths;
} Bank;
static const Bank good_bank = {
    2, "u32[8]", "s16[6]", "s16[3]", "u64[2]", {0, 2, 5}, {0, 2, 4}, {2, 3, 2}, false,
};

static const char *hex16(char *text, const int16_t *values)
{
    char *at = text;
    for (int i = 0; i < 3; i++)
        at += sprintf(at, "%02x%02x", (unsigned)values[i] & 255u, (unsigned)values[i] >> 8 & 255u);
    return text;
}

static const char *bank_text(const Bank *b)
{
    static char text[2048];
    char starts[16], weight_starts[16], widths[16], data[32] = "";
    if (!b->computed_widths)
        sprintf(data, "data %%5 %s\n", hex16(widths, b->width));
    sprintf(
        text,
        "tensor %%0 %s \"x\"\ntensor %%1 s16[6] \"w\" const 12\ntensor %%2 %s \"u\"\ntensor %%3 s16[3] \"f\" const 6\n"
        "tensor %%4 s16[3] \"s\" const 6\ntensor %%5 %s \"d\" %s\ntensor %%6 %s \"y\"\n"
        "op 0 SIGNALFILTERBANK (%%0 %%1 %%2 %%3 %%4 %%5) -> (%%6) {num_channels=%d}\n"
        "data %%1 000000000000000000000000\ndata %%3 %s\ndata %%4 %s\n%s",
        b->energy, b->unweights, b->widths, b->computed_widths ? "variable" : "const 6", b->out, b->channels,
        hex16(starts, b->start), hex16(weight_starts, b->weight_start), data);
    return text;
}

#define BANK_REFUSED(change, why)                                                                                      \
    do {                                                                                                               \
        Bank b = good_bank;                                                                                            \
        b.change;                                                                                                      \
        op_case_refused(1, 6, bank_text(&b), why);                                                                     \
    } while (0)
#define BANK_ACCEPTED(change)                                                                                          \
    do {                                                                                                               \
        Bank b = good_bank;                                                                                            \
        b.change;                                                                                                      \
        accepted(1, 6, bank_text(&b));                                                                                 \
    } while (0)

static void filter_bank(void **state)
{
    (void)state;
    BANK_ACCEPTED(channels = 2);
    BANK_ACCEPTED(out = "u64[1]");
    BANK_ACCEPTED(start[2] = 6); /* the last bins and weights */
    BANK_REFUSED(start[2] = 7, "channel 2 has elements 7 to 8 of the energy; there are 0 to 7");
    BANK_REFUSED(start[0] = -1, "channel 0 has elements -1 to 0 of the energy");
    BANK_REFUSED(width[1] = 32767, "channel 1 has elements 2 to 32768 of the energy");
    BANK_REFUSED(weight_start[1] = 4, "channel 1 has elements 4 to 6 of the table of weights");
    BANK_REFUSED(weight_start[2] = -3, "channel 2 has elements -3 to -2 of the table of weights");
    BANK_REFUSED(unweights = "s16[5]", "channel 2 has elements 4 to 5 of the table of unweights");
    BANK_REFUSED(channels = 3, "expected num_channels + 1, num_channels being 3");
    BANK_REFUSED(channels = 1, "the table of channel widths has 3 elements");
    BANK_REFUSED(channels = 0, "num_channels is 0; accepted: 1 to 32767");
    BANK_REFUSED(channels = 2147483647, "num_channels is 2147483647");
    BANK_REFUSED(out = "u64[3]", "the output has 3 elements; accepted: up to num_channels, which is 2");
    BANK_REFUSED(out = "s64[2]", "the output is int64; supported: uint64");
    BANK_REFUSED(energy = "s32[8]", "the energy is int32; supported: uint32");
    BANK_REFUSED(energy = "u32[2x4]", "the energy has rank 2");
    BANK_REFUSED(unweights = "s8[6]", "the table of unweights is int8; supported: int16");
    BANK_REFUSED(computed_widths = true, "the table of channel widths is computed; supported: a constant");
    /* A channel of no width reads nothing, wherever it begins. */
    Bank empty = good_bank;
    empty.start[1] = empty.weight_start[1] = 32767;
    for (empty.width[1] = -1; empty.width[1] <= 0; empty.width[1]++)
        accepted(1, 6, bank_text(&empty));
    empty.width[1] = 1;
    op_case_refused(1, 6, bank_text(&empty), "channel 1 has elements 32767 to 32767");
}

/* ---- square root ------------------------------------------------------------------------------ */
#define SQUARE_ROOT(in, bits, out)                                                                                     \
    "tensor %0 " in " \"x\"\ntensor %1 " bits "\ntensor %2 " out " \"y\"\n"                                            \
    "op 0 SIGNALFILTERBANKSQUAREROOT (%0 %1) -> (%2)\n"

static void square_root(void **state)
{
    (void)state;
    accepted(2, 2, SQUARE_ROOT("u64[3]", "s32[] \"s\"", "u32[3]"));
    accepted(1, 2, SQUARE_ROOT("u64[3]", "s32[] \"s\" const 4", "u32[3]") "data %1 1f000000\n");
    op_case_refused(1, 2, SQUARE_ROOT("u64[3]", "s32[] \"s\" const 4", "u32[3]") "data %1 20000000\n",
                    "scale bits is 32; accepted: 0");
    op_case_refused(1, 2, SQUARE_ROOT("u64[3]", "s32[] \"s\" const 4", "u32[3]") "data %1 ffffffff\n",
                    "scale bits is -1");
    op_case_refused(2, 2, SQUARE_ROOT("u32[3]", "s32[] \"s\"", "u32[3]"), "the input is uint32; supported: uint64");
    op_case_refused(2, 2, SQUARE_ROOT("u64[3]", "s16[] \"s\"", "u32[3]"), "scale bits is int16; supported: int32");
    op_case_refused(2, 2, SQUARE_ROOT("u64[3]", "s32[1] \"s\"", "u32[3]"), "scale bits has rank 1; expected rank 0");
    op_case_refused(2, 2, SQUARE_ROOT("u64[3]", "s32[] \"s\"", "u64[3]"), "the output is uint64; supported: uint32");
    op_case_refused(2, 2, SQUARE_ROOT("u64[3x1]", "s32[] \"s\"", "u32[3x1]"), "the input has rank 2");
    op_case_refused(2, 2, SQUARE_ROOT("u64[3]", "s32[] \"s\"", "u32[2]"), "output 0 has shape [2]");
}

/* ---- spectral subtraction --------------------------------------------------------------------- */
#define SUBTRACTION(in, out, noise, options)                                                                           \
    "tensor %0 " in " \"x\"\ntensor %1 " out " \"y\"\ntensor %2 " noise " \"n\"\n"                                     \
    "op 0 SIGNALFILTERBANKSPECTRALSUBTRACTION (%0) -> (%1 %2) {" options "}\n"
#define FOUR "num_channels=4 smoothing_bits=10 spectral_subtraction_bits=14"

static void spectral_subtraction(void **state)
{
    (void)state;
    accepted(1, 1, SUBTRACTION("u32[4]", "u32[4]", "u32[4]", FOUR));
    accepted(1, 1, SUBTRACTION("u32[4]", "u32[4]", "u32[1]", FOUR)); /* the first estimates only */
    accepted(
        1, 1,
        SUBTRACTION("u32[4]", "u32[4]", "u32[4]", "num_channels=4 smoothing_bits=31 spectral_subtraction_bits=63"));
    op_case_refused(1, 1, SUBTRACTION("u32[5]", "u32[5]", "u32[4]", FOUR), "num_channels is 4; expected 5");
    op_case_refused(1, 1, SUBTRACTION("u32[3]", "u32[3]", "u32[3]", FOUR), "num_channels is 4; expected 3");
    op_case_refused(1, 1, SUBTRACTION("u32[4]", "u32[3]", "u32[4]", FOUR), "output 0 has shape [3]");
    op_case_refused(1, 1, SUBTRACTION("u32[4]", "u32[4]", "u32[5]", FOUR), "the noise estimate has 5 elements");
    op_case_refused(1, 1, SUBTRACTION("u32[4]", "u32[4]", "u32[4]", "num_channels=4 smoothing_bits=32"),
                    "smoothing_bits is 32; accepted: 0 to 31");
    op_case_refused(1, 1, SUBTRACTION("u32[4]", "u32[4]", "u32[4]", "num_channels=4 spectral_subtraction_bits=64"),
                    "spectral_subtraction_bits is 64; accepted: 0 to 63");
    op_case_refused(1, 1, SUBTRACTION("u32[4]", "u32[4]", "u32[4]", "num_channels=4 spectral_subtraction_bits=-1"),
                    "spectral_subtraction_bits is -1");
    op_case_refused(1, 1, SUBTRACTION("s32[4]", "u32[4]", "u32[4]", FOUR), "the signal is int32; supported: uint32");
    op_case_refused(1, 1, SUBTRACTION("u32[4]", "s32[4]", "u32[4]", FOUR), "the cleaned signal is int32");
    op_case_refused(1, 1, SUBTRACTION("u32[4]", "u32[4]", "u64[4]", FOUR), "the noise estimate is uint64");
    op_case_refused(1, 1, SUBTRACTION("u32[1x4]", "u32[4]", "u32[4]", FOUR), "the signal has rank 2");
    op_case_refused(1, 1, SUBTRACTION("u32[4]", "u32[4]", "u32[]", FOUR), "the noise estimate has rank 0");
}

/* Each node has its own estimates, which are kept from run to run and begin as zeros. */
static void spectral_subtraction_state(void **state)
{
    (void)state;
#define HALF                                                                                                           \
    "{num_channels=2 smoothing=1 one_minus_smoothing=1 alternate_smoothing=1 alternate_one_minus_smoothing=1 "         \
    "spectral_subtraction_bits=1}\n"
    OpCase *c = op_case_open(1, 4,
                             "tensor %0 u32[2] \"x\"\ntensor %1 u32[2] \"y\"\ntensor %2 u32[2] \"n\"\n"
                             "tensor %3 u32[2] \"z\"\ntensor %4 u32[2] \"m\"\n"
                             "op 0 SIGNALFILTERBANKSPECTRALSUBTRACTION (%0) -> (%1 %2) " HALF
                             "op 1 SIGNALFILTERBANKSPECTRALSUBTRACTION (%1) -> (%3 %4) " HALF);
#undef HALF
    if (!c->resolved)
        fail_msg("%s", c->log);
    Evaluation *e = evaluation_new(c->arena, c->model->main);
    assert_non_null(e);
    static const uint32_t in[2] = {64, 128};
    static const uint32_t estimates[3][2] = {
        {16, 32}, {16, 32}, {12, 24}}; /* of the 32, 16 and 8 that the first leaves */
    for (int step = 0; step < 3; step++) {
        memcpy(evaluation_input(e, 0), in, sizeof(in));
        assert_true(evaluation_run(e));
        assert_memory_equal(evaluation_output(e, 0), estimates[step], sizeof(estimates[step]));
    }
    op_case_close(c);
}

/* ---- gain control ----------------------------------------------------------------------------- */
#define PCAN(in, noise, table, out, shift)                                                                             \
    "tensor %0 " in " \"x\"\ntensor %1 " noise " \"n\"\ntensor %2 " table " \"t\"\ntensor %3 " out " \"y\"\n"          \
    "op 0 SIGNALPCAN (%0 %1 %2) -> (%3) {snr_shift=" shift "}\n"

static void pcan(void **state)
{
    (void)state;
    accepted(3, 3, PCAN("u32[4]", "u32[4]", "s16[125]", "u32[4]", "0"));
    accepted(3, 3, PCAN("u32[4]", "u32[4]", "s16[125]", "u32[4]", "63"));
    op_case_refused(3, 3, PCAN("u32[4]", "u32[4]", "s16[125]", "u32[4]", "64"), "snr_shift is 64; accepted: 0 to 63");
    op_case_refused(3, 3, PCAN("u32[4]", "u32[4]", "s16[125]", "u32[4]", "-1"), "snr_shift is -1");
    op_case_refused(3, 3, PCAN("u32[4]", "u32[3]", "s16[125]", "u32[4]", "6"), "the noise estimate has 3 elements");
    op_case_refused(3, 3, PCAN("u32[4]", "u32[4]", "s16[124]", "u32[4]", "6"), "the table of gains has 124 elements");
    op_case_refused(3, 3, PCAN("u32[4]", "u32[4]", "s16[125]", "u32[3]", "6"), "output 0 has shape [3]");
    op_case_refused(3, 3, PCAN("s32[4]", "u32[4]", "s16[125]", "u32[4]", "6"), "the signal is int32");
    op_case_refused(3, 3, PCAN("u32[4]", "s32[4]", "s16[125]", "u32[4]", "6"), "the noise estimate is int32");
    op_case_refused(3, 3, PCAN("u32[4]", "u32[4]", "u16[125]", "u32[4]", "6"), "the table of gains is uint16");
    op_case_refused(3, 3, PCAN("u32[4]", "u32[4]", "s16[125]", "s16[4]", "6"), "the output is int16");
    op_case_refused(3, 3, PCAN("u32[4]", "u32[4]", "s16[1x125]", "u32[4]", "6"), "the table of gains has rank 2");
}

/* ---- logarithm -------------------------------------------------------------------------------- */
#define LOG(in, out, bits)                                                                                             \
    "tensor %0 " in " \"x\"\ntensor %1 " out " \"y\"\n"                                                                \
    "op 0 SIGNALFILTERBANKLOG (%0) -> (%1) {input_correction_bits=" bits " output_scale=1600}\n"

static void logarithm(void **state)
{
    (void)state;
    accepted(1, 1, LOG("u32[4]", "s16[4]", "31"));
    op_case_refused(1, 1, LOG("u32[4]", "s16[4]", "32"), "input_correction_bits is 32; accepted: 0 to 31");
    op_case_refused(1, 1, LOG("u32[4]", "s16[4]", "-1"), "input_correction_bits is -1");
    op_case_refused(1, 1, LOG("u64[4]", "s16[4]", "3"), "the input is uint64; supported: uint32");
    op_case_refused(1, 1, LOG("u32[4]", "u16[4]", "3"), "the output is uint16; supported: int16");
    op_case_refused(1, 1, LOG("u32[4]", "s16[5]", "3"), "output 0 has shape [5]");
    op_case_refused(1, 1, LOG("u32[2x2]", "s16[2x2]", "3"), "the input has rank 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy),
        cmocka_unit_test(filter_bank),
        cmocka_unit_test(square_root),
        cmocka_unit_test(spectral_subtraction),
        cmocka_unit_test(spectral_subtraction_state),
        cmocka_unit_test(pcan),
        cmocka_unit_test(logarithm),
    };
    op_case_customizer = audio_frontend_customize;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
