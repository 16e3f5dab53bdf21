/* Attribute rules: for each target and attribute the strongest rule wins, among equals the later one. */
#include "plan/attributes.h"

#include <string.h>

#include "plan/live.h"

/* A rule and what became of it. */
typedef struct RuleUse {
    const ConfigRule *rule;
    bool matched;
    bool *met;                           /* by id of the rule: some target of the rule's type has it */
    bool took[MAX_ATTRIBUTES];           /* some target supports the attribute ... */
    const char *refused[MAX_ATTRIBUTES]; /* ... and the first one that does not; NULL: none */
} RuleUse;

typedef struct Rules {
    HeliaArena *arena;
    RuleUse *at;
    uint32_t n;
} Rules;

/* An operator or tensor as rules see it. */
typedef struct Target {
    const char *type;
    ConfigTexts ids;
    const char *shown; /* for messages */
    bool supports[MAX_ATTRIBUTES];
} Target;

static Rules start(HeliaArena *arena, const ConfigRules *from)
{
    Rules r = {arena, HELIA_NEW_N(arena, RuleUse, from->len), from->len};
    for (uint32_t i = 0; i < r.n; i++) {
        r.at[i].rule = &from->at[i];
        r.at[i].met = HELIA_NEW_N(arena, bool, from->at[i].ids.len);
    }
    return r;
}

/* 0 any, 1 type, 2 id, 3 type and id; -1: no match. */
static int strength(const RuleUse *use, const Target *t)
{
    const ConfigRule *rule = use->rule;
    bool named = rule->ids.len == 0;
    if (rule->type && strcmp(rule->type, t->type) != 0)
        return -1;
    for (uint32_t i = 0; i < rule->ids.len; i++)
        for (uint32_t k = 0; k < t->ids.len; k++)
            if (strcmp(rule->ids.at[i], t->ids.at[k]) == 0)
                named = use->met[i] = true;
    if (!named)
        return -1;
    return (rule->type ? 1 : 0) + (rule->ids.len ? 2 : 0);
}

/* The rule that sets the attribute; NULL: none. */
static const ConfigRule *winner(Rules *r, const Target *t, int attribute)
{
    const ConfigRule *best = NULL;
    int most = -1;
    for (uint32_t i = 0; i < r->n; i++) {
        RuleUse *use = &r->at[i];
        int s = strength(use, t);
        if (s < 0)
            continue;
        use->matched = true;
        if (!use->rule->attributes[attribute])
            continue;
        if (!t->supports[attribute]) {
            if (s > 0 && !use->refused[attribute])
                use->refused[attribute] = t->shown;
        } else if (s >= most) {
            most = s;
            best = use->rule;
        }
        use->took[attribute] = use->took[attribute] || t->supports[attribute];
    }
    return best;
}

static int8_t memory_wish(Rules *r, const Target *t, int attribute, HeliaLoc *at)
{
    const ConfigRule *rule = winner(r, t, attribute);
    MemoryType memory;
    if (!rule || !memory_from_name(rule->attributes[attribute], &memory))
        return NO_MEMORY;
    *at = rule->at;
    return (int8_t)memory;
}

