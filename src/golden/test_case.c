/* What the generated test feeds and expects. */
#include "golden/test_case.h"

#include <stdlib.h>
#include <string.h>

#include "golden/differ.h"
#include "golden/feed.h"
#include "golden/litert.h"
#include "op/eval.h"

/* Made-up inputs come round again, so that many iterations do not fill the flash. */
enum { DISTINCT_INPUTS = 4 };
/* Of inputs and expected outputs together. */
static const size_t max_bytes = (size_t)1 << 28;

typedef struct Make {
    HeliaArena *arena;
    HeliaDiag *diag;
    const Config *config;
    const AirGraph *graph;
    TestCase *t;
    uint32_t n_in, n_out;
    Feed feed; /* with golden data */
    Evaluation *evaluation;
    LitertRuntime *litert; /* NULL: evaluation */
} Make;

bool test_case_needs_reference(const Config *config)
{
    return config->test.enabled && !config->test.skip_verification && !config->test.golden_data &&
           config->test.reference == REFERENCE_BUILTIN;
}

/* ---- feedback --------------------------------------------------------------------------------- */
/* An index or a name; UINT32_MAX: neither. */
static uint32_t find_port(const char *text, const char *const *names, AirTensor *const *tensors, uint32_t n)
{
    const size_t digits = strspn(text, "0123456789");
    if (digits && digits < 7 && !text[digits] && strtoul(text, NULL, 10) < n)
        return (uint32_t)strtoul(text, NULL, 10);
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(text, names[i]) == 0 || strcmp(text, tensors[i]->name) == 0)
            return i;
    return UINT32_MAX;
}

static const char *port_list(HeliaArena *arena, const char *const *names, uint32_t n)
{
    const char *text = n ? "" : "none";
    for (uint32_t i = 0; i < n; i++)
        text = helia_format(arena, "%s%s%u \"%s\"", text, i ? ", " : "", i, helia_printable(arena, names[i]));
    return text;
}

static bool check_pair(const Make *m, const ConfigFeedback *c, uint32_t output, uint32_t input)
{
    const AirTensor *from = m->graph->outputs.at[output], *to = m->graph->inputs.at[input];
    if (m->t->fed_back[input])
        return helia_error(m->diag, c->at, "test.state_feedback: input %u gets two outputs", input);
    if (from->type != to->type || air_bytes(from) != air_bytes(to))
        return helia_error(m->diag, c->at, "test.state_feedback: output %u is %s %s; input %u takes %s %s", output,
                           air_type_doc(from->type), air_shape_text(m->arena, from), input, air_type_doc(to->type),
                           air_shape_text(m->arena, to));
    if (!air_same_quant(from, to))
        helia_warn(m->diag, c->at, "test.state_feedback: output %u and input %u differ in scale or zero point", output,
                   input);
    return true;
}

static bool read_feedback(Make *m)
{
    bool ok = true;
    const ConfigFeedbacks *pairs = &m->config->test.state_feedback;
    m->t->fed_back = HELIA_NEW_N(m->arena, bool, m->n_in);
    for (uint32_t i = 0; i < pairs->len; i++) {
        const ConfigFeedback *c = &pairs->at[i];
        const uint32_t output = find_port(c->output, m->graph->output_names, m->graph->outputs.at, m->n_out);
        const uint32_t input = find_port(c->input, m->graph->input_names, m->graph->inputs.at, m->n_in);
        if (output == UINT32_MAX)
            ok = helia_error(m->diag, c->at, "test.state_feedback: there is no output \"%s\"; the outputs are %s",
                             helia_printable(m->arena, c->output),
                             port_list(m->arena, m->graph->output_names, m->n_out));
        if (input == UINT32_MAX)
            ok = helia_error(m->diag, c->at, "test.state_feedback: there is no input \"%s\"; the inputs are %s",
                             helia_printable(m->arena, c->input), port_list(m->arena, m->graph->input_names, m->n_in));
        if (output == UINT32_MAX || input == UINT32_MAX || !check_pair(m, c, output, input)) {
            ok = false;
            continue;
        }
        m->t->fed_back[input] = true;
        HELIA_PUSH(m->arena, &m->t->feedback, ((TestFeedback){output, input}));
    }
    return ok;
}

