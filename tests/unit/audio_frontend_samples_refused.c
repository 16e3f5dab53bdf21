/* What the audio front-end's operators on samples refuse, and that the message says why: also what the reference does not
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

/* One input and one output; one input, an output and a second, rank 0, of that type. */
#define ONE(op, in, out, options)                                                                                      \
    "tensor %0 " in " \"x\"\ntensor %1 " out " \"y\"\nop 0 " op " (%0) -> (%1) {" options "}\n"
#define TWO(op, in, out, second, options)                                                                              \
    "tensor %0 " in " \"x\"\ntensor %1 " out " \"y\"\ntensor %2 " second " \"z\"\nop 0 " op                            \
    " (%0) -> (%1 %2) {" options "}\n"

/* ---- window and scaling ----------------------------------------------------------------------- */
#define WINDOW(in, weights, out, shift)                                                                                \
    "tensor %0 " in " \"x\"\ntensor %1 " weights " \"w\"\ntensor %2 " out                                              \
    " \"y\"\nop 0 SIGNALWINDOW (%0 %1) -> (%2) {shift=" shift "}\n"

static void window(void **state)
{
    (void)state;
    accepted(2, 2, WINDOW("s16[2x3x4]", "s16[4]", "s16[2x3x4]", "0"));
    accepted(2, 2, WINDOW("s16[8]", "s16[4]", "s16[8]", "31"));
    op_case_refused(2, 2, WINDOW("s16[8]", "s16[4]", "s16[8]", "32"), "shift is 32; accepted: 0 to 31");
    op_case_refused(2, 2, WINDOW("s16[8]", "s16[4]", "s16[8]", "-1"), "shift is -1; accepted: 0 to 31");
    op_case_refused(2, 2, WINDOW("s16[9]", "s16[4]", "s16[9]", "12"), "a multiple of the window's length");
    op_case_refused(2, 2, WINDOW("s16[8]", "s16[1x4]", "s16[8]", "12"), "the window has rank 2; expected rank 1");
    op_case_refused(2, 2, WINDOW("s16[]", "s16[1]", "s16[]", "12"), "the audio has rank 0; expected rank 1 to 8");
    op_case_refused(2, 2, WINDOW("s16[8]", "s16[8]", "s16[1x8]", "12"), "output 0 has shape [1x8]");
    op_case_refused(2, 2, WINDOW("f32[8]", "s16[8]", "s16[8]", "12"), "the audio is float32; supported: int16");
    op_case_refused(2, 2, WINDOW("s16[8]", "s32[8]", "s16[8]", "12"), "the window is int32; supported: int16");
    op_case_refused(2, 2, WINDOW("s16[8]", "s16[8]", "s32[8]", "12"), "the output is int32; supported: int16");
    op_case_refused(1, 1, ONE("SIGNALWINDOW", "s16[8]", "s16[8]", "shift=12"), "has 1 inputs");
}

static void fft_auto_scale(void **state)
{
    (void)state;
    accepted(1, 1, TWO("SIGNALFFTAUTOSCALE", "s16[8]", "s16[8]", "s32[]", ""));
    op_case_refused(1, 1, TWO("SIGNALFFTAUTOSCALE", "s16[2x4]", "s16[2x4]", "s32[]", ""), "rank 2; expected rank 1");
    op_case_refused(1, 1, TWO("SIGNALFFTAUTOSCALE", "s16[8]", "s16[9]", "s32[]", ""), "output 0 has shape [9]");
    op_case_refused(1, 1, TWO("SIGNALFFTAUTOSCALE", "s16[8]", "s16[8]", "s32[1]", ""),
                    "the scale has rank 1; expected rank 0");
    op_case_refused(1, 1, TWO("SIGNALFFTAUTOSCALE", "s16[8]", "s16[8]", "s16[]", ""), "the scale is int16");
    op_case_refused(1, 1, TWO("SIGNALFFTAUTOSCALE", "s32[8]", "s16[8]", "s32[]", ""), "the input is int32");
    op_case_refused(1, 1, ONE("SIGNALFFTAUTOSCALE", "s16[8]", "s16[8]", ""), "has 1 outputs");
}

