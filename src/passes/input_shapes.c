/* model.input_shapes: sizes of graph inputs that the file leaves open.
 *
 *     "x" [?x8] -> FULLY_CONNECTED -> [?x4] -> SOFTMAX -> [?x4]       as in the file, where ? is a 1 to begin with
 *     "x" [5x8] -> FULLY_CONNECTED -> [5x4] -> SOFTMAX -> [5x4]       with {x: [5, 8]}
 *
 * A shape that depends on one that was changed is inferred anew, whatever the file says of it. What cannot be inferred yet
 * because it hangs on a shape expression stays open: fold_static_shape_expressions or Resolve settle it or say why not. */
#include "passes/input_shapes.h"

#include <string.h>

typedef struct Shapes {
    const HeliaOpContext *c;
    const HeliaRegistryContext *registry;
    const LitertSubgraph *file;
    const ConfigShape **given; /* by input; NULL: not given */
    bool *changed;             /* by tensor */
} Shapes;

static const char *dims_text(HeliaArena *arena, const ConfigShape *s)
{
    AirTensor t = {.rank = s->rank};
    memcpy(t.dim, s->dim, sizeof(t.dim));
    return air_shape_text(arena, &t);
}

/* "[?x8x7x4]", as in the file. */
static const char *open_text(HeliaArena *arena, const LitertTensor *t)
{
    const char *text = "";
    for (uint32_t i = 0; i < t->shape.len; i++)
        text = helia_format(arena, i < t->shape_signature.len && t->shape_signature.at[i] < 0 ? "%s%s?" : "%s%s%d",
                            text, i ? "x" : "", t->shape.at[i]);
    return helia_format(arena, "[%s]", text);
}

static bool unknown_input(const Shapes *s, const ConfigShape *shape)
{
    const AirGraph *g = s->c->graph;
    const char *names = "";
    for (uint32_t i = 0; i < g->inputs.len; i++)
        names = helia_format(s->c->arena, "%s%s\"%s\"", names, i ? ", " : "",
                             helia_printable(s->c->arena, g->input_names[i]));
    return helia_error(s->c->diag, shape->at, "model.input_shapes: the model has no input \"%s\"; it has %s",
                       helia_printable(s->c->arena, shape->name), *names ? names : "none");
}

static uint32_t find_input(const AirGraph *g, const char *name)
{
    for (uint32_t i = 0; i < g->inputs.len; i++)
        if (strcmp(g->input_names[i], name) == 0)
            return i;
    for (uint32_t i = 0; i < g->inputs.len; i++)
        if (strcmp(g->inputs.at[i]->name, name) == 0)
            return i;
    return UINT32_MAX;
}

/* Against the file, in which a tensor of unknown rank may have any. */
static bool check_shape(const Shapes *s, const ConfigShape *shape, const LitertTensor *file)
{
    HeliaArena *arena = s->c->arena;
    const char *name = helia_printable(arena, shape->name);
    const bool any_rank = file->shape.len == 0 && !file->has_rank;
    if (!any_rank && (uint32_t)shape->rank != file->shape.len)
        return helia_error(s->c->diag, shape->at,
                           "model.input_shapes: input \"%s\" is %s, of rank %u; found %s, of rank %d", name,
                           open_text(arena, file), file->shape.len, dims_text(arena, shape), shape->rank);
    bool ok = true;
    int64_t count = 1;
    for (int32_t i = 0; i < shape->rank; i++) {
        const bool open = any_rank || ((uint32_t)i < file->shape_signature.len && file->shape_signature.at[i] < 0);
        if (!open && shape->dim[i] != file->shape.at[i])
            ok = helia_error(s->c->diag, shape->at,
                             "model.input_shapes: input \"%s\" is %s, whose dimension %d is fixed; found %s", name,
                             open_text(arena, file), i, dims_text(arena, shape));
        count = count <= INT32_MAX / 16 ? count * shape->dim[i] : count;
    }
    if (count > INT32_MAX / 16)
        ok = helia_error(s->c->diag, shape->at,
                         "model.input_shapes: input \"%s\" of %s has more than %d elements, the most "
                         "that is supported",
                         name, dims_text(arena, shape), INT32_MAX / 16);
    return ok;
}

static bool set_input(const Shapes *s, const ConfigShape *shape)
{
    const AirGraph *g = s->c->graph;
    const uint32_t i = find_input(g, shape->name);
    if (i == UINT32_MAX)
        return unknown_input(s, shape);
    if (s->given[i])
        return helia_error(s->c->diag, shape->at, "model.input_shapes: \"%s\" is the same input as \"%s\"",
                           helia_printable(s->c->arena, shape->name), helia_printable(s->c->arena, s->given[i]->name));
    AirTensor *t = g->inputs.at[i];
    s->given[i] = shape;
    if (!check_shape(s, shape, &s->file->tensors.at[t->litert_index]))
        return false;
    s->changed[t->id] = t->rank != shape->rank || memcmp(t->dim, shape->dim, (size_t)t->rank * sizeof(t->dim[0])) != 0;
    t->rank = shape->rank;
    memcpy(t->dim, shape->dim, sizeof(t->dim));
    t->shape_is_open = false;
    return true;
}

static void unheard(void *user, HeliaSeverity severity, const char *text)
{
    (void)user, (void)severity, (void)text;
}

static void infer(const Shapes *s, const HeliaOpContext *quiet, AirNode *n)
{
    bool changed = false;
    for (uint32_t i = 0; i < n->n_in; i++)
        changed = changed || (n->in[i] && s->changed[n->in[i]->id]);
    if (!changed)
        return;
    for (uint32_t i = 0; i < n->n_out; i++) {
        s->changed[n->out[i]->id] = true;
        n->out[i]->shape_is_open = true;
    }
    n->op = helia_registry_get(s->registry->aot_operator_classes, n->op_type);
    const bool complete = n->op && n->n_in >= n->op->min_in && n->n_in <= n->op->max_in;
    bool known = complete && n->op->infer;
    for (uint32_t i = 0; known && i < n->op->min_in; i++)
        known = n->in[i] != NULL;
    for (uint32_t i = 0; known && i < n->n_in; i++)
        known = !n->in[i] || !s->changed[n->in[i]->id] || !n->in[i]->shape_is_open;
    if (known && n->op->infer(quiet, n))
        for (uint32_t i = 0; i < n->n_out; i++)
            n->out[i]->shape_is_open = false;
    n->op = NULL; /* as before Resolve */
}

bool input_shapes_apply(const HeliaOpContext *c, const HeliaRegistryContext *registry, const LitertSubgraph *file,
                        const ConfigShapes *shapes)
{
    AirGraph *g = c->graph;
    Shapes s = {.c = c, .registry = registry, .file = file};
    s.given = HELIA_NEW_N(c->arena, const ConfigShape *, g->inputs.len);
    s.changed = HELIA_NEW_N(c->arena, bool, g->tensors.len);
    bool ok = true;
    for (uint32_t i = 0; i < shapes->len; i++)
        ok = set_input(&s, &shapes->at[i]) && ok;
    HeliaOpContext quiet = *c;
    quiet.diag = helia_diag_new(c->arena, unheard, NULL, 0);
    for (uint32_t i = 0; ok && shapes->len && i < g->nodes.len; i++)
        infer(&s, &quiet, g->nodes.at[i]);
    return ok;
}