/* Does an iteration depend on the ones before? */
static bool carries_state(const Make *m)
{
    bool carries = m->t->feedback.len > 0;
    for (uint32_t i = 0; i < m->graph->tensors.len; i++)
        carries = carries || m->graph->tensors.at[i]->is_variable;
    return carries;
}

/* ---- inputs ----------------------------------------------------------------------------------- */
/* xorshift32: the same numbers on every machine. */
static uint32_t next_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* Integers of 8 and 16 bits: all values. Wider ones are often indices or counts: 0 to 15. Floats: from -1 to 1. */
static void put_element(AirType type, uint32_t random, uint8_t *to)
{
    const uint64_t small = random >> 8 & 15;
    const float value = (float)((int32_t)(random >> 8 & 0xffff) - 0x8000) / 32768.0f;
    const uint16_t half = (uint16_t)((random >> 8 & 0x83ff) | (8 + (random >> 3) % 7) << 10); /* 2^-7 to 1 */
    switch (type) {
    case AIR_F32:
        memcpy(to, &value, sizeof(value));
        break;
    case AIR_F16:
        memcpy(to, &half, sizeof(half));
        break;
    case AIR_BOOL:
        *to = (uint8_t)(small & 1);
        break;
    case AIR_S16:
    case AIR_U16:
        to[0] = (uint8_t)(random >> 8);
        to[1] = (uint8_t)(random >> 16);
        break;
    case AIR_S32:
    case AIR_U32:
    case AIR_RESOURCE:
    case AIR_S64:
    case AIR_U64:
        to[0] = (uint8_t)small;
        break;
    default:
        *to = (uint8_t)(random >> 8);
        break;
    }
}

static const void *made_up_input(const Make *m, uint32_t iteration, uint32_t i)
{
    const AirTensor *t = m->graph->inputs.at[i];
    const size_t n = air_bytes(t), item = air_type_bits(t->type) < 8 ? 1 : air_type_bits(t->type) / 8;
    uint8_t *bytes = helia_alloc(m->arena, n, 1);
    uint32_t seed = 2463534242u ^ (iteration * 7919u + i * 104729u);
    for (size_t k = 0; k + item <= n; k += item)
        put_element(t->type, next_random(&seed), bytes + k);
    return bytes;
}

static const void *archived_input(const Make *m, uint32_t iteration, uint32_t i)
{
    void *bytes = helia_alloc(m->arena, air_bytes(m->graph->inputs.at[i]), 1);
    feed_input(&m->feed, i, m->feed.stepwise ? iteration : 0, bytes);
    return bytes;
}

static void set_inputs(Make *m)
{
    const bool archived = m->config->test.golden_data != NULL;
    for (uint32_t k = 0; k < m->t->iterations; k++)
        for (uint32_t i = 0; i < m->n_in; i++) {
            const void **at = &m->t->inputs[k * m->n_in + i];
            if (k && m->t->fed_back[i])
                continue;
            if (archived)
                *at = k && !m->feed.stepwise ? m->t->inputs[i] : archived_input(m, k, i);
            else
                *at = k >= DISTINCT_INPUTS && !m->t->fed_back[i] ? m->t->inputs[k % DISTINCT_INPUTS * m->n_in + i]
                                                                 : made_up_input(m, k, i);
        }
}

/* ---- golden data ------------------------------------------------------------------------------ */
static bool check_archive(Make *m)
{
    HeliaLoc at = helia_at_file(m->config->test.golden_data);
    const uint32_t n = m->t->iterations, steps = m->feed.stepwise ? n : 1;
    if (m->feed.stepwise && m->feed.steps < n)
        return helia_error(m->diag, at, "has inputs of %u steps; test.num_iterations is %u", m->feed.steps, n);
    if (!m->feed.stepwise && n > 1 && carries_state(m))
        return helia_error(m->diag, at,
                           "has inputs of one inference, and the model carries state from one to the next; %u "
                           "iterations need arrays in<i>_<k> and out<i>_<k>",
                           n);
    const bool unique = feed_check_unique(&m->feed);
    return feed_check_inputs(&m->feed, steps, m->t->fed_back) && unique;
}

