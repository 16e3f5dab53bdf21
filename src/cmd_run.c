/* run: evaluates a model on this machine with the reference kernels.
 *
 * Arrays of the input archive: input_<i>, or the input's name, for one inference; in<i>_<step> for several, between
 * which variables keep their values. Outputs are named alike: output_<i>, or out<i>_<step>. Other arrays are left
 * alone. */
#include <string.h>

#include "cmd.h"
#include "op/eval.h"
#include "support/npz.h"

typedef struct Run {
    Invocation *v;
    HeliaArena *arena;
    HeliaDiag *diag;
    AirGraph *graph;
    const char *input_path;
    Npz in, out;
    bool stepwise;
    uint32_t steps;
} Run;

static HeliaLoc at_input(const Run *r)
{
    HeliaLoc at = HELIA_NOWHERE;
    at.file = r->input_path;
    return at;
}

/* What numpy calls a tensor's type; false: it has no such type. */
static bool numpy_type(AirType type, NpzArray *array)
{
    switch (type) {
    case AIR_F32:
    case AIR_F16:
        array->kind = 'f';
        break;
    case AIR_S8:
    case AIR_S16:
    case AIR_S32:
    case AIR_S64:
        array->kind = 'i';
        break;
    case AIR_U8:
    case AIR_U16:
    case AIR_U32:
    case AIR_U64:
        array->kind = 'u';
        break;
    case AIR_BOOL:
        array->kind = 'b';
        break;
    default:
        return false;
    }
    array->item = air_type_bits(type) / 8;
    return true;
}

/* The array that a tensor is given or written as. */
static bool describe(const Run *r, const AirTensor *t, const char *name, NpzArray *array)
{
    *array = (NpzArray){.name = name, .rank = t->rank, .size = air_bytes(t)};
    if (!numpy_type(t->type, array))
        return helia_error(r->diag, air_tensor_loc(r->graph, t), "type %s has no counterpart in an .npz archive",
                           air_type_doc(t->type));
    for (int32_t i = 0; i < t->rank; i++)
        array->dim[i] = t->dim[i];
    return true;
}

/* The number behind the last '_' of "in<i>_<step>"; -1: it is no such name. */
static int64_t step_of(const char *name, uint32_t *input)
{
    if (strncmp(name, "in", 2) != 0)
        return -1;
    uint64_t numbers[2] = {0, 0};
    const char *p = name + 2;
    for (int k = 0; k < 2; k++) {
        size_t n = strspn(p, "0123456789");
        if (n == 0 || n > 6 || p[n] != (k ? 0 : '_'))
            return -1;
        for (size_t i = 0; i < n; i++)
            numbers[k] = numbers[k] * 10 + (uint64_t)(p[i] - '0');
        p += n + 1;
    }
    *input = (uint32_t)numbers[0];
    return (int64_t)numbers[1];
}

/* Arrays in<i>_<step> of this model's inputs decide for several steps. */
static void count_steps(Run *r)
{
    r->steps = 1;
    for (uint32_t i = 0; i < r->in.len; i++) {
        uint32_t input;
        int64_t step = step_of(r->in.at[i].name, &input);
        if (step < 0 || input >= r->graph->inputs.len)
            continue;
        r->stepwise = true;
        if (step >= r->steps)
            r->steps = (uint32_t)step + 1;
    }
    if (npz_find(&r->in, "input_0")) {
        r->stepwise = false;
        r->steps = 1;
    }
}

static const NpzArray *find_array(Run *r, uint32_t i, uint32_t step)
{
    if (r->stepwise)
        return npz_find(&r->in, helia_format(r->arena, "in%u_%u", i, step));
    const NpzArray *array = npz_find(&r->in, helia_format(r->arena, "input_%u", i));
    if (!array)
        array = npz_find(&r->in, r->graph->input_names[i]);
    return array ? array : npz_find(&r->in, r->graph->inputs.at[i]->name);
}

static bool missing(Run *r, uint32_t i, uint32_t step, const NpzArray *wanted)
{
    const char *name = helia_printable(r->arena, r->graph->input_names[i]);
    const char *choices = r->stepwise ? helia_format(r->arena, "in%u_%u", i, step)
                                      : helia_format(r->arena, "input_%u, \"%s\" or in%u_0", i, name, i);
    helia_error(r->diag, at_input(r), "input %u \"%s\" is missing: expected an array %s of type %s and shape %s", i,
                name, choices, npz_type_text(r->arena, wanted), npz_shape_text(r->arena, wanted));
    return false;
}

