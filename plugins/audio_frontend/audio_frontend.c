/* Options by key, checks and state: what the operators' files share. */
#include "audio_frontend.h"

#include <stdarg.h>
#include <string.h>

/* ---- options ---------------------------------------------------------------------------------- */
static const char *const kind_text[] = {"null", "an integer", "a real number", "a boolean",
                                        "text", "a blob",     "a vector",      "a map"};

static bool read_int(const HeliaFlex *v, void *to)
{
    int64_t value;
    if (helia_flex_kind(v) != HELIA_FLEX_INT || !helia_flex_int(v, &value) || value < INT32_MIN || value > UINT32_MAX)
        return false;
    uint32_t bits = (uint32_t)value;
    memcpy(to, &bits, sizeof(bits));
    return true;
}

static bool read_bool(const HeliaFlex *v, void *to)
{
    int64_t number;
    bool value;
    if (helia_flex_kind(v) == HELIA_FLEX_INT && helia_flex_int(v, &number))
        value = number != 0;
    else if (helia_flex_kind(v) != HELIA_FLEX_BOOL || !helia_flex_bool(v, &value))
        return false;
    memcpy(to, &value, sizeof(value));
    return true;
}

static bool read_option(HeliaParse *p, const HeliaFlex *map, const HeliaField *field, void *options)
{
    const bool is_bool = field->kind == HELIA_FIELD_BOOL;
    const char *expected = is_bool ? "a boolean" : "an integer of 32 bits";
    char *to = (char *)options + field->offset;
    HeliaFlex value;
    if (!helia_flex_find(map, field->name, &value))
        return strcmp(field->name, "T") == 0 ||
               helia_error(p->diag, p->at, "custom options: %s is missing; expected %s", field->name, expected);
    return (is_bool ? read_bool(&value, to) : read_int(&value, to)) ||
           helia_error(p->diag, p->at, "custom options: %s is %s; expected %s", field->name,
                       kind_text[helia_flex_kind(&value)], expected);
}

static const char *field_list(HeliaArena *arena, const HeliaOptionsClass *c)
{
    const char *text = "";
    for (uint32_t i = 0; i < c->n_fields; i++)
        text = helia_format(arena, "%s%s%s", text, i ? ", " : "", c->fields[i].name);
    return text;
}

bool signal_parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node)
{
    const HeliaOptionsClass *c = self->user;
    const LitertBytes bytes = p->op->custom_options;
    HeliaFlex map;
    bool ok = true;
    if (!c)
        return true;
    if (!helia_flex_root(bytes.at, bytes.len, &map) || helia_flex_kind(&map) != HELIA_FLEX_MAP)
        return helia_error(p->diag, p->at,
                           "custom options: %zu bytes that are no FlexBuffers map; expected one with %s", bytes.len,
                           field_list(p->arena, c));
    for (uint32_t i = 0; i < c->n_fields; i++)
        ok = read_option(p, &map, &c->fields[i], node->options) && ok;
    return ok;
}

/* ---- checks ----------------------------------------------------------------------------------- */
bool signal_fail(const HeliaOpContext *c, const AirNode *n, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const char *text = helia_vformat(c->arena, fmt, args);
    va_end(args);
    return helia_error(c->diag, air_node_loc(c->graph, n), "%s", text);
}

static const char *type_list(HeliaArena *arena, uint32_t types)
{
    const char *text = "";
    for (uint32_t t = 0; t < AIR_NUM_TYPES; t++)
        if (types & SIGNAL_TYPE(t))
            text = helia_format(arena, "%s%s%s", text, *text ? " or " : "", air_type_doc((AirType)t));
    return text;
}

static bool check_operand(const HeliaOpContext *c, const AirNode *n, const AirTensor *t, const SignalOperand *wanted)
{
    bool ok = true;
    if (!(wanted->types & SIGNAL_TYPE(t->type)))
        ok = signal_fail(c, n, "the %s is %s; supported: %s", wanted->what, air_type_doc(t->type),
                         type_list(c->arena, wanted->types));
    if (t->shape_is_open && t->def == n)
        return ok; /* its shape follows from the inputs */
    if (t->rank < wanted->min_rank || t->rank > wanted->max_rank)
        ok = wanted->min_rank == wanted->max_rank
                 ? signal_fail(c, n, "the %s has rank %d; expected rank %d", wanted->what, t->rank, wanted->min_rank)
                 : signal_fail(c, n, "the %s has rank %d; expected rank %d to %d", wanted->what, t->rank,
                               wanted->min_rank, wanted->max_rank);
    if (air_count(t) < 1)
        ok = signal_fail(c, n, "the %s has shape %s; expected one with elements", wanted->what,
                         air_shape_text(c->arena, t));
    return ok;
}