static bool archived_outputs(Make *m)
{
    bool ok = true;
    HeliaLoc at = helia_at_file(m->config->test.golden_data);
    for (uint32_t k = 0; ok && k < m->t->iterations; k++) /* the first bad iteration is enough */
        for (uint32_t i = 0; i < m->n_out; i++) {
            const NpzArray *found = feed_find_output(&m->feed, i, k);
            if (!found)
                ok = helia_error(m->diag, at, "output %u \"%s\" is missing: expected an array %s, or of that name", i,
                                 helia_printable(m->arena, m->graph->output_names[i]),
                                 feed_output_name(&m->feed, i, k));
            else
                ok = feed_check_array(&m->feed, found, m->graph->outputs.at[i], "output", i) && ok;
            m->t->outputs[k * m->n_out + i] = found ? found->data : NULL;
        }
    m->t->source = "the archive test.golden_data";
    return ok;
}

/* ---- reference -------------------------------------------------------------------------------- */
static bool run_reference(Make *m, const void *const *inputs, void **outputs)
{
    if (m->litert)
        return litert_runtime_run(m->litert, inputs, outputs);
    for (uint32_t i = 0; i < m->n_in; i++)
        if (air_bytes(m->graph->inputs.at[i]))
            memcpy(evaluation_input(m->evaluation, i), inputs[i], air_bytes(m->graph->inputs.at[i]));
    if (!evaluation_run(m->evaluation))
        return helia_error(m->diag, HELIA_NOWHERE,
                           "the reference evaluation failed on the test's inputs; test.golden_data can give others");
    for (uint32_t i = 0; i < m->n_out; i++)
        if (air_bytes(m->graph->outputs.at[i]))
            memcpy(outputs[i], evaluation_output(m->evaluation, i), air_bytes(m->graph->outputs.at[i]));
    return true;
}

static bool reference_outputs(Make *m)
{
    const void **inputs = HELIA_NEW_N(m->arena, const void *, m->n_in);
    for (uint32_t k = 0; k < m->t->iterations; k++) {
        void **outputs = HELIA_NEW_N(m->arena, void *, m->n_out);
        for (uint32_t i = 0; i < m->n_out; i++)
            outputs[i] = helia_alloc(m->arena, air_bytes(m->graph->outputs.at[i]), 1);
        for (uint32_t i = 0; i < m->n_in; i++)
            if (m->t->inputs[k * m->n_in + i])
                inputs[i] = m->t->inputs[k * m->n_in + i];
        if (!run_reference(m, inputs, outputs))
            return false;
        for (uint32_t i = 0; i < m->n_out; i++)
            m->t->outputs[k * m->n_out + i] = outputs[i];
        for (uint32_t i = 0; i < m->t->feedback.len; i++)
            inputs[m->t->feedback.at[i].input] = outputs[m->t->feedback.at[i].output];
    }
    return true;
}

static bool open_litert(Make *m, const HeliaRegistryContext *registry, const LitertModel *litert)
{
    const char *library = m->config->test.litert_library;
    const HeliaLoc at = config_loc(m->config, library ? "test.litert_library" : "test.reference");
    if (!library)
        return helia_error(
            m->diag, at,
            "test.reference is litert, but test.litert_library is missing; expected the file libLiteRt.so "
            "of the PyPI package ai-edge-litert");
    if (helia_registry_count(registry->litert_model_hooks))
        return helia_error(m->diag, at, "test.reference: litert runs the model file as it is, without its model hooks");
    uint32_t allowed;
    const char *why;
    if (!litert_difference(m->arena, m->diag, m->graph, &allowed, &why))
        return false;
    m->t->allowed += allowed;
    m->t->allowance = allowed ? helia_format(m->arena, "LiteRT differs by up to %u: %s", allowed, why) : NULL;
    m->litert = litert_runtime_open(m->arena, m->diag, at, library, m->config->model.path, litert, m->graph);
    m->t->source = "the LiteRT runtime with its reference kernels";
    return m->litert != NULL;
}

