/* Dumps of a module's tensors, and their comparison with the reference evaluation. */
#include "golden/dump.h"

#include <string.h>

#include "golden/differ.h"
#include "golden/feed.h"
#include "op/eval.h"
#include "support/file.h"

DumpRun *dump_add(HeliaArena *arena, const AirGraph *graph, Dump *dump)
{
    HELIA_PUSH(arena, dump,
               ((DumpRun){HELIA_NEW_N(arena, const void *, graph->inputs.len),
                          HELIA_NEW_N(arena, const void *, graph->tensors.len)}));
    return &dump->at[dump->len - 1];
}

/* ---- archives --------------------------------------------------------------------------------- */
static bool is_unique(const AirGraph *g, const AirTensor *t)
{
    for (uint32_t i = 0; i < g->tensors.len; i++)
        if (g->tensors.at[i] != t && strcmp(g->tensors.at[i]->name, t->name) == 0)
            return false;
    return true;
}

/* The arrays that are named as tensors; shapes may be written in another way. */
static bool take_arrays(HeliaArena *arena, HeliaDiag *diag, const AirGraph *g, const char *path, const Npz *npz,
                        DumpRun *run)
{
    bool ok = true;
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        const AirTensor *t = g->tensors.at[i];
        const NpzArray *found = t->def ? npz_find(npz, t->name) : NULL;
        NpzArray wanted;
        if (!found || !is_unique(g, t))
            continue;
        HeliaLoc at = helia_at_file(path);
        at.name = found->name;
        if (found->fault)
            ok = helia_error(diag, at, "cannot use the array: %s", found->fault);
        else if (!feed_describe(diag, g, t, t->name, &wanted))
            ok = false;
        else if (found->kind != wanted.kind || found->item != wanted.item || found->size != wanted.size)
            ok = helia_error(diag, at, "the array is %s %s; the tensor is %s %s", npz_type_text(arena, found),
                             npz_shape_text(arena, found), npz_type_text(arena, &wanted),
                             npz_shape_text(arena, &wanted));
        else
            run->values[i] = found->data;
    }
    return ok;
}

static bool read_archive(HeliaArena *arena, HeliaDiag *diag, const AirGraph *g, const char *path, const char *inputs,
                         Dump *dump)
{
    Feed feed;
    Npz npz;
    if (!feed_read(&feed, arena, diag, g, inputs ? inputs : path) || !feed_check_inputs(&feed, feed.steps, NULL) ||
        !npz_read(arena, diag, path, &npz))
        return false;
    for (uint32_t step = 0; step < feed.steps; step++) {
        DumpRun *run = dump_add(arena, g, dump);
        for (uint32_t i = 0; i < g->inputs.len; i++) {
            void *bytes = helia_alloc(arena, air_bytes(g->inputs.at[i]), 1);
            feed_input(&feed, i, step, bytes);
            run->inputs[i] = bytes;
        }
    }
    return take_arrays(arena, diag, g, path, &npz, &dump->at[dump->len - 1]);
}

bool dump_read(HeliaArena *arena, HeliaDiag *diag, const AirGraph *graph, const char *path, const char *inputs,
               Dump *dump)
{
    FileBytes file;
    *dump = (Dump){0};
    if (!file_read(arena, diag, path, &file))
        return false;
    if (file.size >= 2 && file.at[0] == 'P' && file.at[1] == 'K')
        return read_archive(arena, diag, graph, path, inputs, dump);
    if (inputs)
        return helia_error(diag, helia_at_file(path), "is text, which has its own inputs; --input is for archives");
    return dump_read_text(arena, diag, graph, path, file.at, file.size, dump);
}

/* ---- comparison ------------------------------------------------------------------------------- */
typedef struct Compare {
    HeliaArena *arena;
    HeliaDiag *diag;
    const Config *config;
    AirGraph *graph;
    FILE *out;
    uint32_t compared, absent; /* operators, over all inferences */
} Compare;

/* "[0, 3, 17]" of an element. */
static const char *coordinates(HeliaArena *arena, const AirTensor *t, size_t element)
{
    const char *text = "]";
    for (int32_t i = t->rank; i-- > 0;) {
        text = helia_format(arena, "%s%zu%s", i ? ", " : "", element % (size_t)t->dim[i], text);
        element /= (size_t)t->dim[i];
    }
    return helia_format(arena, "[%s", text);
}

static void print_difference(const Compare *c, uint32_t run, uint32_t position, uint32_t output, const Difference *d)
{
    const AirNode *n = c->graph->nodes.at[position];
    const AirTensor *t = n->out[output];
    fprintf(c->out, "first difference: operator %u %s (%s), output %u \"%s\" %s %s, inference %u\n", position, n->cname,
            n->op_type, output, helia_printable(c->arena, t->name), air_type_doc(t->type), air_shape_text(c->arena, t),
            run);
    fprintf(c->out, "%zu of %lld elements differ; the first is element %zu %s: expected %s, got %s\n", d->count,
            (long long)air_count(t), d->first, coordinates(c->arena, t, d->first), d->expected, d->got);
}

/* The outputs of one operator, which has just been evaluated; false: one differs. */
static bool compare_node(Compare *c, const Evaluation *e, const DumpRun *dumped, uint32_t run, uint32_t position)
{
    const AirNode *n = c->graph->nodes.at[position];
    bool any = false;
    for (uint32_t k = 0; k < n->n_out; k++) {
        const AirTensor *t = n->out[k];
        const void *got = t ? dumped->values[t->id] : NULL;
        if (!got)
            continue;
        const void *expected = evaluation_value(e, t);
        const size_t count = (size_t)air_count(t);
        const Tolerance tolerance = {(uint64_t)c->config->test.tolerance,
                                     c->config->test.float_tolerance *
                                         largest_magnitude(c->arena, t->type, expected, count)};
        Difference d;
        any = true;
        if (!tensors_differ(c->arena, t->type, expected, got, count, &tolerance, &d))
            continue;
        print_difference(c, run, position, k, &d);
        return false;
    }
    c->compared += any;
    c->absent += !any && n->n_out;
    return true;
}

static bool compare_run(Compare *c, Evaluation *e, const DumpRun *dumped, uint32_t run, bool *agrees)
{
    for (uint32_t i = 0; i < c->graph->inputs.len; i++)
        if (air_bytes(c->graph->inputs.at[i]))
            memcpy(evaluation_input(e, i), dumped->inputs[i], air_bytes(c->graph->inputs.at[i]));
    for (uint32_t i = 0; i < c->graph->nodes.len && *agrees; i++) {
        if (!evaluation_step(e, i))
            return false;
        *agrees = compare_node(c, e, dumped, run, i);
    }
    return true;
}

bool dump_compare(HeliaArena *arena, HeliaDiag *diag, const Config *config, AirGraph *graph, const char *path,
                  const Dump *dump, FILE *out)
{
    Compare c = {.arena = arena, .diag = diag, .config = config, .graph = graph, .out = out};
    Evaluation *e = evaluation_new(arena, graph);
    bool agrees = true;
    if (!e)
        return false;
    for (uint32_t run = 0; run < dump->len && agrees; run++)
        if (!compare_run(&c, e, &dump->at[run], run, &agrees))
            return false;
    if (c.compared || !agrees)
        fprintf(out, "operators that agree%s: %u; without outputs in the dump: %u\n", agrees ? "" : " before it",
                c.compared, c.absent);
    if (!agrees)
        return helia_error(diag, helia_at_file(path), "the dump differs from the reference evaluation");
    return c.compared || helia_error(diag, helia_at_file(path), "the dump has no output of an operator of this model");
}
