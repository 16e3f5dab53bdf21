/* The schema by name: operators, types, option tables, and the fields of an operator's options. */
#include "litert/schema.h"

#include <assert.h>
#include <string.h>

static const char *const operator_names[] = {
#define OPERATOR(code, name) [code] = #name,
#include "litert/operators.inc"
#undef OPERATOR
};

static const char *const type_names[] = {
#define TYPE(value, name, bits, lowest, highest) [value] = #name,
#include "litert/types.inc"
#undef TYPE
};

enum {
    N_OPERATORS = sizeof(operator_names) / sizeof(*operator_names),
    N_TYPES = sizeof(type_names) / sizeof(*type_names),
    N_TAGS = UINT8_MAX + 1
};

const char *litert_op_name(int32_t builtin_code)
{
    return builtin_code >= 0 && builtin_code < N_OPERATORS ? operator_names[builtin_code] : NULL;
}

int32_t litert_op_code(const char *name)
{
    for (int32_t i = 0; i < N_OPERATORS; i++)
        if (strcmp(operator_names[i], name) == 0)
            return i;
    return -1;
}

const char *litert_type_name(int32_t type)
{
    return type >= 0 && type < N_TYPES ? type_names[type] : NULL;
}

static const SchemaTable *options_table(uint8_t type, bool second_union)
{
    return schema_member(second_union ? UNION_BuiltinOptions2 : UNION_BuiltinOptions, type);
}

const char *litert_options_name(uint8_t type, bool second_union)
{
    const SchemaTable *table = options_table(type, second_union);
    return table ? table->name : NULL;
}

int32_t litert_options_tag(const char *name, bool second_union)
{
    for (int32_t tag = 1; tag < N_TAGS; tag++) {
        const SchemaTable *table = options_table((uint8_t)tag, second_union);
        if (table && strcmp(table->name, name) == 0)
            return tag;
    }
    return -1;
}

static int32_t field_id(const SchemaTable *table, const char *field)
{
    for (unsigned i = 0; table && i < table->n_fields; i++)
        if (strcmp(table->fields[i].name, field) == 0)
            return (int32_t)i;
    return -1;
}

int32_t litert_field_id(uint8_t type, bool second_union, const char *field)
{
    return field_id(options_table(type, second_union), field);
}

LitertOptions litert_options_new(HeliaArena *arena, uint8_t type, bool second_union)
{
    const SchemaTable *table = options_table(type, second_union);
    if (!table)
        return (LitertOptions){0};
    LitertOptions options = {type, table->n_fields, HELIA_NEW_N(arena, LitertField, table->n_fields)};
    for (unsigned i = 0; i < table->n_fields; i++)
        options.fields[i].i = table->fields[i].otherwise; /* that of floats is always 0 */
    return options;
}

static bool schema_has(const char *table, const char *field)
{
    for (int second = 0; second < 2; second++) {
        int32_t tag = litert_options_tag(table, second);
        if (tag >= 0 && litert_field_id((uint8_t)tag, second, field) >= 0)
            return true;
    }
    return false;
}

/* The field in whichever of its two unions the operator has that table; NULL: it has it in neither. */
static const LitertField *option(const LitertOp *op, const char *table, const char *field)
{
    assert(schema_has(table, field));
    (void)schema_has;
    for (int second = 0; second < 2; second++) {
        const LitertOptions *options = second ? &op->options_2 : &op->options;
        const SchemaTable *have = options_table(options->type, second);
        int32_t id = have && strcmp(have->name, table) == 0 ? field_id(have, field) : -1;
        if (id >= 0)
            return &options->fields[id];
    }
    return NULL;
}

int64_t litert_opt_int(const LitertOp *op, const char *table, const char *field, int64_t otherwise)
{
    const LitertField *f = option(op, table, field);
    return f ? f->i : otherwise;
}

double litert_opt_float(const LitertOp *op, const char *table, const char *field, double otherwise)
{
    const LitertField *f = option(op, table, field);
    return f ? f->f : otherwise;
}

LitertInts litert_opt_ints(const LitertOp *op, const char *table, const char *field)
{
    const LitertField *f = option(op, table, field);
    return f ? f->ints : (LitertInts){0};
}

const char *litert_opt_text(const LitertOp *op, const char *table, const char *field)
{
    const LitertField *f = option(op, table, field);
    return f && f->text ? f->text : "";
}