static bool check_array(Run *r, uint32_t i, const NpzArray *found, const NpzArray *wanted)
{
    HeliaLoc at = at_input(r);
    at.name = found->name;
    if (found->fault)
        return helia_error(r->diag, at, "cannot use the array: %s", found->fault);
    bool ok = true;
    if (found->kind != wanted->kind || found->item != wanted->item)
        ok = helia_error(r->diag, at, "type is %s; input %u takes %s", npz_type_text(r->arena, found), i,
                         npz_type_text(r->arena, wanted));
    if (found->rank != wanted->rank ||
        memcmp(found->dim, wanted->dim, (size_t)found->rank * sizeof(found->dim[0])) != 0)
        ok = helia_error(r->diag, at, "shape is %s; input %u takes %s", npz_shape_text(r->arena, found), i,
                         npz_shape_text(r->arena, wanted));
    return ok;
}

/* All arrays of all steps, before anything is evaluated. */
static bool check_inputs(Run *r)
{
    count_steps(r);
    bool ok = true;
    for (uint32_t step = 0; ok && step < r->steps; step++) /* the first bad step is enough */
        for (uint32_t i = 0; i < r->graph->inputs.len; i++) {
            NpzArray wanted;
            if (!describe(r, r->graph->inputs.at[i], r->graph->input_names[i], &wanted)) {
                ok = false;
                continue;
            }
            const NpzArray *found = find_array(r, i, step);
            ok = (found ? check_array(r, i, found, &wanted) : missing(r, i, step, &wanted)) && ok;
        }
    return ok;
}

static void feed(Run *r, Evaluation *e, uint32_t i, uint32_t step)
{
    const NpzArray *array = find_array(r, i, step);
    uint8_t *to = evaluation_input(e, i);
    if (array->size)
        memcpy(to, array->data, array->size);
    if (array->kind == 'b') /* kernels may count on 0 and 1 */
        for (size_t k = 0; k < array->size; k++)
            to[k] = to[k] != 0;
}

static bool keep(Run *r, const Evaluation *e, uint32_t i, uint32_t step)
{
    NpzArray array;
    const char *name = r->stepwise ? helia_format(r->arena, "out%u_%u", i, step)
                                   : helia_format(r->arena, "output_%u", i);
    if (!describe(r, r->graph->outputs.at[i], name, &array))
        return false;
    array.data = helia_memdup(r->arena, evaluation_output(e, i), array.size);
    HELIA_PUSH(r->arena, &r->out, array);
    return true;
}

static bool evaluate(Run *r)
{
    Evaluation *e = evaluation_new(r->arena, r->graph);
    bool ok = e != NULL;
    for (uint32_t step = 0; ok && step < r->steps; step++) {
        for (uint32_t i = 0; i < r->graph->inputs.len; i++)
            feed(r, e, i, step);
        ok = evaluation_run(e);
        for (uint32_t i = 0; ok && i < r->graph->outputs.len; i++)
            ok = keep(r, e, i, step);
    }
    return ok;
}

void cmd_run(Invocation *v)
{
    Run r = {.v = v, .arena = v->arena, .diag = v->diag, .input_path = cmd_option(v, "input")};
    const char *output_path = cmd_option(v, "output");
    if (!r.input_path)
        helia_error(v->diag, HELIA_NOWHERE, "--input is missing; expected an .npz archive with the inputs");
    if (!output_path)
        helia_error(v->diag, HELIA_NOWHERE, "--output is missing; expected the .npz archive to write");
    Compile c;
    if (!r.input_path || !output_path || !cmd_compile(v, &c, STAGE_RESOLVE, true))
        return;
    r.graph = c.air->main;
    if (npz_read(r.arena, r.diag, r.input_path, &r.in) && check_inputs(&r) && evaluate(&r) &&
        npz_write(r.arena, r.diag, output_path, &r.out))
        helia_info(v->diag, 1, "run: %u inference%s, %s", r.steps, r.steps == 1 ? "" : "s", output_path);
}
