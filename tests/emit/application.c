/* An application of the sample module of tests/unit/emit_module.c: calls everything in its interface.
 * TABLE: the module has callbacks. BIND: the application owns the arenas. The exit status is the failing line. */
#include "aot_model.h"

#include <string.h>

#define CHECK(x)                                                                                                       \
    do {                                                                                                               \
        if (!(x))                                                                                                      \
            return __LINE__;                                                                                           \
    } while (0)

static aot_model_context_t ctx;

#ifdef BIND
static AOT_ALIGNED(16) uint8_t scratch[AOT_REGION_SCRATCH_DTCM_SIZE + 1], persistent[AOT_REGION_PERSISTENT_DTCM_SIZE];

static int bind_arenas(void)
{
    aot_arena_binding_t both[2];
    both[0].region = AOT_REGION_SCRATCH_DTCM;
    both[0].buffer = scratch;
    both[0].size = sizeof(scratch);
    both[1].region = AOT_REGION_CONSTANT_MRAM;
    both[1].buffer = persistent;
    both[1].size = sizeof(persistent);
    CHECK(aot_model_init(&ctx) == AOT_STATUS_ARENA_NOT_BOUND);
    CHECK(aot_bind_arenas(both, 2) == AOT_STATUS_BAD_REGION);
    CHECK(aot_model_init(&ctx) == AOT_STATUS_ARENA_NOT_BOUND);
    CHECK(aot_bind_arena(AOT_NUM_REGIONS, scratch, 4096) == AOT_STATUS_BAD_REGION);
    CHECK(aot_bind_arena(AOT_REGION_SCRATCH_DTCM, NULL, 4096) == AOT_STATUS_ARENA_NOT_BOUND);
    CHECK(aot_bind_arena(AOT_REGION_SCRATCH_DTCM, scratch, AOT_REGION_SCRATCH_DTCM_SIZE - 1) ==
          AOT_STATUS_ARENA_TOO_SMALL);
    CHECK(aot_bind_arena(AOT_REGION_SCRATCH_DTCM, scratch + 1, AOT_REGION_SCRATCH_DTCM_SIZE) ==
          AOT_STATUS_ARENA_MISALIGNED);
    both[1].region = AOT_REGION_PERSISTENT_DTCM;
    CHECK(aot_bind_arenas(both, 2) == AOT_STATUS_OK);
    return 0;
}
#else
static int bind_arenas(void)
{
    int8_t some[1];
    CHECK(aot_bind_arena(AOT_REGION_SCRATCH_DTCM, some, 4096) == AOT_STATUS_BAD_REGION);
    CHECK(aot_bind_arenas(NULL, 0) == AOT_STATUS_OK);
    return 0;
}
#endif

static int views(void)
{
    static const int32_t shape[] = AOT_OUTPUT_scores_SHAPE;
    const aot_tensor_view_t *in = &ctx.inputs[AOT_INPUT_audio], *out = &ctx.outputs[AOT_OUTPUT_scores];
    CHECK(AOT_NUM_INPUTS == 1 && AOT_NUM_OUTPUTS == 1 && AOT_NUM_OPERATORS == 2 && AOT_NUM_REGIONS == 3);
    CHECK(strcmp(in->name, "audio") == 0 && strcmp(out->name, "scores") == 0);
    CHECK(in->data == ctx.tensor_ptrs[aot_serving_audio_0] && out->data == ctx.tensor_ptrs[aot_out]);
    CHECK(in->nbytes == 4 && in->dtype == AOT_DTYPE_INT8 && in->rank == 2 && in->shape[1] == 4);
    CHECK(in->scale == AOT_INPUT_audio_SCALE && in->zero_point == AOT_INPUT_audio_ZERO_POINT && in->zero_point == -3);
    CHECK(in->channel_scales == NULL && in->num_channels == 0 && AOT_INPUT_audio_COUNT == 4 &&
          AOT_INPUT_audio_RANK == 2);
    CHECK(shape[0] == 2 && shape[1] == 2 && out->shape[0] == 2);
    CHECK(((uintptr_t)ctx.arena_buffers[AOT_REGION_SCRATCH_DTCM] & (AOT_REGION_SCRATCH_DTCM_ALIGN - 1u)) == 0u);
    CHECK(AOT_PLAN_HASH == 0x1234abcdu && AOT_ARENA_DTCM_BYTES == 80 && AOT_WEIGHTS_BYTES == 16);
    return 0;
}

static int run_once(int8_t start, int8_t expected)
{
    int8_t *in = (int8_t *)ctx.inputs[0].data;
    const int8_t *out = (const int8_t *)ctx.outputs[0].data;
    int8_t i;
    for (i = 0; i < 4; i++)
        in[i] = (int8_t)(start + i);
    CHECK(aot_model_run(&ctx) == AOT_STATUS_OK);
    for (i = 0; i < 4; i++)
        CHECK(out[i] == expected + i);
    return 0;
}

