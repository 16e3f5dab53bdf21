/* Names of the module: made-safe, unique, never the API's own; and what deserves a name at all. */
#include "emit/emit_int.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- the set of taken identifiers ------------------------------------------------------------- */
static uint32_t name_slot(const NameSet *set, const char *name)
{
    uint32_t hash = 2166136261u;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    uint32_t i = hash & (set->cap - 1);
    while (set->at[i] && strcmp(set->at[i], name) != 0)
        i = (i + 1) & (set->cap - 1);
    return i;
}

bool name_taken(const NameSet *set, const char *name)
{
    return set->cap && set->at[name_slot(set, name)];
}

void name_take(NameSet *set, const char *name)
{
    if (set->len * 2 >= set->cap) {
        NameSet fresh = {set->arena, NULL, set->cap ? set->cap * 2 : 256, set->len};
        fresh.at = HELIA_NEW_N(set->arena, const char *, fresh.cap);
        for (uint32_t i = 0; i < set->cap; i++)
            if (set->at[i])
                fresh.at[name_slot(&fresh, set->at[i])] = set->at[i];
        *set = fresh;
    }
    uint32_t i = name_slot(set, name);
    if (!set->at[i])
        set->len++;
    set->at[i] = name;
}

/* ---- identifiers that the API has, whatever the model ----------------------------------------- */
/* Lists of words, separated by a space. */
static const char lower_names[] =
    "dtype dtype_t tensor_view tensor_view_t model_context model_context_t node_callback_t "
    "debug_callback_t arena_binding arena_binding_t model_init model_run model_run_steps bind_arena "
    "bind_arenas bind_blob state_reset state_reset_variable state_save state_restore hydrate_constants "
    "test_case_run test_case debug_print debug_outputs";
static const char upper_names[] =
    "STATUS_OK STATUS_NULL_CONTEXT STATUS_NOT_INITIALIZED STATUS_ARENA_NOT_BOUND STATUS_ARENA_TOO_SMALL "
    "STATUS_ARENA_MISALIGNED STATUS_BAD_REGION STATUS_BLOB_MISMATCH STATUS_STATE_MISMATCH DTYPE_FLOAT32 "
    "DTYPE_FLOAT16 DTYPE_INT32 DTYPE_UINT8 DTYPE_INT64 DTYPE_BOOL DTYPE_INT16 DTYPE_INT8 DTYPE_UINT64 "
    "DTYPE_RESOURCE DTYPE_UINT32 DTYPE_UINT16 DTYPE_INT4 NUM_TENSORS NUM_REGIONS NUM_INPUTS NUM_OUTPUTS "
    "NUM_OPERATORS PLAN_HASH WEIGHTS_BYTES STACK_BYTES STATE_SIZE PRINTF ALIGNED WEAK COMMON_H PLATFORM_H "
    "TENSORS_H CONTEXT_H MODEL_H OPERATORS_H ARENAS_H TEST_CASE_H DEBUG_H";
/* A prefix and a tensor's name can spell these together: prefix "int8", tensor "t". */
static const char language_names[] =
    "static_assert thread_local const_cast dynamic_cast reinterpret_cast static_cast co_await co_return "
    "co_yield and_eq not_eq or_eq xor_eq atomic_cancel atomic_commit atomic_noexcept char8_t char16_t "
    "char32_t wchar_t wint_t size_t ssize_t ptrdiff_t max_align_t nullptr_t intptr_t uintptr_t intmax_t "
    "uintmax_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t float_t double_t INT8_MIN "
    "INT8_MAX INT16_MIN INT16_MAX INT32_MIN INT32_MAX INT64_MIN INT64_MAX UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX "
    "INT8_C INT16_C INT32_C INT64_C UINT8_C UINT16_C UINT32_C UINT64_C INTPTR_MIN INTPTR_MAX UINTPTR_MAX INTMAX_MIN "
    "INTMAX_MAX UINTMAX_MAX INTMAX_C UINTMAX_C SIZE_MAX PTRDIFF_MIN PTRDIFF_MAX";
#define COUNT(a) ((uint32_t)(sizeof(a) / sizeof((a)[0])))

static const char *lower(HeliaEmitter *e, const char *name)
{
    return helia_format(e->arena, "%s_%s", e->prefix, name);
}

static const char *upper(HeliaEmitter *e, const char *name)
{
    return helia_format(e->arena, "%s_%s", e->PREFIX, name);
}

