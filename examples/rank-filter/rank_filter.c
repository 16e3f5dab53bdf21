/* RANK_FILTER: of the last frames the lowest, the median or the highest value of each channel. An operator that writes its
 * own code: typed options with defaults and words, a state that the model does not have as a tensor, scratch. */
#include <helia_aot/plugin.h>

#include <string.h>

#define KEY "RANK_FILTER"

/* ---- options ---------------------------------------------------------------------------------- */
enum { LOWEST, MEDIAN, HIGHEST };
static const char *const picks[] = {"lowest", "median", "highest", NULL};

typedef struct RankFilterOptions {
    int32_t frames, pick;
} RankFilterOptions;

static const HeliaField fields[] = {
    {"frames", HELIA_FIELD_INT, offsetof(RankFilterOptions, frames), 0, NULL},
    {"pick", HELIA_FIELD_INT, offsetof(RankFilterOptions, pick), 0, picks},
};
static const HeliaOptionsClass options_class = {"RankFilterOptions", sizeof(RankFilterOptions), fields, 2};

/* The last frames, newest first, are a variable that the parser makes: a second input of the node. */
static void add_history(HeliaParse *p, AirNode *node, int32_t frames)
{
    AirTensor **in = HELIA_NEW_N(p->arena, AirTensor *, 2);
    const int32_t dim[] = {frames, (int32_t)air_count(node->in[0])};
    in[0] = node->in[0];
    in[1] = air_tensor_new(p->graph, "history", in[0]->type, 2, dim);
    in[1]->quant = in[0]->quant; /* so that a reset sets int8 to the zero point */
    in[1]->is_variable = true;
    node->in = in;
    node->n_in = 2;
}

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    RankFilterOptions *o = node->options;
    *o = (RankFilterOptions){.frames = 5, .pick = MEDIAN}; /* what an absent key means */
    if (!helia_flex_options(p, &options_class, o))
        return false;
    if (node->n_in != 1 || !node->in[0])
        return helia_error(p->diag, p->at, "has %u inputs; accepted: 1", node->n_in);
    if (o->frames < 1 || o->frames > 32)
        return helia_error(p->diag, p->at, "frames is %d; accepted: 1 to 32", o->frames);
    add_history(p, node, o->frames);
    return true;
}

/* ---- checks and scratch ----------------------------------------------------------------------- */
static bool on_resolve(const HeliaOpContext *c, AirNode *n)
{
    const AirTensor *in = n->in[0], *history = n->in[1], *out = n->out[0];
    const int64_t rows = ((const RankFilterOptions *)n->options)->frames;
    if (in->type != AIR_S8 || out->type != AIR_S8 || !air_same_shape(in, out) || !air_same_quant(in, out))
        return helia_error(c->diag, air_node_loc(c->graph, n),
                           "accepted: int8 input and output of one shape and quantisation");
    if (air_count(history) != rows * air_count(in)) /* the shape was changed after parsing */
        return helia_error(c->diag, air_node_loc(c->graph, n),
                           "the history is %s and the input %s; accepted: %d inputs", air_shape_text(c->arena, history),
                           air_shape_text(c->arena, in), (int)rows);
    return true;
}

/* Bytes that the run function may use, known before planning: the values of one channel, sorted. */
static size_t scratch(const HeliaOpContext *c, const AirNode *n)
{
    (void)c;
    return (size_t)((const RankFilterOptions *)n->options)->frames;
}

static int32_t rank(const RankFilterOptions *o)
{
    return o->pick == LOWEST ? 0 : o->pick == HIGHEST ? o->frames - 1 : o->frames / 2;
}

/* ---- emission and evaluation ------------------------------------------------------------------ */
static bool emit(HeliaEmitter *e, const AirNode *n)
{
    const RankFilterOptions *o = n->options;
    const int32_t channels = (int32_t)air_count(n->in[0]);
    const char *p = helia_emit_prefix(e);
    HeliaOut *c = helia_emit_operator(e, n);
    if (!c)
        return false;
    helia_out_line(c, "#include <string.h>");
    helia_out_line(c, "%s", "");
    helia_out_line(c, "int32_t %s_%s_run(%s_model_context_t *ctx)", p, n->cname, p);
    helia_out_line(c, "{");
    helia_out_line(c, "    const int8_t *in = %s;", helia_emit_tensor(e, n->in[0]));
    helia_out_line(c, "    int8_t *history = %s;", helia_emit_tensor(e, n->in[1]));
    helia_out_line(c, "    int8_t *out = %s;", helia_emit_tensor(e, n->out[0]));
    helia_out_line(c, "    int8_t *sorted = %s;", helia_emit_scratch(e, n));
    helia_out_line(c, "    int i, k, at;");
    helia_out_line(c, "    memmove(history + %d, history, %d);", channels, channels * (o->frames - 1));
    helia_out_line(c, "    memcpy(history, in, %d);", channels);
    helia_out_line(c, "    for (i = 0; i < %d; i++) {", channels);
    helia_out_line(c, "        for (k = 0; k < %d; k++) {", o->frames);
    helia_out_line(c, "            const int8_t value = history[k * %d + i];", channels);
    helia_out_line(c, "            for (at = k; at > 0 && sorted[at - 1] > value; at--)");
    helia_out_line(c, "                sorted[at] = sorted[at - 1];");
    helia_out_line(c, "            sorted[at] = value;");
    helia_out_line(c, "        }");
    helia_out_line(c, "        out[i] = sorted[%d]; /* the %s */", rank(o), picks[o->pick]);
    helia_out_line(c, "    }");
    helia_out_line(c, "    return %s_STATUS_OK;", helia_emit_PREFIX(e));
    helia_out_line(c, "}");
    return true;
}

/* The same on this machine, for `helia-aot run` and the expected outputs of generated tests. */
static bool eval(HeliaEval *v, const AirNode *n)
{
    const RankFilterOptions *o = n->options;
    const size_t channels = (size_t)air_count(n->in[0]);
    int8_t *history = helia_eval_ptr(v, n->in[1]), *out = helia_eval_ptr(v, n->out[0]), *sorted = v->scratch;
    memmove(history + channels, history, channels * (size_t)(o->frames - 1));
    memcpy(history, helia_eval_ptr(v, n->in[0]), channels);
    for (size_t i = 0; i < channels; i++) {
        for (int32_t k = 0; k < o->frames; k++) {
            const int8_t value = history[(size_t)k * channels + i];
            int32_t at = k;
            for (; at > 0 && sorted[at - 1] > value; at--)
                sorted[at] = sorted[at - 1];
            sorted[at] = value;
        }
        out[i] = sorted[rank(o)];
    }
    return true;
}

/* ---- registration ----------------------------------------------------------------------------- */
static const HeliaLitertParser parser = {parse, NULL};
static const HeliaOpClass op_class = {
    .type = KEY,
    .doc = "the lowest, median or highest of the last frames",
    .min_in = 2,
    .max_in = 2,
    .n_out = 1,
    .on_resolve = on_resolve,
    .scratch = scratch,
    .emit = emit,
    .eval = eval,
};

static bool customize(HeliaRegistryContext *context, void *user)
{
    (void)user;
    return helia_register_op(context, &op_class, &parser, &options_class);
}

HELIA_PLUGIN("rank_filter", "1.0", customize)