/* ---- transforms ------------------------------------------------------------------------------- */
#define RFFT(in, out, options) ONE("SIGNALRFFT", in, out, options)
#define IRFFT(in, out, options) ONE("SIGNALIRFFT", in, out, options)

static void fft_length(void **state)
{
    (void)state;
    static const char *const wrong[] = {"-8", "0",  "1",    "2",           "7",          "15",
                                        "14", "22", "1022", "-2147483648", "2147483646", "2097152"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        char text[256] =
            "tensor %0 s16[2] \"x\"\ntensor %1 s16[8] \"y\"\nop 0 SIGNALRFFT (%0) -> (%1) {T=7 fft_length=";
        char why[64];
        strcat(strcat(text, wrong[i]), "}\n");
        snprintf(why, sizeof(why), "fft_length is %s; accepted: 4 to 1048576", wrong[i]);
        op_case_refused(1, 1, text, why);
    }
    accepted(1, 1, RFFT("s16[4]", "s16[6]", "T=7 fft_length=4"));
    accepted(1, 1, RFFT("s16[4]", "s16[8]", "T=7 fft_length=6"));
    accepted(1, 1, RFFT("s16[480]", "s16[1922]", "T=7 fft_length=1920"));
}

static void rfft(void **state)
{
    (void)state;
    accepted(1, 1, RFFT("s16[2x3x5]", "s16[2x3x10]", "T=7 fft_length=8"));
    accepted(1, 1, RFFT("s32[8]", "s32[16]", "T=2 fft_length=8"));
    accepted(1, 1, RFFT("f32[8]", "f32[10]", "T=0 fft_length=8"));
    op_case_refused(1, 1, RFFT("s16[9]", "s16[10]", "T=7 fft_length=8"), "rows have 9 values; accepted: up to");
    op_case_refused(1, 1, RFFT("s16[8]", "s16[9]", "T=7 fft_length=8"), "output 0 has shape [9]");
    op_case_refused(1, 1, RFFT("s16[2x8]", "s16[3x10]", "T=7 fft_length=8"), "output 0 has shape [3x10]");
    op_case_refused(1, 1, RFFT("s16[1x8]", "s16[10]", "T=7 fft_length=8"), "output 0 has shape [10]");
    op_case_refused(1, 1, RFFT("s16[]", "s16[10]", "T=7 fft_length=8"), "the input has rank 0");
    op_case_refused(1, 1, RFFT("s16[8]", "s16[10]", "T=0 fft_length=8"), "T is 0, but the input is int16, which is 7");
    op_case_refused(1, 1, RFFT("f32[8]", "f32[10]", "T=7 fft_length=8"), "T is 7, but the input is float32");
    op_case_refused(1, 1, RFFT("f32[8]", "f32[10]", "T=1 fft_length=8"), "T is 1, but the input is float32");
    op_case_refused(1, 1, RFFT("s16[8]", "s32[10]", "T=7 fft_length=8"), "the input is int16 and the output int32");
    op_case_refused(1, 1, RFFT("s8[8]", "s8[10]", "T=9 fft_length=8"),
                    "the input is int8; supported: float32 or int32");
}