/* Rules without effect are warned of; a memory that a rule names must exist. */
static bool check_rules(const Rules *r, HeliaDiag *diag, const Platform *p, const char *kind, const char *const *names,
                        int n_names)
{
    bool ok = true;
    const char *all = "";
    for (int k = 0; k < n_names; k++)
        all = helia_format(r->arena, "%s%s%s", all, k == 0 ? "" : k + 1 < n_names ? ", " : " or ", names[k]);
    for (uint32_t i = 0; i < r->n; i++) {
        const RuleUse *use = &r->at[i];
        bool sets = false;
        for (int k = 0; k < n_names; k++)
            sets = sets || use->rule->attributes[k];
        if (!sets) {
            helia_warn(diag, use->rule->at, "the rule has no effect: it sets no attribute; expected %s", all);
            continue;
        }
        if (!use->matched) {
            helia_warn(diag, use->rule->at, "the rule matches no %s of the model", kind);
            continue;
        }
        for (uint32_t k = 0; k < use->rule->ids.len; k++)
            if (!use->met[k])
                helia_warn(diag, use->rule->at, "the rule's id \"%s\" matches no %s of the model",
                           helia_printable(r->arena, use->rule->ids.at[k]), kind);
        for (int k = 0; k < n_names; k++) {
            MemoryType memory;
            if (!use->rule->attributes[k])
                continue;
            if (memory_from_name(use->rule->attributes[k], &memory) && !p->size[memory])
                ok = helia_error(diag, use->rule->at, "the rule names %s, which platform %s does not have",
                                 memory_name(memory), p->name);
            if (use->refused[k])
                helia_warn(diag, use->rule->at, "the rule sets %s: %s, which %s does not support", names[k],
                           use->rule->attributes[k], use->refused[k]);
            else if (!use->took[k])
                helia_warn(diag, use->rule->at, "the rule sets %s, which no %s of the model supports", names[k], kind);
        }
    }
    return ok;
}

/* ---- tensors ---------------------------------------------------------------------------------- */
MemoryRole tensor_role(const AirTensor *t)
{
    return air_is_constant(t) ? ROLE_CONSTANT : t->is_variable ? ROLE_PERSISTENT : ROLE_SCRATCH;
}

static void add_ids(HeliaArena *arena, Target *target, const AirTensor *t)
{
    HELIA_PUSH(arena, &target->ids, t->name);
    if (t->litert_index >= 0)
        HELIA_PUSH(arena, &target->ids, helia_format(arena, "%d", t->litert_index));
}

static bool is_operand(const AirNode *n, const AirTensor *t)
{
    for (uint32_t i = 0; i < node_operand_count(n); i++)
        if (node_operand(n, i) == t)
            return true;
    return false;
}

/* Packed weights and multipliers go by the names of the constants that they were made from and have replaced. */
static void add_ids_of_sources(HeliaArena *arena, const AirGraph *g, Target *target, const AirTensor *t)
{
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const AirNode *n = g->nodes.at[i];
        if (!n->args.len || !is_operand(n, t))
            continue;
        for (uint32_t k = 0; k < n->n_in; k++)
            if (n->in[k] && n->in[k] != t && air_is_constant(n->in[k]) && !is_operand(n, n->in[k]))
                add_ids(arena, target, n->in[k]);
        return;
    }
}

static const char *memory_or_default(int8_t memory)
{
    return memory == NO_MEMORY ? "by preference" : memory_name((MemoryType)memory);
}

static bool read_tensor(HeliaArena *arena, const AirGraph *g, Rules *rules, const AirTensor *t, TensorWish *wish)
{
    const MemoryRole role = tensor_role(t);
    Target target = {.type = memory_role_name(role)};
    target.shown = helia_format(arena, "tensor \"%s\" (%s)", helia_printable(arena, t->name), target.type);
    add_ids(arena, &target, t);
    if (role == ROLE_CONSTANT && t->litert_index < 0)
        add_ids_of_sources(arena, g, &target, t);
    target.supports[ATTRIBUTE_MEMORY] = true;
    target.supports[ATTRIBUTE_DESTINATION] = role == ROLE_CONSTANT;
    wish->memory = memory_wish(rules, &target, ATTRIBUTE_MEMORY, &wish->memory_at);
    wish->destination = memory_wish(rules, &target, ATTRIBUTE_DESTINATION, &wish->destination_at);
    bool ok = true;
    if (role != ROLE_CONSTANT && wish->memory != NO_MEMORY && !memory_is_writable((MemoryType)wish->memory))
        ok = helia_error(g->model->diag, wish->memory_at, "the rule puts %s into %s, which cannot be written",
                         target.shown, memory_name((MemoryType)wish->memory));
    helia_info(g->model->diag, 2, "plan: %s: memory %s%s%s", target.shown, memory_or_default(wish->memory),
               wish->destination == NO_MEMORY ? "" : ", constant_destination_memory ",
               wish->destination == NO_MEMORY ? "" : memory_name((MemoryType)wish->destination));
    return ok;
}