static const char *to_upper(HeliaArena *arena, const char *text)
{
    char *copy = helia_strdup(arena, text);
    for (char *c = copy; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return copy;
}

static const char *to_lower(HeliaArena *arena, const char *text)
{
    char *copy = helia_strdup(arena, text);
    for (char *c = copy; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return copy;
}

/* prefix NULL: the words as they are. */
static void take_words(HeliaEmitter *e, const char *prefix, const char *words)
{
    while (*words) {
        size_t n = strcspn(words, " ");
        const char *word = helia_strndup(e->arena, words, n);
        name_take(&e->names, prefix ? helia_format(e->arena, "%s_%s", prefix, word) : word);
        words += n + (words[n] == ' ');
    }
}

static void take_api_names(HeliaEmitter *e)
{
    take_words(e, e->prefix, lower_names);
    take_words(e, e->PREFIX, upper_names);
    take_words(e, NULL, language_names);
    name_take(&e->names, lower(e, "constant_blob"));
    for (int m = 0; m < NUM_MEMORIES; m++) {
        const char *memory = memory_name((MemoryType)m);
        name_take(&e->names, upper(e, helia_format(e->arena, "PUT_IN_%s", memory)));
        name_take(&e->names, upper(e, helia_format(e->arena, "PUT_IN_%s_INIT", memory)));
        name_take(&e->names, upper(e, helia_format(e->arena, "ARENA_%s_BYTES", memory)));
        name_take(&e->names, upper(e, helia_format(e->arena, "CODE_IN_%s", memory)));
    }
    for (uint32_t r = 0; r < e->plan->regions.len; r++) {
        const char *name = region_name(e, r);
        name_take(&e->names, name);
        name_take(&e->names, helia_format(e->arena, "%s_SIZE", name));
        name_take(&e->names, helia_format(e->arena, "%s_ALIGN", name));
        name_take(&e->names, helia_format(e->arena, "%s_BLOB_SIZE", name));
        name_take(&e->names, region_symbol(e, r));
        name_take(&e->names, blob_symbol(e, r));
    }
    for (uint32_t i = 0, n = 0; i < e->graph->tensors.len; i++)
        if (e->graph->tensors.at[i]->is_variable)
            name_take(&e->names, initial_symbol(e, n++));
    for (uint32_t i = 0; i < e->operators.len; i++) {
        const char *cname = e->operators.at[i]->cname;
        name_take(&e->names, lower(e, helia_format(e->arena, "%s_init", cname)));
        name_take(&e->names, lower(e, helia_format(e->arena, "%s_run", cname)));
        name_take(&e->names, upper(e, helia_format(e->arena, "%s_H", to_upper(e->arena, cname))));
    }
}

/* ---- making safe ------------------------------------------------------------------------------ */
/* Letters, digits and underscores; at most 64 characters. */
static const char *made_safe(HeliaArena *arena, const char *name, const char *if_empty)
{
    enum { LIMIT = 64 };
    if (!*name)
        return if_empty;
    char *safe = helia_strndup(arena, name, strlen(name) < LIMIT ? strlen(name) : LIMIT);
    for (char *c = safe; *c; c++)
        if (!isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80)
            *c = '_';
    return safe;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Copied kernels bring names of their own under these, which are not listed one by one. */
static bool is_kernel_name(const HeliaEmitter *e, const char *name)
{
    size_t p = strlen(e->prefix) + 1;
    return begins(name + p, "helia_") || (strcmp(e->prefix, e->PREFIX) == 0 && begins(name + p, "HELIA_"));
}

static const char *unique_tensor_name(HeliaEmitter *e, const AirTensor *t)
{
    const char *made = helia_format(e->arena, "t%u", t->id);
    bool is_resource = t->is_variable && t->litert_index < 0;
    const char *safe = made_safe(e->arena, t->name, made);
    const char *name = lower(e, is_resource ? helia_format(e->arena, "var_%s", safe) : safe);
    if (is_kernel_name(e, name))
        name = lower(e, helia_format(e->arena, "t_%s", safe));
    for (const char *tried = name; name_taken(&e->names, name);)
        name = tried = helia_format(e->arena, "%s_%s", tried, made);
    name_take(&e->names, name);
    return name;
}

/* The identifiers that come from one input or output. */
enum { PORT_NAMES = 7 };
static void port_names(HeliaEmitter *e, bool is_input, const char *safe, const char *names[PORT_NAMES])
{
    static const char *const tails[] = {"", "_SCALE", "_ZERO_POINT", "_COUNT", "_RANK", "_SHAPE"};
    for (uint32_t i = 0; i < COUNT(tails); i++)
        names[i] = helia_format(e->arena, "%s_%s_%s%s", e->PREFIX, is_input ? "INPUT" : "OUTPUT", safe, tails[i]);
    names[PORT_NAMES - 1] = helia_format(e->arena, "%s_%s_%s", e->prefix,
                                         is_input ? "quantize_input" : "dequantize_output", safe);
}

static EmitPort *plan_ports(HeliaEmitter *e, bool is_input)
{
    const AirGraph *g = e->graph;
    uint32_t n = is_input ? g->inputs.len : g->outputs.len;
    EmitPort *ports = HELIA_NEW_N(e->arena, EmitPort, n);
    for (uint32_t i = 0; i < n; i++) {
        EmitPort *p = &ports[i];
        p->tensor = is_input ? g->inputs.at[i] : g->outputs.at[i];
        const char *const *given = is_input ? g->input_names : g->output_names;
        p->original = given && given[i] ? given[i] : p->tensor->name;
        p->safe = made_safe(e->arena, p->original, helia_format(e->arena, "%u", i));
        const char *names[PORT_NAMES];
        for (bool free = false; !free;) {
            port_names(e, is_input, p->safe, names);
            free = true;
            for (uint32_t k = 0; k < PORT_NAMES; k++)
                free = free && !name_taken(&e->names, names[k]);
            if (!free)
                p->safe = helia_format(e->arena, "%s_%u", p->safe, i);
        }
        for (uint32_t k = 0; k < PORT_NAMES; k++)
            name_take(&e->names, names[k]);
    }
    return ports;
}

/* ---- what is reached -------------------------------------------------------------------------- */
static void find_operators(HeliaEmitter *e)
{
    for (uint32_t i = 0; i < e->graph->nodes.len; i++) {
        const AirNode *n = e->graph->nodes.at[i];
        if (!plan_is_free(e->plan, n))
            HELIA_PUSH(e->arena, &e->operators, n);
    }
}

static void reach(bool *reached, const AirTensor *t)
{
    if (t)
        reached[t->id] = true;
}

static bool *find_reached(HeliaEmitter *e)
{
    const AirGraph *g = e->graph;
    bool *reached = HELIA_NEW_N(e->arena, bool, g->tensors.len);
    for (uint32_t i = 0; i < e->operators.len; i++) {
        const AirNode *n = e->operators.at[i];
        for (uint32_t k = 0; k < n->args.len; k++)
            reach(reached, n->args.at[k].tensor);
        for (uint32_t k = 0; n->args.len == 0 && k < n->n_in; k++)
            reach(reached, n->in[k]);
        for (uint32_t k = 0; n->args.len == 0 && k < n->n_out; k++)
            reach(reached, n->out[k]);
    }
    for (uint32_t i = 0; i < g->inputs.len; i++)
        reach(reached, g->inputs.at[i]);
    for (uint32_t i = 0; i < g->outputs.len; i++)
        reach(reached, g->outputs.at[i]);
    for (uint32_t i = 0; i < g->tensors.len; i++)
        if (g->tensors.at[i]->is_variable && e->plan->tensors[i].region >= 0)
            reached[i] = true;
    return reached;
}

/* Tensors of one region stand together, so that init can place them in a loop: scratch, constants, then what has no
 * storage, then persistent; resource variables behind all others. */
static uint32_t group_of(const HeliaEmitter *e, const AirTensor *t)
{
    int32_t region = e->plan->tensors[t->id].region;
    uint32_t is_resource = t->is_variable && t->litert_index < 0;
    uint32_t role = 2;
    if (region >= 0) {
        MemoryRole r = e->plan->regions.at[region].role;
        role = r == ROLE_SCRATCH ? 0 : r == ROLE_CONSTANT ? 1 : 3;
    }
    return is_resource << 16 | role << 8 | (uint32_t)(region + 1);
}

static void find_tensors(HeliaEmitter *e)
{
    const bool *reached = find_reached(e);
    uint32_t *groups = HELIA_NEW_N(e->arena, uint32_t, e->graph->tensors.len);
    for (uint32_t i = 0; i < e->graph->tensors.len; i++) {
        if (!reached[i])
            continue;
        const AirTensor *t = e->graph->tensors.at[i];
        uint32_t group = group_of(e, t), k = e->tensors.len;
        HELIA_PUSH(e->arena, &e->tensors, t);
        for (; k > 0 && groups[k - 1] > group; k--) {
            groups[k] = groups[k - 1];
            e->tensors.at[k] = e->tensors.at[k - 1];
        }
        groups[k] = group;
        e->tensors.at[k] = t;
    }
}

static bool find_variables(HeliaEmitter *e)
{
    size_t size = 0;
    for (uint32_t i = 0; i < e->tensors.len; i++) {
        const AirTensor *t = e->tensors.at[i];
        const MemorySlot *slot = &e->plan->tensors[t->id];
        if (!t->is_variable || slot->region < 0 || slot->root != t->id)
            continue;
        HELIA_PUSH(e->arena, &e->variables, t);
        size += air_bytes(t);
    }
    if (size > UINT32_MAX - 4)
        return helia_error(e->diag, HELIA_NOWHERE, "the model's state has %zu bytes; at most 4 GiB are supported",
                           size);
    e->state_size = size ? (uint32_t)size + 4u : 0u; /* behind the identity */
    return true;
}

/* File systems that ignore case must keep the operators' files apart. */
static bool check_operator_names(HeliaEmitter *e)
{
    NameSet files = {e->arena, NULL, 0, 0};
    bool ok = true;
    for (uint32_t i = 0; i < e->operators.len; i++) {
        const char *name = to_lower(e->arena, e->operators.at[i]->cname);
        if (name_taken(&files, name))
            ok = helia_error(e->diag, air_node_loc(e->graph, e->operators.at[i]),
                             "internal: two operators are named %s", name);
        name_take(&files, name);
    }
    return ok;
}

bool plan_names(HeliaEmitter *e)
{
    e->names.arena = e->arena;
    e->PREFIX = to_upper(e->arena, e->prefix);
    find_operators(e);
    if (!check_operator_names(e))
        return false;
    take_api_names(e);
    e->inputs = plan_ports(e, true);
    e->outputs = plan_ports(e, false);
    find_tensors(e);
    e->tensor_names = HELIA_NEW_N(e->arena, const char *, e->graph->tensors.len);
    for (uint32_t i = 0; i < e->tensors.len; i++)
        e->tensor_names[e->tensors.at[i]->id] = unique_tensor_name(e, e->tensors.at[i]);
    return find_variables(e);
}

/* ---- regions ---------------------------------------------------------------------------------- */
const char *region_name(HeliaEmitter *e, uint32_t region)
{
    const MemoryRegion *r = &e->plan->regions.at[region];
    return helia_format(e->arena, "%s_REGION_%s_%s", e->PREFIX, memory_role_name(r->role), memory_name(r->memory));
}

const char *initial_symbol(HeliaEmitter *e, uint32_t variable)
{
    return helia_format(e->arena, "%s_initial_%u", e->prefix, variable);
}

const char *region_symbol(HeliaEmitter *e, uint32_t region)
{
    const MemoryRegion *r = &e->plan->regions.at[region];
    const char *name = helia_format(e->arena, "%s_%s", memory_role_name(r->role), memory_name(r->memory));
    return helia_format(e->arena, "%s_arena_%s", e->prefix, to_lower(e->arena, name));
}

const char *blob_symbol(HeliaEmitter *e, uint32_t region)
{
    const char *symbol = region_symbol(e, region) + strlen(e->prefix) + strlen("_arena_");
    return helia_format(e->arena, "%s_blob_%s", e->prefix, symbol);
}

bool region_is_cold(const HeliaEmitter *e, uint32_t region)
{
    const MemoryRegion *r = &e->plan->regions.at[region];
    return r->role == ROLE_CONSTANT && !r->staged;
}

bool region_is_owned(const HeliaEmitter *e, uint32_t region)
{
    return region_is_cold(e, region) ? !e->plan->regions.at[region].sidecar : e->config->memory.allocate_arenas;
}

bool region_is_bound(const HeliaEmitter *e, uint32_t region)
{
    return !region_is_cold(e, region) && !e->config->memory.allocate_arenas;
}

const char *slot_text(HeliaEmitter *e, const MemorySlot *slot)
{
    if (slot->region < 0)
        return "no storage";
    const MemoryRegion *r = &e->plan->regions.at[slot->region];
    return helia_format(e->arena, "%s %s + %zu", memory_role_name(r->role), memory_name(r->memory), slot->offset);
}

const MemorySlot *scratch_slot(const HeliaEmitter *e, const AirNode *node)
{
    for (uint32_t i = 0; i < e->graph->nodes.len; i++)
        if (e->graph->nodes.at[i] == node)
            return e->plan->scratch[i].region >= 0 ? &e->plan->scratch[i] : NULL;
    return NULL;
}

bool helia_emit_in_place(HeliaEmitter *e, const AirNode *node, uint32_t i)
{
    HeliaPart p;
    return node_part(node, i, &p) && plan_in_place(e->plan, &p);
}

size_t weights_bytes(const HeliaEmitter *e)
{
    size_t size = 0;
    for (uint32_t r = 0; r < e->plan->regions.len; r++)
        if (e->plan->regions.at[r].role == ROLE_CONSTANT)
            size += e->plan->regions.at[r].size;
    for (uint32_t i = 0; i < e->variables.len; i++)
        size += has_initial_array(e->variables.at[i]) ? air_bytes(e->variables.at[i]) : 0;
    return size;
}

size_t memory_bytes(const HeliaEmitter *e, MemoryType memory)
{
    size_t size = 0;
    for (uint32_t r = 0; r < e->plan->regions.len; r++)
        if (e->plan->regions.at[r].memory == memory)
            size += e->plan->regions.at[r].size;
    return size;
}