bool signal_operands(const HeliaOpContext *c, const AirNode *n, const SignalOperand *in, const SignalOperand *out)
{
    bool ok = true;
    for (uint32_t i = 0; i < n->n_in; i++)
        ok = check_operand(c, n, n->in[i], &in[i]) && ok;
    for (uint32_t i = 0; i < n->n_out; i++)
        ok = check_operand(c, n, n->out[i], &out[i]) && ok;
    return ok;
}

bool signal_range(const HeliaOpContext *c, const AirNode *n, const char *option, int32_t value, int32_t lo, int32_t hi)
{
    return (value >= lo && value <= hi) || signal_fail(c, n, "%s is %d; accepted: %d to %d", option, value, lo, hi);
}

bool signal_shape(const HeliaOpContext *c, AirNode *n, uint32_t output, int32_t rank, const int32_t *dim)
{
    AirTensor *t = n->out[output], expected = *t;
    expected.rank = rank;
    memcpy(expected.dim, dim, (size_t)rank * sizeof(*dim));
    int64_t count = 1;
    for (int32_t i = 0; i < rank && count <= INT32_MAX; i++)
        count *= dim[i];
    if (count > INT32_MAX)
        return signal_fail(c, n, "output %u of shape %s would be too large", output,
                           air_shape_text(c->arena, &expected));
    if (!air_same_shape(t, &expected) && !t->shape_is_open)
        return signal_fail(c, n, "output %u has shape %s; inputs and options give %s", output,
                           air_shape_text(c->arena, t), air_shape_text(c->arena, &expected));
    t->rank = rank;
    memcpy(t->dim, dim, (size_t)rank * sizeof(*dim));
    return true;
}

bool signal_type_option(const HeliaOpContext *c, const AirNode *n, int32_t T)
{
    const AirType type = n->in[0]->type;
    bool ok = T == air_type_litert(type) || signal_fail(c, n, "option T is %d, but the input is %s, which is %d", T,
                                                        air_type_doc(type), air_type_litert(type));
    if (n->out[0]->type != type)
        ok = signal_fail(c, n, "the input is %s and the output %s; expected the same type", air_type_doc(type),
                         air_type_doc(n->out[0]->type));
    return ok;
}

bool signal_at_least(const HeliaOpContext *c, const AirNode *n, uint32_t input, int64_t count)
{
    return air_count(n->in[input]) >= count ||
           signal_fail(c, n, "input %u has shape %s; expected at least %lld elements", input,
                       air_shape_text(c->arena, n->in[input]), (long long)count);
}

/* ---- preparing -------------------------------------------------------------------------------- */
const char *signal_fits(const HeliaOpContext *c, const AirNode *n)
{
    (void)c, (void)n;
    return NULL;
}

static const char *fits_type(const AirNode *n, AirType type, const char *misfit)
{
    return n->in[0]->type == type ? NULL : misfit;
}

const char *signal_fits_s16(const HeliaOpContext *c, const AirNode *n)
{
    (void)c;
    return fits_type(n, AIR_S16, "the input is not int16");
}

const char *signal_fits_s32(const HeliaOpContext *c, const AirNode *n)
{
    (void)c;
    return fits_type(n, AIR_S32, "the input is not int32");
}

const char *signal_fits_f32(const HeliaOpContext *c, const AirNode *n)
{
    (void)c;
    return fits_type(n, AIR_F32, "the input is not float32");
}

AirTensor *signal_state(const HeliaOpContext *c, const char *name, AirType type, int32_t rank, const int32_t *dim,
                        const void *initial)
{
    AirTensor *t = air_tensor_new(c->graph, name, type, rank, dim);
    t->is_variable = true;
    if (initial)
        t->initial = helia_memdup(c->arena, initial, air_bytes(t));
    return t;
}

void signal_args(const HeliaOpContext *c, AirNode *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        air_arg(n, c->graph, n->in[i], false);
    for (uint32_t i = 0; i < n->n_out; i++)
        air_arg(n, c->graph, n->out[i], true);
}

int32_t signal_rows(const AirTensor *t, int32_t inner)
{
    int32_t rows = 1;
    for (int32_t i = 0; i < t->rank - inner; i++)
        rows *= t->dim[i];
    return rows;
}

int32_t signal_last_dim(const AirTensor *t)
{
    return t->dim[t->rank - 1];
}