/* ---- operators -------------------------------------------------------------------------------- */
static bool has_table(const AirNode *n)
{
    for (uint32_t i = 0; i < n->args.len; i++)
        if (n->args.at[i].tensor && n->args.at[i].tensor->is_table)
            return true;
    return false;
}

/* per_op: equal tables of several operators stay apart. universal, as without a rule: they are one. */
static void read_lut_mode(Rules *rules, const Target *target, const AirNode *n, bool *own_table)
{
    const ConfigRule *rule = winner(rules, target, ATTRIBUTE_LUT_MODE);
    for (uint32_t i = 0; rule && i < n->args.len; i++) {
        const AirTensor *t = n->args.at[i].tensor;
        if (t && t->is_table)
            own_table[t->id] = strcmp(rule->attributes[ATTRIBUTE_LUT_MODE], "per_op") == 0;
    }
}

static bool read_operator(HeliaArena *arena, const AirGraph *g, Rules *rules, const AirNode *n, OperatorWish *wish,
                          bool *own_table)
{
    Target target = {.type = n->op_type};
    target.shown = helia_format(arena, "operator %s", n->cname);
    HELIA_PUSH(arena, &target.ids, n->cname);
    if (n->n_out && n->out[0])
        HELIA_PUSH(arena, &target.ids, n->out[0]->name);
    if (n->litert_index >= 0)
        HELIA_PUSH(arena, &target.ids, helia_format(arena, "%d", n->litert_index));
    target.supports[ATTRIBUTE_CODE_PLACEMENT] = !(n->op->traits & HELIA_OP_VIEW);
    target.supports[ATTRIBUTE_SCRATCH_PLACEMENT] = n->scratch > 0;
    target.supports[ATTRIBUTE_LUT_MODE] = has_table(n);
    HeliaLoc at = HELIA_NOWHERE;
    wish->code = memory_wish(rules, &target, ATTRIBUTE_CODE_PLACEMENT, &at);
    wish->scratch = memory_wish(rules, &target, ATTRIBUTE_SCRATCH_PLACEMENT, &at);
    read_lut_mode(rules, &target, n, own_table);
    bool ok = true;
    if (wish->scratch != NO_MEMORY && !memory_is_writable((MemoryType)wish->scratch))
        ok = helia_error(g->model->diag, at,
                         "the rule puts the working memory of %s into %s, which cannot be "
                         "written",
                         target.shown, memory_name((MemoryType)wish->scratch));
    helia_info(g->model->diag, 2, "plan: %s: code_placement %s, scratch_placement %s", target.shown,
               wish->code == NO_MEMORY ? "by the build" : memory_name((MemoryType)wish->code),
               n->scratch ? memory_or_default(wish->scratch) : "none needed");
    return ok;
}

bool wishes_read(HeliaArena *arena, const AirGraph *g, const Platform *p, const Config *config, Wishes *w)
{
    static const char *const of_tensors[] = {"memory", "constant_destination_memory"};
    static const char *const of_operators[] = {"code_placement", "scratch_placement", "lut_mode"};
    bool ok = true;
    w->tensors = HELIA_NEW_N(arena, TensorWish, g->tensors.len);
    w->own_table = HELIA_NEW_N(arena, bool, g->tensors.len);
    w->operators = HELIA_NEW_N(arena, OperatorWish, g->nodes.len);
    Rules rules = start(arena, &config->operators);
    for (uint32_t i = 0; i < g->nodes.len; i++)
        ok = read_operator(arena, g, &rules, g->nodes.at[i], &w->operators[i], w->own_table) && ok;
    ok = check_rules(&rules, g->model->diag, p, "operator", of_operators, MAX_ATTRIBUTES) && ok;
    rules = start(arena, &config->memory.tensors);
    for (uint32_t i = 0; i < g->tensors.len; i++)
        ok = read_tensor(arena, g, &rules, g->tensors.at[i], &w->tensors[i]) && ok;
    ok = check_rules(&rules, g->model->diag, p, "tensor", of_tensors, 2) && ok;
    return ok;
}
