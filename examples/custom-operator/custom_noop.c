/* CUSTOM_NOOP copies its input to its output: the smallest operator that is parsed, checked, emitted, linked and run.
 * The custom code "custom-noop" becomes the key; parser and class are registered under it, and the parser leaves
 * node->op_type, which is the key already, as it is. */
#include <helia_aot/plugin.h>

#include <string.h>

#define KEY "CUSTOM_NOOP"

static bool parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    (void)self;
    (void)node;
    if (p->op->custom_options.len)
        return helia_error(p->diag, p->at, "has %zu bytes of custom options; accepted: none",
                           p->op->custom_options.len);
    return true;
}

/* Refuses what the emitted C could not serve. The number of inputs and outputs is checked by the counts in the class. */
static bool on_resolve(const HeliaOpContext *c, AirNode *n)
{
    HeliaLoc at = air_node_loc(c->graph, n);
    const AirTensor *in = n->in[0], *out = n->out[0];
    bool ok = true;
    if (in->type != AIR_S8 || out->type != AIR_S8)
        ok = helia_error(c->diag, at, "input is %s and output %s; accepted: int8 for both", air_type_doc(in->type),
                         air_type_doc(out->type));
    if (air_bytes(in) != air_bytes(out))
        ok = helia_error(c->diag, at, "input %s has %zu bytes and output %s %zu; accepted: the same size",
                         air_shape_text(c->arena, in), air_bytes(in), air_shape_text(c->arena, out), air_bytes(out));
    return ok;
}

/* The header and the source's beginning are written by helia_emit_operator; tensors are reached through the context, so
 * that the planner can put them anywhere. */
static bool emit(HeliaEmitter *e, const AirNode *n)
{
    HeliaOut *o = helia_emit_operator(e, n);
    if (!o)
        return false;
    const char *p = helia_emit_prefix(e);
    helia_out_line(o, "#include <string.h>");
    helia_out_line(o, "%s", "");
    helia_out_line(o, "int32_t %s_%s_init(%s_model_context_t *ctx)", p, n->cname, p);
    helia_out_line(o, "{");
    helia_out_line(o, "    (void)ctx;");
    helia_out_line(o, "    return %s_STATUS_OK;", helia_emit_PREFIX(e));
    helia_out_line(o, "}");
    helia_out_line(o, "%s", "");
    helia_out_line(o, "int32_t %s_%s_run(%s_model_context_t *ctx)", p, n->cname, p);
    helia_out_line(o, "{");
    helia_out_line(o, "    const void *in = %s;", helia_emit_tensor(e, n->in[0]));
    helia_out_line(o, "    void *out = %s;", helia_emit_tensor(e, n->out[0]));
    helia_out_line(o, "    if (in != out)");
    helia_out_line(o, "        memcpy(out, in, %zuu);", air_bytes(n->out[0]));
    helia_out_line(o, "    return %s_STATUS_OK;", helia_emit_PREFIX(e));
    helia_out_line(o, "}");
    return true;
}

/* The same on this machine, for `helia-aot run` and generated tests. */
static bool eval(HeliaEval *v, const AirNode *n)
{
    memcpy(helia_eval_ptr(v, n->out[0]), helia_eval_ptr(v, n->in[0]), air_bytes(n->out[0]));
    return true;
}

static const HeliaLitertParser parser = {parse, NULL};
static const HeliaOpClass op_class = {
    .type = KEY,
    .doc = "copies its input",
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .has_init = true,
    .on_resolve = on_resolve,
    .emit = emit,
    .eval = eval,
};

static bool customize(HeliaRegistryContext *context, void *user)
{
    (void)user;
    return helia_register_op(context, &op_class, &parser, NULL);
}

HELIA_PLUGIN("custom_noop", "1.0", customize)