static void irfft(void **state)
{
    (void)state;
    accepted(1, 1, IRFFT("s16[2x10]", "s16[2x8]", "T=7 fft_length=8"));
    accepted(1, 1, IRFFT("s32[12]", "s32[9]", "T=2 fft_length=8"));
    accepted(1, 1, IRFFT("f32[10]", "f32[8]", "T=0 fft_length=8"));
    op_case_refused(1, 1, IRFFT("s16[9]", "s16[8]", "T=7 fft_length=8"),
                    "rows have 9 values; accepted: fft_length + 2");
    op_case_refused(1, 1, IRFFT("s16[10]", "s16[7]", "T=7 fft_length=8"), "output 0 has shape [7]");
    op_case_refused(1, 1, IRFFT("s16[10]", "s16[1x8]", "T=7 fft_length=8"), "output 0 has shape [1x8]");
    op_case_refused(1, 1, IRFFT("s16[10]", "s16[8]", "T=2 fft_length=8"), "T is 2, but the input is int16");
    op_case_refused(1, 1, IRFFT("s16[10]", "f32[8]", "T=7 fft_length=8"), "the input is int16 and the output float32");
    op_case_refused(1, 1, IRFFT("s16[6]", "s16[4]", "T=7 fft_length=2"), "fft_length is 2");
}

/* ---- streams ---------------------------------------------------------------------------------- */
static void delay(void **state)
{
    (void)state;
    accepted(1, 1, ONE("SIGNALDELAY", "s16[2x3]", "s16[2x3]", "delay_length=0"));
    accepted(1, 1, ONE("SIGNALDELAY", "s16[3]", "s16[3]", "delay_length=100"));
    op_case_refused(1, 1, ONE("SIGNALDELAY", "s16[3]", "s16[3]", "delay_length=-1"),
                    "delay_length is -1; accepted: 0 to");
    op_case_refused(1, 1, ONE("SIGNALDELAY", "s16[3]", "s16[3]", "delay_length=2147483647"),
                    "delay_length is 2147483647");
    op_case_refused(1, 1, ONE("SIGNALDELAY", "s16[3]", "s16[1x3]", "delay_length=1"), "output 0 has shape [1x3]");
    op_case_refused(1, 1, ONE("SIGNALDELAY", "s16[]", "s16[]", "delay_length=1"), "the input has rank 0");
    op_case_refused(1, 1, ONE("SIGNALDELAY", "f32[3]", "f32[3]", "delay_length=1"), "the input is float32");
}

#define STACKER(in, out, valid, channels, left, right, step)                                                           \
    TWO("SIGNALSTACKER", in, out, valid,                                                                               \
        "num_channels=" channels " stacker_left_context=" left " stacker_right_context=" right " stacker_step=" step)

static void stacker(void **state)
{
    (void)state;
    accepted(1, 1, STACKER("s16[3]", "s16[9]", "bool[]", "3", "1", "1", "3"));
    accepted(1, 1, STACKER("s16[4]", "s16[9]", "bool[]", "3", "1", "1", "1"));
    op_case_refused(1, 1, STACKER("s16[3]", "s16[9]", "bool[]", "3", "1", "1", "0"),
                    "stacker_step is 0; accepted: 1 to 3");
    op_case_refused(1, 1, STACKER("s16[3]", "s16[9]", "bool[]", "3", "1", "1", "4"),
                    "stacker_step is 4; accepted: 1 to 3");
    op_case_refused(1, 1, STACKER("s16[3]", "s16[9]", "bool[]", "3", "-1", "3", "1"), "stacker_left_context is -1");
    op_case_refused(1, 1, STACKER("s16[3]", "s16[9]", "bool[]", "3", "1", "-1", "1"), "stacker_right_context is -1");
    op_case_refused(1, 1, STACKER("s16[3]", "s16[9]", "bool[]", "3", "2147483647", "0", "1"),
                    "stacker_left_context is");
    op_case_refused(1, 1, STACKER("s16[3]", "s16[9]", "bool[]", "0", "1", "1", "1"), "num_channels is 0");
    op_case_refused(1, 1, STACKER("s16[3]", "s16[9]", "bool[]", "2147483647", "1", "1", "1"),
                    "num_channels is 2147483647");
    op_case_refused(1, 1, STACKER("s16[2]", "s16[9]", "bool[]", "3", "1", "1", "1"), "expected at least 3 elements");
    op_case_refused(1, 1, STACKER("s16[3]", "s16[8]", "bool[]", "3", "1", "1", "1"), "output 0 has shape [8]");
    op_case_refused(1, 1, STACKER("s16[1x3]", "s16[9]", "bool[]", "3", "1", "1", "1"), "the input has rank 2");
    op_case_refused(1, 1, STACKER("s16[3]", "s16[9]", "bool[1]", "3", "1", "1", "1"), "the valid flag has rank 1");
    op_case_refused(1, 1, STACKER("s16[3]", "s16[9]", "s32[]", "3", "1", "1", "1"), "the valid flag is int32");
    op_case_refused(1, 1, STACKER("s16[3]", "s32[9]", "bool[]", "3", "1", "1", "1"), "the output is int32");
}

