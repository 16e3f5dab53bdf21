/* What the runner writes for a module's case, and what it reads back. */
#include "image.h"
#include "support/file.h"
#include "../lib/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the case --------------------------------------------------------------------------------- */
static bool write_inputs(Module *m, const char *path)
{
    FILE *f = fopen(path, "wb");
    if (!f)
        return false;
    static const uint8_t zero[4];
    fwrite(&m->c->steps, 4, 1, f);
    for (uint32_t s = 0; s < m->c->steps; s++) {
        for (uint32_t i = 0;; i++) {
            const NpzArray *array = npz_find(&m->c->golden, helia_format(m->r->arena, "in%u_%u", i, s));
            if (!array)
                break;
            uint32_t n = (uint32_t)array->size;
            fwrite(&n, 4, 1, f);
            fwrite(array->data, 1, n, f);
            fwrite(zero, 1, (4 - n % 4) % 4, f);
        }
    }
    return fclose(f) == 0;
}

const char *module_write_case(Module *m)
{
    HeliaArena *arena = m->r->arena;
    const char *id = m->c->id, *prefix = m->c->prefix;
    m->case_source = helia_format(arena, "%s/obj/%s.case.c", m->base, id);
    const char *text = helia_format(arena,
                                    "#include \"%s_model.h\"\n\n"
                                    "#define CASE_ID \"%s\"\n"
                                    "#define CASE case_%s\n"
                                    "#define P(name) %s_##name\n"
                                    "#define U(name) %s_##name\n"
                                    "#include \"case.inc\"\n",
                                    prefix, id, prefix, prefix, m->c->PREFIX);
    if (!file_write(m->r->diag, m->case_source, text, strlen(text)) ||
        !write_inputs(m, helia_format(arena, "%s/run/%s.in", m->base, id)))
        return "the case's files cannot be written";
    return NULL;
}

/* ---- what it gave ----------------------------------------------------------------------------- */
typedef struct Reader {
    const uint8_t *at;
    size_t left;
    bool short_of; /* tried to read past the end */
} Reader;

static const uint8_t *take(Reader *in, size_t n)
{
    static const uint8_t nothing[64];
    if (in->short_of || n > in->left) {
        in->short_of = true;
        return n <= sizeof(nothing) ? nothing : NULL;
    }
    const uint8_t *at = in->at;
    in->at += n;
    in->left -= n;
    return at;
}

static uint32_t take_word(Reader *in)
{
    uint32_t word;
    memcpy(&word, take(in, 4), 4);
    return word;
}

/* numpy's word for a module's dtype; false: it has none. */
static bool numpy_type(uint32_t dtype, NpzArray *array)
{
    static const struct {
        uint32_t dtype;
        char kind;
        uint32_t item;
    } types[] = {{0, 'f', 4}, {1, 'f', 2}, {2, 'i', 4},  {3, 'u', 1},  {4, 'i', 8}, {6, 'b', 1},
                 {7, 'i', 2}, {9, 'i', 1}, {12, 'u', 8}, {15, 'u', 4}, {16, 'u', 2}};
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (types[i].dtype == dtype) {
            array->kind = types[i].kind;
            array->item = types[i].item;
            return true;
        }
    }
    return false;
}

/* The view's description, as an array that has no data yet. */
static const char *take_view(HeliaArena *arena, Reader *in, NpzArray *out)
{
    *out = (NpzArray){0};
    uint32_t dtype = take_word(in);
    out->size = take_word(in);
    out->rank = (int32_t)take_word(in);
    if (!numpy_type(dtype, out) || out->rank < 0 || out->rank > DRIVER_MAX_RANK)
        return helia_format(arena, "a view of dtype %u and rank %d", dtype, out->rank);
    size_t count = 1;
    for (int32_t i = 0; i < out->rank; i++) {
        out->dim[i] = (int32_t)take_word(in);
        count *= (size_t)out->dim[i];
    }
    if (count * out->item != out->size)
        return helia_format(arena, "nbytes is %zu, but it has %zu elements of dtype %u", out->size, count, dtype);
    return NULL;
}

static const char *check_input(const Module *m, uint32_t i, const NpzArray *view)
{
    HeliaArena *arena = m->r->arena;
    const NpzArray *fed = npz_find(&m->c->golden, helia_format(arena, "in%u_0", i));
    if (!fed)
        return helia_format(arena, "the case has no input %u", i);
    if (fed->kind != view->kind || fed->size != view->size)
        return helia_format(arena, "input %u is %s of %zu bytes, but the case has %s of %zu bytes", i,
                            npz_type_text(arena, view), view->size, npz_type_text(arena, fed), fed->size);
    return NULL;
}

