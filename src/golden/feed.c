/* Tensors of a graph in .npz archives. */
#include "golden/feed.h"

#include <string.h>

static HeliaLoc at_archive(const Feed *f)
{
    HeliaLoc at = HELIA_NOWHERE;
    at.file = f->path;
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

bool feed_describe(HeliaDiag *diag, const AirGraph *graph, const AirTensor *t, const char *name, NpzArray *array)
{
    *array = (NpzArray){.name = name, .rank = t->rank, .size = air_bytes(t)};
    if (!numpy_type(t->type, array))
        return helia_error(diag, air_tensor_loc(graph, t), "type %s has no counterpart in an .npz archive",
                           air_type_doc(t->type));
    for (int32_t i = 0; i < t->rank; i++)
        array->dim[i] = t->dim[i];
    return true;
}

/* ---- steps ------------------------------------------------------------------------------------ */
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
static void count_steps(Feed *f)
{
    f->steps = 1;
    for (uint32_t i = 0; i < f->npz.len; i++) {
        uint32_t input;
        int64_t step = step_of(f->npz.at[i].name, &input);
        if (step < 0 || input >= f->graph->inputs.len)
            continue;
        f->stepwise = true;
        if (step >= f->steps)
            f->steps = (uint32_t)step + 1;
    }
    if (npz_find(&f->npz, "input_0")) {
        f->stepwise = false;
        f->steps = 1;
    }
}

bool feed_read(Feed *f, HeliaArena *arena, HeliaDiag *diag, const AirGraph *graph, const char *path)
{
    *f = (Feed){.arena = arena, .diag = diag, .graph = graph, .path = path};
    if (!npz_read(arena, diag, path, &f->npz))
        return false;
    count_steps(f);
    return true;
}

/* ---- arrays ----------------------------------------------------------------------------------- */
static const NpzArray *find_array(const Feed *f, const char *stepwise, const char *plain, const char *port,
                                  const AirTensor *t, uint32_t i, uint32_t step)
{
    if (f->stepwise)
        return npz_find(&f->npz, helia_format(f->arena, "%s%u_%u", stepwise, i, step));
    const NpzArray *array = npz_find(&f->npz, helia_format(f->arena, "%s_%u", plain, i));
    if (!array)
        array = npz_find(&f->npz, port);
    return array ? array : npz_find(&f->npz, t->name);
}

static const NpzArray *find_input(const Feed *f, uint32_t i, uint32_t step)
{
    return find_array(f, "in", "input", f->graph->input_names[i], f->graph->inputs.at[i], i, step);
}

const NpzArray *feed_find_output(const Feed *f, uint32_t i, uint32_t step)
{
    return find_array(f, "out", "output", f->graph->output_names[i], f->graph->outputs.at[i], i, step);
}

const char *feed_output_name(const Feed *f, uint32_t i, uint32_t step)
{
    return f->stepwise ? helia_format(f->arena, "out%u_%u", i, step) : helia_format(f->arena, "output_%u", i);
}

static bool missing(const Feed *f, uint32_t i, uint32_t step, const NpzArray *wanted)
{
    const char *name = helia_printable(f->arena, f->graph->input_names[i]);
    const char *choices = f->stepwise ? helia_format(f->arena, "in%u_%u", i, step)
                                      : helia_format(f->arena, "input_%u, \"%s\" or in%u_0", i, name, i);
    return helia_error(f->diag, at_archive(f),
                       "input %u \"%s\" is missing: expected an array %s of type %s and shape %s", i, name, choices,
                       npz_type_text(f->arena, wanted), npz_shape_text(f->arena, wanted));
}

bool feed_check_array(const Feed *f, const NpzArray *found, const AirTensor *t, const char *what, uint32_t i)
{
    NpzArray wanted;
    if (!feed_describe(f->diag, f->graph, t, t->name, &wanted))
        return false;
    const char *takes = strcmp(what, "input") == 0 ? "takes" : "has";
    HeliaLoc at = at_archive(f);
    at.name = found->name;
    if (found->fault)
        return helia_error(f->diag, at, "cannot use the array: %s", found->fault);
    bool ok = true;
    if (found->kind != wanted.kind || found->item != wanted.item)
        ok = helia_error(f->diag, at, "type is %s; %s %u %s %s", npz_type_text(f->arena, found), what, i, takes,
                         npz_type_text(f->arena, &wanted));
    if (found->rank != wanted.rank || memcmp(found->dim, wanted.dim, (size_t)found->rank * sizeof(found->dim[0])) != 0)
        ok = helia_error(f->diag, at, "shape is %s; %s %u %s %s", npz_shape_text(f->arena, found), what, i, takes,
                         npz_shape_text(f->arena, &wanted));
    return ok;
}

bool feed_check_inputs(const Feed *f, uint32_t steps, const bool *fed_back)
{
    bool ok = true;
    for (uint32_t step = 0; ok && step < steps; step++) /* the first bad step is enough */
        for (uint32_t i = 0; i < f->graph->inputs.len; i++) {
            if (step > 0 && fed_back && fed_back[i])
                continue;
            const AirTensor *t = f->graph->inputs.at[i];
            const NpzArray *found = find_input(f, i, step);
            NpzArray wanted;
            if (found)
                ok = feed_check_array(f, found, t, "input", i) && ok;
            else
                ok = feed_describe(f->diag, f->graph, t, t->name, &wanted) && missing(f, i, step, &wanted) && ok;
        }
    return ok;
}

/* "tflm0_1": a word and two numbers. */
static bool is_answer(const char *name)
{
    const char *p = name + strspn(name, "abcdefghijklmnopqrstuvwxyz");
    const size_t first = strspn(p, "0123456789"), second = p[first] == '_' ? strspn(p + first + 1, "0123456789") : 0;
    return p != name && first && second && !p[first + 1 + second];
}

static bool belongs(const Feed *f, const char *name)
{
    const AirGraph *g = f->graph;
    uint32_t input;
    if (f->stepwise)
        return step_of(name, &input) >= 0 ? input < g->inputs.len : is_answer(name);
    for (uint32_t i = 0; i < g->inputs.len; i++)
        if (strcmp(name, helia_format(f->arena, "input_%u", i)) == 0 || strcmp(name, g->input_names[i]) == 0 ||
            strcmp(name, g->inputs.at[i]->name) == 0)
            return true;
    for (uint32_t i = 0; i < g->outputs.len; i++)
        if (strcmp(name, helia_format(f->arena, "output_%u", i)) == 0 || strcmp(name, g->output_names[i]) == 0 ||
            strcmp(name, g->outputs.at[i]->name) == 0)
            return true;
    return false;
}

bool feed_check_names(const Feed *f)
{
    const AirGraph *g = f->graph;
    bool ok = true;
    const char *names = "";
    for (uint32_t i = 0; i < g->inputs.len; i++)
        names = f->stepwise ? helia_format(f->arena, "%s%sin%u_<step>", names, i ? ", " : "", i)
                            : helia_format(f->arena, "%s%sinput_%u or \"%s\"", names, i ? ", " : "", i,
                                           helia_printable(f->arena, g->input_names[i]));
    for (uint32_t i = 0; i < f->npz.len; i++) {
        HeliaLoc at = at_archive(f);
        at.name = f->npz.at[i].name;
        if (!belongs(f, at.name))
            ok = helia_error(f->diag, at, "the array belongs to no input; expected %s", *names ? names : "none");
    }
    return ok;
}

void feed_input(const Feed *f, uint32_t i, uint32_t step, void *to)
{
    const NpzArray *array = find_input(f, i, step);
    uint8_t *bytes = to;
    if (array->size)
        memcpy(bytes, array->data, array->size);
    if (array->kind == 'b') /* kernels may count on 0 and 1 */
        for (size_t k = 0; k < array->size; k++)
            bytes[k] = bytes[k] != 0;
}