/* The state begins at its zero point, 5, and is counted up by every run; the model adds 1 and the state. */
static int state(void)
{
    uint8_t saved[AOT_STATE_SIZE];
    CHECK(AOT_STATE_SIZE == 8u);
    CHECK(run_once(10, 16) == 0 && run_once(10, 17) == 0);
    CHECK(aot_state_save(&ctx, saved, sizeof(saved) - 1) == AOT_STATUS_STATE_MISMATCH);
    CHECK(aot_state_save(&ctx, saved, sizeof(saved)) == AOT_STATUS_OK);
    CHECK(run_once(10, 18) == 0);
    CHECK(aot_state_restore(&ctx, saved, sizeof(saved)) == AOT_STATUS_OK && run_once(10, 18) == 0);
    CHECK(aot_state_restore(&ctx, saved, sizeof(saved) - 1) == AOT_STATUS_STATE_MISMATCH);
    saved[0] ^= 1u;
    CHECK(aot_state_restore(&ctx, saved, sizeof(saved)) == AOT_STATUS_STATE_MISMATCH && run_once(10, 19) == 0);
    CHECK(aot_state_reset(&ctx) == AOT_STATUS_OK && run_once(10, 16) == 0);
    CHECK(aot_state_reset_variable(&ctx, aot_sum) == AOT_STATUS_OK && run_once(10, 16) == 0);
    CHECK(aot_state_reset_variable(&ctx, aot_out) == AOT_STATUS_BAD_REGION);
    CHECK(aot_model_init(&ctx) == AOT_STATUS_OK && run_once(10, 16) == 0);
    return 0;
}

static int steps(void)
{
    uint32_t done = 7;
    memset(ctx.inputs[0].data, 20, 4);
    CHECK(aot_state_reset(&ctx) == AOT_STATUS_OK);
    CHECK(aot_model_run_steps(&ctx, 0, &done) == AOT_STATUS_OK && done == 0 && ctx.next_op == 0);
    CHECK(aot_model_run_steps(&ctx, 1, &done) == AOT_STATUS_OK && done == 0 && ctx.next_op == 1);
    CHECK(aot_model_run_steps(&ctx, 1, &done) == AOT_STATUS_OK && done == 1 && ctx.next_op == 0);
    CHECK(*(int8_t *)ctx.outputs[0].data == 26);
    CHECK(aot_model_run_steps(&ctx, 1, &done) == AOT_STATUS_OK && done == 0);
    CHECK(aot_model_run(&ctx) == AOT_STATUS_OK && ctx.next_op == 0);
    CHECK(aot_model_run_steps(&ctx, 100, NULL) == AOT_STATUS_OK && ctx.next_op == 0);
    memset(ctx.inputs[0].data, 99, 4);
    CHECK(aot_model_run(&ctx) == 42);
    CHECK(aot_model_run_steps(&ctx, 1, &done) == AOT_STATUS_OK && ctx.next_op == 1);
    CHECK(aot_model_run_steps(&ctx, 1, &done) == 42 && done == 0 && ctx.next_op == 0);
    return 0;
}

#ifdef TABLE
static uint32_t calls[8], n_calls;

static int32_t on_operator(aot_model_context_t *c, uint32_t op, uint32_t phase, void *user)
{
    if (c != &ctx || n_calls == 8)
        return 1000;
    calls[n_calls++] = op * 2u + phase;
    return n_calls == *(const uint32_t *)user ? 77 : 0;
}

static int callbacks(void)
{
    uint32_t stop = 99;
    memset(ctx.inputs[0].data, 0, 4);
    ctx.callback = on_operator;
    ctx.callback_user = &stop;
    CHECK(aot_model_run(&ctx) == AOT_STATUS_OK);
    CHECK(n_calls == 4 && calls[0] == 0 && calls[1] == 1 && calls[2] == 2 && calls[3] == 3);
    n_calls = 0;
    stop = 2;
    CHECK(aot_model_run(&ctx) == 77 && n_calls == 2);
    ctx.callback = NULL;
    CHECK(aot_model_run(&ctx) == AOT_STATUS_OK);
    return 0;
}
#else
static int callbacks(void)
{
    return 0;
}
#endif

static int quantisation(void)
{
    CHECK(aot_quantize_input_audio(0.0f) == -3 && aot_quantize_input_audio(0.25f) == -2);
    CHECK(aot_quantize_input_audio(-0.25f) == -4 && aot_quantize_input_audio(0.2499f) == -3);
    CHECK(aot_quantize_input_audio(0.24999999f) == -3);
    CHECK(aot_quantize_input_audio(1e30f) == 127 && aot_quantize_input_audio(-1e30f) == -128);
    CHECK(aot_quantize_input_audio(65.0f) == 127 && aot_quantize_input_audio(-62.5f) == -128);
    CHECK(aot_dequantize_output_scores(4) == 0.0f && aot_dequantize_output_scores(-128) == -33.0f);
    return 0;
}

int main(void)
{
    int line;
    uint32_t done;
    CHECK(aot_model_init(NULL) == AOT_STATUS_NULL_CONTEXT && aot_model_run(NULL) == AOT_STATUS_NULL_CONTEXT);
    CHECK(aot_model_run(&ctx) == AOT_STATUS_NOT_INITIALIZED && aot_state_reset(&ctx) == AOT_STATUS_NOT_INITIALIZED);
    CHECK(aot_model_run_steps(&ctx, 1, &done) == AOT_STATUS_NOT_INITIALIZED && done == 0);
    CHECK(aot_bind_blob(AOT_REGION_CONSTANT_MRAM, &done, 4) == AOT_STATUS_BAD_REGION);
    CHECK(aot_hydrate_constants(NULL) == AOT_STATUS_NULL_CONTEXT);
    if ((line = bind_arenas()) != 0)
        return line;
    CHECK(aot_model_init(&ctx) == AOT_STATUS_OK);
    if ((line = views()) != 0 || (line = state()) != 0 || (line = steps()) != 0 || (line = callbacks()) != 0)
        return line;
    return quantisation();
}
