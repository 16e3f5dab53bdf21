/* FIR: an operator with everything. Typed options out of FlexBuffers, a kernel of its own that is copied into modules,
 * scratch, a variable that keeps its value from run to run, and evaluation on this machine with the same kernel. */
#include <helia_aot/plugin.h>

#include "helia_fir_s8.h"

#define KEY "FIR"

/* ---- options ---------------------------------------------------------------------------------- */
typedef struct FirOptions {
    int32_t shift;
    int32_t taps[AIR_MAX_RANK]; /* as many as a field of integers can have */
    uint32_t n_taps;
} FirOptions;

static const HeliaField fields[] = {
    {"shift", HELIA_FIELD_INT, offsetof(FirOptions, shift), 0, NULL},
    {"taps", HELIA_FIELD_INTS, offsetof(FirOptions, taps), offsetof(FirOptions, n_taps), NULL},
};
static const HeliaOptionsClass options_class = {"FirOptions", sizeof(FirOptions), fields, 2};

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    return helia_flex_options(p, &options_class, node->options);
}

/* ---- checks ----------------------------------------------------------------------------------- */
static bool on_resolve(const HeliaOpContext *c, AirNode *n)
{
    const FirOptions *o = n->options;
    const AirTensor *in = n->in[0], *history = n->in[1], *out = n->out[0];
    HeliaLoc at = air_node_loc(c->graph, n);
    bool ok = true;
    if (o->n_taps < 1 || o->shift < 0 || o->shift > 15)
        ok = helia_error(c->diag, at, "has %u taps and shift %d; accepted: 1 to 8 taps, shift 0 to 15", o->n_taps,
                         o->shift);
    for (uint32_t i = 0; i < o->n_taps; i++)
        if (o->taps[i] < -32768 || o->taps[i] > 32767)
            ok = helia_error(c->diag, at, "tap %u is %d; accepted: -32768 to 32767", i, o->taps[i]);
    if (in->type != AIR_S8 || history->type != AIR_S8 || out->type != AIR_S8)
        ok = helia_error(c->diag, at, "types are %s, %s and %s; accepted: int8", air_type_doc(in->type),
                         air_type_doc(history->type), air_type_doc(out->type));
    if (!history->is_variable || air_count(history) != air_count(in) * (int64_t)o->n_taps || !air_same_shape(in, out))
        ok = helia_error(c->diag, at,
                         "input %s, history %s and output %s; accepted: a variable of %u inputs as history, the "
                         "output as the input",
                         air_shape_text(c->arena, in), air_shape_text(c->arena, history), air_shape_text(c->arena, out),
                         o->n_taps);
    return ok;
}

/* ---- the kernel row --------------------------------------------------------------------------- */
static const char *fits(const HeliaOpContext *c, const AirNode *n)
{
    (void)c;
    (void)n;
    return NULL;
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    const FirOptions *o = n->options;
    helia_fir_s8_params *p = HELIA_NEW(c->arena, helia_fir_s8_params);
    p->channels = (int32_t)air_count(n->in[0]);
    p->n_taps = (int32_t)o->n_taps;
    p->shift = o->shift;
    for (uint32_t i = 0; i < o->n_taps; i++)
        p->taps[i] = o->taps[i];
    n->params = p;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, n->in[1], true);
    air_arg(n, c->graph, n->out[0], true);
    return true;
}

/* Known before planning, so that the planner reserves it. */
static size_t scratch(const void *params)
{
    return (size_t)((const helia_fir_s8_params *)params)->channels * sizeof(int32_t);
}

static const HeliaKernel kernels[] = {
    {"helia_fir_s8", "helia_fir_s8.c", HELIA_ISA_C, "int8", fits, prepare, scratch, NULL, NULL, NULL},
};

/* ---- emission and evaluation ------------------------------------------------------------------ */
static void print(HeliaOut *o, const void *params)
{
    const helia_fir_s8_params *p = params;
    helia_out_line(o, ".channels = %d,", p->channels);
    helia_out_line(o, ".n_taps = %d,", p->n_taps);
    helia_out_line(o, ".shift = %d,", p->shift);
    helia_out_line(o, ".taps = {%d, %d, %d, %d, %d, %d, %d, %d},", p->taps[0], p->taps[1], p->taps[2], p->taps[3],
                   p->taps[4], p->taps[5], p->taps[6], p->taps[7]);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_fir_s8_params", print);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    helia_fir_s8(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->in[1]), helia_eval_ptr(v, n->out[0]),
                 v->scratch);
    return true;
}

static const HeliaLitertParser parser = {parse, NULL};
static const HeliaOpClass op_class = {
    .type = KEY,
    .doc = "a filter over time with integer taps",
    .traits = HELIA_OP_STATEFUL,
    .min_in = 2,
    .max_in = 2,
    .n_out = 1,
    .on_resolve = on_resolve,
    .kernels = kernels,
    .n_kernels = 1,
    .emit = emit,
    .eval = eval,
};

static bool customize(HeliaRegistryContext *context, void *user)
{
    (void)user;
    return helia_register_kernel_file(context, "helia_fir_s8.h") &&
           helia_register_kernel_file(context, "helia_fir_s8.c") &&
           helia_register_op(context, &op_class, &parser, &options_class);
}

HELIA_PLUGIN("fir", "1.0", customize)