/* A difference of integers, as it shows behind a DEQUANTIZE. */
static double dequantized(const AirTensor *output, uint64_t difference)
{
    const AirNode *n = output->def;
    const bool from_integers = n && strcmp(n->op_type, "DEQUANTIZE") == 0 && n->in[0]->quant;
    return from_integers ? (double)difference * (double)n->in[0]->quant->scale[0] : 0;
}

static void set_float_tolerance(Make *m)
{
    const uint64_t extra = m->t->allowed - (uint64_t)m->config->test.tolerance;
    for (uint32_t k = 0; k < m->t->iterations; k++)
        for (uint32_t i = 0; i < m->n_out; i++) {
            const AirTensor *t = m->graph->outputs.at[i];
            const void *expected = m->t->outputs[k * m->n_out + i];
            if (expected)
                m->t->float_allowed[k * m->n_out + i] = m->config->test.float_tolerance *
                                                            largest_magnitude(m->arena, t->type, expected,
                                                                              (size_t)air_count(t)) +
                                                        dequantized(t, extra);
        }
}

/* ---- the whole -------------------------------------------------------------------------------- */
static bool check_size(const Make *m)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < m->n_in; i++)
        bytes += air_bytes(m->graph->inputs.at[i]);
    for (uint32_t i = 0; i < m->n_out; i++)
        bytes += air_bytes(m->graph->outputs.at[i]);
    return bytes <= max_bytes / m->t->iterations ||
           helia_error(m->diag, config_loc(m->config, "test.num_iterations"),
                       "inputs and outputs of %u iterations have %zu bytes each; a test holds %zu altogether",
                       m->t->iterations, bytes, max_bytes);
}

static bool set_outputs(Make *m, AirGraph *reference, const HeliaRegistryContext *registry, const LitertModel *litert)
{
    if (m->config->test.skip_verification)
        return true;
    if (m->config->test.golden_data)
        return archived_outputs(m);
    if (m->config->test.reference == REFERENCE_LITERT)
        return open_litert(m, registry, litert) && reference_outputs(m);
    m->t->source = "the compiler's reference kernels";
    m->evaluation = evaluation_new(m->arena, reference);
    if (!m->evaluation)
        return helia_error(m->diag, HELIA_NOWHERE,
                           "test: no outputs to expect; test.golden_data can give them, or test.skip_verification does "
                           "without");
    return reference_outputs(m);
}

TestCase *test_case_make(HeliaArena *arena, HeliaDiag *diag, const Config *config, const AirGraph *graph,
                         AirGraph *reference, const HeliaRegistryContext *registry, const LitertModel *litert)
{
    Make m = {.arena = arena, .diag = diag, .config = config, .graph = graph};
    m.n_in = graph->inputs.len;
    m.n_out = graph->outputs.len;
    m.t = HELIA_NEW(arena, TestCase);
    m.t->iterations = (uint32_t)config->test.num_iterations;
    m.t->allowed = (uint64_t)config->test.tolerance;
    if (!read_feedback(&m) || !check_size(&m))
        return NULL;
    if (config->test.golden_data &&
        (!feed_read(&m.feed, arena, diag, graph, config->test.golden_data) || !check_archive(&m)))
        return NULL;
    m.t->inputs = HELIA_NEW_N(arena, const void *, (size_t)m.t->iterations *m.n_in);
    m.t->outputs = HELIA_NEW_N(arena, const void *, (size_t)m.t->iterations *m.n_out);
    m.t->float_allowed = HELIA_NEW_N(arena, double, (size_t)m.t->iterations *m.n_out);
    set_inputs(&m);
    if (!set_outputs(&m, reference, registry, litert))
        return NULL;
    set_float_tolerance(&m);
    helia_info(diag, 1, "test: %u iteration%s; %s%s%s", m.t->iterations, m.t->iterations == 1 ? "" : "s",
               m.t->source ? "expects the outputs of " : "outputs are not compared (test.skip_verification)",
               m.t->source ? m.t->source : "", m.t->allowance ? helia_format(arena, "; %s", m.t->allowance) : "");
    return m.t;
}