#define FRAMER(in, out, valid, size, step, prefill)                                                                    \
    TWO("SIGNALFRAMER", in, out, valid, "frame_size=" size " frame_step=" step " prefill=" prefill)

static void framer(void **state)
{
    (void)state;
    accepted(1, 1, FRAMER("s16[2x8]", "s16[2x2x6]", "bool[]", "6", "4", "true"));
    accepted(1, 1, FRAMER("s16[10]", "s16[2x3]", "bool[]", "3", "5", "false"));
    op_case_refused(1, 1, FRAMER("s16[10]", "s16[2x3]", "bool[]", "3", "5", "true"), "accepted with prefill");
    op_case_refused(1, 1, FRAMER("s16[10]", "s16[2x6]", "bool[]", "6", "4", "true"),
                    "a multiple of frame_step, which is 4");
    op_case_refused(1, 1, FRAMER("s16[3]", "s16[1x6]", "bool[]", "6", "4", "true"), "rows have 3 samples");
    op_case_refused(1, 1, FRAMER("s16[8]", "s16[2x6]", "bool[]", "6", "0", "true"), "frame_step is 0");
    op_case_refused(1, 1, FRAMER("s16[8]", "s16[2x6]", "bool[]", "0", "4", "false"), "frame_size is 0");
    op_case_refused(1, 1, FRAMER("s16[8]", "s16[2x6]", "bool[]", "2147483647", "4", "false"),
                    "frame_size is 2147483647");
    op_case_refused(1, 1, FRAMER("s16[2x4]", "s16[2x1x1]", "bool[]", "1073741823", "4", "true"),
                    "too large for 2 rows");
    op_case_refused(1, 1, FRAMER("s16[8]", "s16[12]", "bool[]", "6", "4", "true"),
                    "the output has rank 1; expected rank 2");
    op_case_refused(1, 1, FRAMER("s16[2x8]", "s16[4x6]", "bool[]", "6", "4", "true"), "output 0 has shape [4x6]");
    op_case_refused(1, 1, FRAMER("s16[8]", "s16[2x6]", "bool[1]", "6", "4", "true"), "the valid flag has rank 1");
    op_case_refused(1, 1, FRAMER("s16[8]", "s16[2x6]", "s8[]", "6", "4", "true"), "the valid flag is int8");
    op_case_refused(1, 1, FRAMER("s32[8]", "s16[2x6]", "bool[]", "6", "4", "true"), "the input is int32");
}