static const char *check_step(const Module *m, Reader *in, NpzArray *outputs, uint32_t n, uint32_t pass, uint32_t step)
{
    HeliaArena *arena = m->r->arena;
    int32_t status = (int32_t)take_word(in);
    if (in->short_of)
        return helia_format(arena, "pass %u step %u: nothing came out", pass, step);
    if (status)
        return helia_format(arena, "pass %u step %u: status %d", pass, step, status);
    for (uint32_t o = 0; o < n; o++) {
        outputs[o].data = take(in, (outputs[o].size + 3) / 4 * 4);
        if (in->short_of)
            return helia_format(arena, "pass %u step %u: output %u is cut off", pass, step, o);
        const char *why = case_check_output(m->r, m->c, o, step, &outputs[o]);
        if (why)
            return pass ? helia_format(arena, "in a second pass, operator by operator: %s", why) : why;
    }
    return NULL;
}

const char *module_check_output(const Module *m)
{
    HeliaArena *arena = m->r->arena;
    const char *path = helia_format(arena, "%s/run/%s.out", m->base, m->c->id);
    FileBytes file;
    if (!path_exists(path) || !file_read(arena, m->r->diag, path, &file))
        return "gave nothing";
    Reader in = {file.at, file.size, false};
    if (take_word(&in) != DRIVER_MAGIC)
        return "gave nothing";
    int32_t status = (int32_t)take_word(&in);
    uint32_t inputs = take_word(&in), n = take_word(&in);
    if (status)
        return helia_format(arena, "init returned %d", status);
    const char *why = NULL;
    for (uint32_t i = 0; i < inputs && !why; i++) {
        NpzArray view;
        why = take_view(arena, &in, &view);
        if (!why)
            why = check_input(m, i, &view);
    }
    NpzArray *outputs = HELIA_NEW_N(arena, NpzArray, n);
    for (uint32_t o = 0; o < n && !why; o++)
        why = take_view(arena, &in, &outputs[o]);
    for (uint32_t pass = 0; pass < DRIVER_PASSES; pass++)
        for (uint32_t s = 0; s < m->c->steps && !why; s++)
            why = check_step(m, &in, outputs, n, pass, s);
    const NpzArray *expected[2];
    if (!why && case_expected(m->r, m->c, n, 0, expected) > 0)
        why = helia_format(arena, "has %u outputs, the case has more", n);
    return why;
}

/* ---- symbols ---------------------------------------------------------------------------------- */
/* What a module may need from outside: memory moves, mathematics, and what compilers call by themselves. */
static bool may_need(const char *name)
{
    static const char *const names[] = {"memcpy", "memset", "memmove", "memcmp", "strcmp"};
    static const char *const beginnings[] = {"__aeabi_", "__gnu_", "__errno"};
    static const char *const functions[] = {"exp",  "expm1", "log",   "log1p", "sin",   "cos",   "tanh",  "sqrt",
                                            "pow",  "floor", "ceil",  "round", "rint",  "trunc", "fabs",  "fmax",
                                            "fmin", "fma",   "ldexp", "frexp", "lrint", "fmod",  "atan2", "roundeven"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        size_t n = strlen(functions[i]);
        if (strncmp(name, functions[i], n) == 0 && (name[n] == 0 || strcmp(name + n, "f") == 0))
            return true;
    }
    return false;
}

const char *module_check_symbols(const Module *m, const char *listing)
{
    size_t prefix = strlen(m->c->prefix);
    for (const char *line = listing; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        char name[512], kind;
        if (sscanf(line, "%511s %c", name, &kind) != 2 || name[strlen(name) - 1] == ':')
            continue; /* an object's name */
        bool own = strncmp(name, m->c->prefix, prefix) == 0 && name[prefix] == '_';
        if (own || (kind == 'U' && may_need(name)))
            continue;
        if (kind == 'U' || kind == 'w')
            return helia_format(m->r->arena, "needs %s, which a bare machine does not have", name);
        return helia_format(m->r->arena, "defines %s, which lacks the prefix %s_", name, m->c->prefix);
    }
    return NULL;
}
