/* Tensors of a graph in .npz archives. */
#include "golden/feed.h"

#include <stdlib.h>
#include <string.h>

static HeliaLoc at_archive(const Feed *f)
{
    return helia_at_file(f->path);
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
/* What "in<i>_<step>" holds, with another word for outputs; numbers too large are UINT32_MAX. */
static bool read_step(const char *name, const char *word, uint32_t *port, uint32_t *step)
{
    uint32_t *const to[] = {port, step};
    if (strncmp(name, word, strlen(word)) != 0)
        return false;
    const char *p = name + strlen(word);
    for (int k = 0; k < 2; k++) {
        const size_t n = strspn(p, "0123456789");
        if (n == 0 || p[n] != (k ? 0 : '_'))
            return false;
        const unsigned long number = strtoul(p, NULL, 10);
        *to[k] = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
        p += n + 1;
    }
    return true;
}

/* Arrays in<i>_<step> of this model's inputs decide for several steps, which are numbered without a gap. */
static bool count_steps(Feed *f)
{
    bool ok = true;
    f->steps = 1;
    for (uint32_t i = 0; i < f->npz.len; i++) {
        uint32_t input, step;
        HeliaLoc at = at_archive(f);
        at.name = f->npz.at[i].name;
        if (!read_step(at.name, "in", &input, &step) || input >= f->graph->inputs.len)
            continue;
        const char *before = step ? helia_format(f->arena, "in%u_%u", input, step - 1) : NULL;
        f->stepwise = true;
        if (strcmp(at.name, helia_format(f->arena, "in%u_%u", input, step)) != 0)
            ok = helia_error(f->diag, at, "the numbers are too large or begin with 0; expected in<i>_<step>");
        else if (before && !npz_find(&f->npz, before))
            ok = helia_error(f->diag, at, "there is no array %s before it; steps are numbered from 0 without a gap",
                             before);
        else if (step >= f->steps)
            f->steps = step + 1;
    }
    return ok;
}

bool feed_read(Feed *f, HeliaArena *arena, HeliaDiag *diag, const AirGraph *graph, const char *path)
{
    *f = (Feed){.arena = arena, .diag = diag, .graph = graph, .path = path};
    if (!npz_read(arena, diag, path, &f->npz))
        return false;
    return count_steps(f);
}

/* ---- arrays ----------------------------------------------------------------------------------- */
/* The inputs or the outputs, and what their arrays are called. */
typedef struct Ports {
    const char *word, *plain; /* "in" of "in0_0", "input" of "input_0" */
    uint32_t n;
    AirTensor *const *tensors;
    const char *const *names;
} Ports;

static Ports ports_of(const Feed *f, bool outputs)
{
    const AirGraph *g = f->graph;
    return outputs ? (Ports){"out", "output", g->outputs.len, g->outputs.at, g->output_names}
                   : (Ports){"in", "input", g->inputs.len, g->inputs.at, g->input_names};
}

/* Which of them an array without steps is: by index, else by the name of the port, else by that of the tensor.
 * UINT32_MAX: none. An array is one at most: input_1 is the input of that index, whatever the name of another one. */
static uint32_t find_port(const Feed *f, const Ports *ports, const char *name)
{
    for (uint32_t i = 0; i < ports->n; i++)
        if (strcmp(name, helia_format(f->arena, "%s_%u", ports->plain, i)) == 0)
            return i;
    for (uint32_t i = 0; i < ports->n; i++)
        if (strcmp(name, ports->names[i]) == 0)
            return i;
    for (uint32_t i = 0; i < ports->n; i++)
        if (strcmp(name, ports->tensors[i]->name) == 0)
            return i;
    return UINT32_MAX;
}

static const NpzArray *find_array(const Feed *f, bool outputs, uint32_t i, uint32_t step)
{
    const Ports ports = ports_of(f, outputs);
    if (f->stepwise)
        return npz_find(&f->npz, helia_format(f->arena, "%s%u_%u", ports.word, i, step));
    for (uint32_t k = 0; k < f->npz.len; k++)
        if (find_port(f, &ports, f->npz.at[k].name) == i)
            return &f->npz.at[k];
    return NULL;
}

static const NpzArray *find_input(const Feed *f, uint32_t i, uint32_t step)
{
    return find_array(f, false, i, step);
}

const NpzArray *feed_find_output(const Feed *f, uint32_t i, uint32_t step)
{
    return find_array(f, true, i, step);
}

static bool check_ports(const Feed *f, bool outputs)
{
    const Ports ports = ports_of(f, outputs);
    const char **first = HELIA_NEW_N(f->arena, const char *, ports.n);
    bool *first_is_step = HELIA_NEW_N(f->arena, bool, ports.n);
    bool ok = true;
    for (uint32_t k = 0; k < f->npz.len; k++) {
        HeliaLoc at = at_archive(f);
        at.name = f->npz.at[k].name;
        uint32_t port, step;
        const bool is_step = read_step(at.name, ports.word, &port, &step);
        port = is_step ? port : find_port(f, &ports, at.name);
        if (port >= ports.n)
            continue;
        if (first[port] && !(is_step && first_is_step[port]))
            ok = helia_error(f->diag, at, "%s %u has the array \"%s\" already; expected one of them", ports.plain, port,
                             helia_printable(f->arena, first[port]));
        if (!first[port])
            first_is_step[port] = is_step;
        first[port] = first[port] ? first[port] : at.name;
    }
    return ok;
}

bool feed_check_unique(const Feed *f)
{
    const bool inputs = check_ports(f, false);
    return check_ports(f, true) && inputs;
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
    uint32_t input, step;
    if (f->stepwise)
        return read_step(name, "in", &input, &step) ? input < f->graph->inputs.len : is_answer(name);
    const Ports inputs = ports_of(f, false), outputs = ports_of(f, true);
    return find_port(f, &inputs, name) != UINT32_MAX || find_port(f, &outputs, name) != UINT32_MAX;
}

bool feed_check_names(const Feed *f)
{
    const AirGraph *g = f->graph;
    bool ok = f->stepwise || feed_check_unique(f);
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
