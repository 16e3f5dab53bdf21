/* Resolve: each node's class checks it and computes its parameters; the first kernel row that fits is taken. */
#include "op/resolve.h"

#include <ctype.h>
#include <string.h>

#include "op/check.h"
#include "support/blame.h"

static const char *const isa_names[] = {"dsp", "mve", "mve_fp", "fpu", "fp16", "x86", "CMSIS-NN", "ns-cmsis-nn"};

const char *isa_text(HeliaArena *arena, uint32_t isa)
{
    const char *text = "";
    for (uint32_t i = 0; i < sizeof(isa_names) / sizeof(isa_names[0]); i++)
        if (isa & 1u << i)
            text = helia_format(arena, "%s%s%s", text, *text ? ", " : "", isa_names[i]);
    return *text ? text : "none";
}

const char *kernel_misfit(const HeliaOpContext *c, const AirNode *node, const HeliaKernel *kernel)
{
    uint32_t missing = kernel->isa & ~c->target->isa;
    if (missing & HELIA_LIBRARIES)
        return "kernels.library is another";
    if (missing)
        return helia_format(c->arena, "%s has no %s", c->target->cpu, isa_text(c->arena, missing));
    return kernel->fits(c, node);
}

/* "conv_2d_3": the key in lower case and the LiteRT index, made unique where several nodes come from one operator. */
static void name_nodes(const HeliaOpContext *c)
{
    AirGraph *g = c->graph;
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        AirNode *n = g->nodes.at[i];
        char *key = helia_strdup(c->arena, n->op_type);
        for (char *p = key; *p; p++)
            *p = (char)tolower((unsigned char)*p);
        const char *name = n->litert_index < 0 ? helia_format(c->arena, "%s_n%u", key, n->id)
                                               : helia_format(c->arena, "%s_%d", key, n->litert_index);
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(g->nodes.at[k]->cname, name) == 0) {
                name = helia_format(c->arena, "%s_n%u", name, n->id);
                break;
            }
        n->cname = name;
    }
}

static bool check_counts(const HeliaOpContext *c, const AirNode *n)
{
    if (n->n_in < n->op->min_in || n->n_in > n->op->max_in)
        return check_fail(c, n, "has %u inputs; supported: %u to %u", n->n_in, n->op->min_in, n->op->max_in);
    for (uint32_t i = 0; i < n->op->min_in; i++)
        if (!n->in[i])
            return check_fail(c, n, "input %u is missing", i);
    if (n->op->n_out && n->n_out != n->op->n_out)
        return check_fail(c, n, "has %u outputs; supported: %u", n->n_out, n->op->n_out);
    return true;
}

/* A function of the class, which may come from outside. */
static bool asked(const HeliaOpContext *c, AirNode *n, bool (*function)(const HeliaOpContext *, AirNode *),
                  const char *what)
{
    uint32_t errors = helia_diag_errors(c->diag);
    return blame(c->diag, function(c, n), errors, air_node_loc(c->graph, n), what);
}

static bool select_kernel(const HeliaOpContext *c, AirNode *n)
{
    const char *why = "";
    for (uint32_t i = 0; i < n->op->n_kernels; i++) {
        const HeliaKernel *k = &n->op->kernels[i];
        const char *misfit = kernel_misfit(c, n, k);
        if (!misfit) {
            n->kernel = k;
            if (k->prepare && !asked(c, n, k->prepare, helia_format(c->arena, "the kernel %s's prepare", k->symbol)))
                return false;
            n->scratch = k->scratch ? k->scratch(n->params) : 0;
            return true;
        }
        why = helia_format(c->arena, "%s\n    %s: %s", why, k->symbol, misfit);
    }
    return check_fail(c, n, "no kernel fits:%s", why);
}

static bool resolve_node(const HeliaOpContext *c, AirNode *n)
{
    if (n->op->on_resolve && !asked(c, n, n->op->on_resolve, "the class's on_resolve"))
        return false;
    if (n->op->n_kernels && !select_kernel(c, n))
        return false;
    if (n->op->scratch)
        n->scratch = n->op->scratch(c, n);
    return true;
}

bool resolve_alone(const HeliaOpContext *c, const HeliaRegistryContext *registry, AirNode *node)
{
    node->op = helia_registry_get(registry->aot_operator_classes, node->op_type);
    return node->op && check_counts(c, node) &&
           (!node->op->infer || asked(c, node, node->op->infer, "the class's infer")) && resolve_node(c, node);
}

/* Specialised bodies repeat their code: worth it but where size is the goal and a generic one would serve several. */
static void choose_entries(const HeliaOpContext *c)
{
    AirGraph *g = c->graph;
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        AirNode *n = g->nodes.at[i];
        uint32_t users = 0;
        for (uint32_t k = 0; k < g->nodes.len; k++)
            users += g->nodes.at[k]->kernel == n->kernel;
        bool pays = c->target->goal != HELIA_GOAL_SIZE || users == 1;
        n->specialized = n->kernel && n->kernel->body && c->target->kernel_entry != HELIA_ENTRY_GENERIC &&
                         (pays || c->target->kernel_entry == HELIA_ENTRY_SPECIALIZED);
    }
}

bool resolve_graph(const HeliaOpContext *c, const HeliaRegistryContext *registry)
{
    AirGraph *g = c->graph;
    bool ok = true;
    name_nodes(c);
    for (uint32_t i = 0; i < g->nodes.len; i++) /* of all first: a class may ask what those behind it are */
        g->nodes.at[i]->op = helia_registry_get(registry->aot_operator_classes, g->nodes.at[i]->op_type);
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        AirNode *n = g->nodes.at[i];
        bool usable = n->op ? check_counts(c, n) : check_fail(c, n, "no operator class is registered under this key");
        if (usable && n->op->infer)
            usable = asked(c, n, n->op->infer, "the class's infer");
        if (usable)
            usable = resolve_node(c, n);
        ok = usable && ok;
    }
    choose_entries(c);
    return ok;
}
