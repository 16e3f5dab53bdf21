/* Custom options as FlexBuffers into a typed options struct, by the description of its fields. */
#include <helia_aot/flexbuffer.h>

#include <math.h>
#include <string.h>

static bool store_int(const HeliaFlex *v, void *to)
{
    int64_t value;
    if (!helia_flex_int(v, &value) || value < INT32_MIN || value > INT32_MAX)
        return false;
    int32_t narrow = (int32_t)value;
    memcpy(to, &narrow, sizeof(narrow));
    return true;
}

/* A number, or one of the words of the enumeration. */
static bool store_word(const HeliaFlex *v, const HeliaField *field, void *to)
{
    const uint8_t *text;
    size_t len;
    int32_t n = 0, number;
    for (; field->names[n]; n++)
        if (helia_flex_kind(v) == HELIA_FLEX_STRING && helia_flex_bytes(v, &text, &len) &&
            strlen(field->names[n]) == len && memcmp(field->names[n], text, len) == 0) {
            memcpy(to, &n, sizeof(n));
            return true;
        }
    if (!store_int(v, &number) || number < 0 || number >= n)
        return false;
    memcpy(to, &number, sizeof(number));
    return true;
}

static bool store_float(const HeliaFlex *v, void *to)
{
    double value;
    if (!helia_flex_float(v, &value))
        return false;
    float narrow = (float)value;
    memcpy(to, &narrow, sizeof(narrow));
    return isfinite(narrow);
}

static bool store_bool(const HeliaFlex *v, void *to)
{
    bool value;
    if (!helia_flex_bool(v, &value))
        return false;
    memcpy(to, &value, sizeof(value));
    return true;
}

static bool store_ints(const HeliaFlex *v, const HeliaField *field, void *options)
{
    uint32_t n = (uint32_t)helia_flex_count(v);
    HeliaFlex item;
    if (helia_flex_kind(v) != HELIA_FLEX_VECTOR || helia_flex_count(v) > AIR_MAX_RANK)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!helia_flex_item(v, i, &item) || !store_int(&item, (char *)options + field->offset + i * sizeof(int32_t)))
            return false;
    memcpy((char *)options + field->count_offset, &n, sizeof(n));
    return true;
}

static bool store(const HeliaFlex *v, const HeliaField *field, void *options)
{
    void *to = (char *)options + field->offset;
    switch (field->kind) {
    case HELIA_FIELD_INT:
        return field->names ? store_word(v, field, to) : store_int(v, to);
    case HELIA_FIELD_BOOL:
        return store_bool(v, to);
    case HELIA_FIELD_FLOAT:
        return store_float(v, to);
    case HELIA_FIELD_INTS:
        return store_ints(v, field, options);
    }
    return false;
}

static const char *expected(HeliaArena *arena, const HeliaField *field)
{
    static const char *const kinds[] = {"a 32-bit integer", "true or false", "a number",
                                        "a vector of at most 8 32-bit integers"};
    if (field->kind != HELIA_FIELD_INT || !field->names)
        return kinds[field->kind];
    const char *text = field->names[0];
    for (size_t i = 1; field->names[i]; i++)
        text = helia_format(arena, "%s%s%s", text, field->names[i + 1] ? ", " : " or ", field->names[i]);
    return text;
}

/* What was found, for messages. */
static const char *shown(HeliaArena *arena, const HeliaFlex *v)
{
    static const char *const kinds[] = {"null",   "an integer", "a number", "a boolean",
                                        "a text", "a blob",     "a vector", "a map"};
    int64_t integer;
    double real;
    const uint8_t *text;
    size_t len;
    HeliaFlexKind kind = helia_flex_kind(v);
    if (kind == HELIA_FLEX_INT && helia_flex_int(v, &integer))
        return helia_format(arena, "%lld", (long long)integer);
    if (kind == HELIA_FLEX_FLOAT && helia_flex_float(v, &real))
        return helia_format(arena, "%g", real);
    if (kind == HELIA_FLEX_STRING && helia_flex_bytes(v, &text, &len))
        return helia_format(arena, "\"%s\"", helia_printable(arena, helia_strndup(arena, (const char *)text, len)));
    if (kind == HELIA_FLEX_VECTOR)
        return helia_format(arena, "a vector of %zu elements", helia_flex_count(v));
    return kinds[kind];
}

static const HeliaField *find_field(const HeliaOptionsClass *c, const char *name)
{
    for (uint32_t i = 0; i < c->n_fields; i++)
        if (strcmp(c->fields[i].name, name) == 0)
            return &c->fields[i];
    return NULL;
}

static bool read_entry(HeliaParse *p, const HeliaOptionsClass *c, const HeliaFlex *map, size_t i, void *options)
{
    HeliaFlex value;
    const char *key = helia_flex_key(map, i);
    if (!key || !helia_flex_item(map, i, &value))
        return helia_error(p->diag, p->at, "custom options: entry %zu of the map is broken", i);
    const HeliaField *field = find_field(c, key);
    if (field)
        return store(&value, field, options) ||
               helia_error(p->diag, p->at, "custom options: %s is %s; expected %s", field->name,
                           shown(p->arena, &value), expected(p->arena, field));
    const char *known = "none";
    for (uint32_t k = 0; k < c->n_fields; k++)
        known = helia_format(p->arena, "%s%s%s", k ? known : "", k ? ", " : "", c->fields[k].name);
    return helia_error(p->diag, p->at, "custom options: unknown key \"%s\"; accepted: %s",
                       helia_printable(p->arena, key), known);
}

bool helia_flex_options(HeliaParse *p, const HeliaOptionsClass *options_class, void *options)
{
    LitertBytes bytes = p->op->custom_options;
    HeliaFlex map;
    bool ok = true;
    if (bytes.len == 0)
        return true;
    if (!helia_flex_root(bytes.at, bytes.len, &map) || helia_flex_kind(&map) != HELIA_FLEX_MAP)
        return helia_error(p->diag, p->at, "custom options: the %zu bytes are no FlexBuffers map", bytes.len);
    size_t n = helia_flex_count(&map);
    for (size_t i = 0; i < n; i++)
        ok = read_entry(p, options_class, &map, i, options) && ok;
    return ok;
}