static void overlap_add(void **state)
{
    (void)state;
    accepted(1, 1, ONE("SIGNALOVERLAPADD", "s16[2x3x4]", "s16[2x6]", "T=7 frame_step=2"));
    accepted(1, 1, ONE("SIGNALOVERLAPADD", "f32[3x4]", "f32[12]", "T=0 frame_step=4"));
    op_case_refused(1, 1, ONE("SIGNALOVERLAPADD", "s16[3x4]", "s16[15]", "T=7 frame_step=5"),
                    "frame_step is 5; accepted: 1 to 4");
    op_case_refused(1, 1, ONE("SIGNALOVERLAPADD", "s16[3x4]", "s16[3]", "T=7 frame_step=0"),
                    "frame_step is 0; accepted: 1 to 4");
    op_case_refused(1, 1, ONE("SIGNALOVERLAPADD", "s16[3x4]", "s16[5]", "T=7 frame_step=2"), "output 0 has shape [5]");
    op_case_refused(1, 1, ONE("SIGNALOVERLAPADD", "s16[3x4]", "s16[1x6]", "T=7 frame_step=2"),
                    "output 0 has shape [1x6]");
    op_case_refused(1, 1, ONE("SIGNALOVERLAPADD", "s16[12]", "s16[6]", "T=7 frame_step=2"), "the input has rank 1");
    op_case_refused(1, 1, ONE("SIGNALOVERLAPADD", "s32[3x4]", "s32[6]", "T=2 frame_step=2"),
                    "the input is int32; supported: float32 or int16");
    op_case_refused(1, 1, ONE("SIGNALOVERLAPADD", "s16[3x4]", "s16[6]", "T=0 frame_step=2"),
                    "T is 0, but the input is int16");
    op_case_refused(1, 1, ONE("SIGNALOVERLAPADD", "s16[3x4]", "f32[6]", "T=7 frame_step=2"),
                    "the input is int16 and the output float32");
}

/* ---- shapes ----------------------------------------------------------------------------------- */
static void no_elements(void **state)
{
    (void)state;
    op_case_refused(1, 1, ONE("SIGNALDELAY", "s16[2x0]", "s16[2x0]", "delay_length=1"), "expected one with elements");
}

/* Leaves the shape of "y" open. */
static const char *opened(char *to, const char *text)
{
    const char *behind = strstr(text, "\"y\"") + 3;
    sprintf(to, "%.*s open%s", (int)(behind - text), text, behind);
    return to;
}

/* An output whose shape the model leaves open gets it from inputs and options. */
static void open_outputs(void **state)
{
    (void)state;
    static const struct {
        uint32_t n_in;
        const char *text, *shape;
    } cases[] = {
        {2, WINDOW("s16[2x4]", "s16[4]", "s16[]", "1"), "[2x4]"},
        {1, RFFT("s16[2x5]", "s16[]", "T=7 fft_length=8"), "[2x10]"},
        {1, IRFFT("s16[2x10]", "s16[]", "T=7 fft_length=8"), "[2x8]"},
        {1, ONE("SIGNALDELAY", "s16[2x3]", "s16[]", "delay_length=1"), "[2x3]"},
        {1, STACKER("s16[3]", "s16[]", "bool[]", "3", "1", "1", "3"), "[9]"},
        {1, FRAMER("s16[2x8]", "s16[]", "bool[]", "6", "4", "true"), "[2x2x6]"},
        {1, ONE("SIGNALOVERLAPADD", "s16[2x3x4]", "s16[]", "T=7 frame_step=2"), "[2x6]"},
    };
    char text[512];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        OpCase *c = op_case_open(cases[i].n_in, cases[i].n_in, opened(text, cases[i].text));
        if (!c->resolved)
            fail_msg("%s", c->log);
        assert_string_equal(air_shape_text(c->arena, c->node->out[0]), cases[i].shape);
        op_case_close(c);
    }
    op_case_refused(1, 1, opened(text, FRAMER("s16[8]", "s16[]", "bool[]", "1073741823", "2", "true")),
                    "would be too large");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(window),      cmocka_unit_test(fft_auto_scale), cmocka_unit_test(fft_length),
        cmocka_unit_test(rfft),        cmocka_unit_test(irfft),          cmocka_unit_test(delay),
        cmocka_unit_test(stacker),     cmocka_unit_test(framer),         cmocka_unit_test(overlap_add),
        cmocka_unit_test(no_elements), cmocka_unit_test(open_outputs),
    };
    op_case_customizer = audio_frontend_customize;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
