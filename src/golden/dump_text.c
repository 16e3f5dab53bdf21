/* Dumps as text. Lines of other things, and what stands in front of "helia-dump " on a line, are left alone:
 *
 *     helia-dump begin 1 SHA256                          of the model; begins an inference
 *     helia-dump input INDEX BYTES TYPE NAME
 *     helia-dump output OPERATOR INDEX BYTES TYPE NAME   as the operator left it
 *     helia-dump data OFFSET HEX                         bytes of the tensor above, in order
 */
#include "golden/dump.h"

#include <string.h>

typedef struct Text {
    HeliaArena *arena;
    HeliaDiag *diag;
    const AirGraph *graph;
    Dump *dump;
    HeliaLoc at;
    const char *rest;    /* of the line */
    DumpRun *run;        /* NULL: before the first one */
    const AirTensor *of; /* whose bytes come; NULL: none */
    uint8_t *bytes;
    size_t filled;
} Text;

static const char *next_word(Text *t)
{
    t->rest += strspn(t->rest, " ");
    const size_t n = strcspn(t->rest, " ");
    const char *word = helia_strndup(t->arena, t->rest, n);
    t->rest += n;
    return word;
}

/* UINT64_MAX: no number. */
static uint64_t next_number(Text *t)
{
    const char *word = next_word(t);
    uint64_t n = 0;
    if (!*word || strlen(word) > 10)
        return UINT64_MAX;
    for (; *word; word++) {
        if (*word < '0' || *word > '9')
            return UINT64_MAX;
        n = n * 10 + (uint64_t)(*word - '0');
    }
    return n;
}

static bool finish_tensor(Text *t)
{
    if (t->of && t->filled != air_bytes(t->of))
        return helia_error(t->diag, t->at, "before this line, \"%s\" has %zu of %zu bytes: the dump is cut off",
                           helia_printable(t->arena, t->of->name), t->filled, air_bytes(t->of));
    t->of = NULL;
    return true;
}

static bool begin_run(Text *t)
{
    const uint64_t version = next_number(t);
    const char *sha256 = next_word(t);
    if (version != 1)
        return helia_error(t->diag, t->at, "the dump has not the form of version 1");
    if (strcmp(sha256, t->graph->model->sha256) != 0)
        return helia_error(t->diag, t->at, "the dump is of another model: its SHA-256 is %s, the file's is %s",
                           helia_printable(t->arena, sha256), t->graph->model->sha256);
    t->run = dump_add(t->arena, t->graph, t->dump);
    return true;
}

/* As the module prints names. */
static const char *printed_name(HeliaArena *arena, const char *name)
{
    enum { LIMIT = 60 };
    char *text = helia_strndup(arena, name, strlen(name) < LIMIT ? strlen(name) : LIMIT);
    for (char *c = text; *c; c++)
        if (*c <= ' ' || *c > '~')
            *c = '_';
    return text;
}

/* BYTES TYPE NAME, behind what says which tensor it is. */
static bool begin_tensor(Text *t, const AirTensor *tensor, const char *name, const void **place)
{
    if (!tensor)
        return helia_error(
            t->diag, t->at,
            "the model has no such tensor in this configuration: --path names the module's helia_aot.yaml");
    const uint64_t bytes = next_number(t);
    const char *type = next_word(t), *printed = next_word(t);
    if (bytes != air_bytes(tensor) || strcmp(type, air_type_doc(tensor->type)) != 0 ||
        strcmp(printed, printed_name(t->arena, name)) != 0)
        return helia_error(t->diag, t->at,
                           "the tensor is %s %s, %llu bytes; in this configuration the model has %s %s, %zu bytes: "
                           "--path names the module's helia_aot.yaml",
                           helia_printable(t->arena, printed), helia_printable(t->arena, type),
                           (unsigned long long)bytes, printed_name(t->arena, name), air_type_doc(tensor->type),
                           air_bytes(tensor));
    t->of = tensor;
    t->bytes = helia_alloc(t->arena, air_bytes(tensor), 1);
    t->filled = 0;
    *place = t->bytes;
    return true;
}

static bool begin_input(Text *t)
{
    const AirGraph *g = t->graph;
    const uint64_t i = next_number(t);
    const bool known = i < g->inputs.len;
    return begin_tensor(t, known ? g->inputs.at[i] : NULL, known ? g->input_names[i] : NULL,
                        known ? &t->run->inputs[i] : NULL);
}

static bool begin_output(Text *t)
{
    const char *name = next_word(t);
    const uint64_t i = next_number(t);
    const AirTensor *tensor = NULL;
    for (uint32_t k = 0; k < t->graph->nodes.len; k++) {
        const AirNode *n = t->graph->nodes.at[k];
        if (strcmp(n->cname, name) == 0 && i < n->n_out)
            tensor = n->out[i];
    }
    return begin_tensor(t, tensor, tensor ? tensor->name : NULL, tensor ? &t->run->values[tensor->id] : NULL);
}

static int digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static bool take_data(Text *t)
{
    const uint64_t offset = next_number(t);
    const char *hex = next_word(t);
    const size_t n = strlen(hex) / 2;
    if (!t->of || offset != t->filled || n > air_bytes(t->of) - t->filled)
        return helia_error(t->diag, t->at, "bytes at offset %llu of a tensor that has %zu so far: lines are missing",
                           (unsigned long long)offset, t->filled);
    for (size_t i = 0; i < n; i++) {
        const int high = digit(hex[2 * i]), low = digit(hex[2 * i + 1]);
        if (high < 0 || low < 0)
            return helia_error(t->diag, t->at, "expected hexadecimal digits, found \"%s\"",
                               helia_printable(t->arena, hex));
        t->bytes[t->filled++] = (uint8_t)(high << 4 | low);
    }
    return strlen(hex) % 2 == 0 || helia_error(t->diag, t->at, "the line is cut off within a byte");
}

static bool take_line(Text *t)
{
    const char *kind = next_word(t);
    if (strcmp(kind, "data") == 0)
        return take_data(t);
    if (!finish_tensor(t))
        return false;
    if (strcmp(kind, "begin") == 0)
        return begin_run(t);
    if (!t->run)
        return helia_error(t->diag, t->at, "the dump does not start with \"helia-dump begin\"");
    if (strcmp(kind, "input") == 0)
        return begin_input(t);
    if (strcmp(kind, "output") == 0)
        return begin_output(t);
    return helia_error(t->diag, t->at, "expected begin, input, output or data, found \"%s\"",
                       helia_printable(t->arena, kind));
}

static bool has_inputs(const Text *t)
{
    for (uint32_t r = 0; r < t->dump->len; r++)
        for (uint32_t i = 0; i < t->graph->inputs.len; i++)
            if (!t->dump->at[r].inputs[i])
                return helia_error(t->diag, t->at, "inference %u of the dump has no input %u", r, i);
    return true;
}

bool dump_read_text(HeliaArena *arena, HeliaDiag *diag, const AirGraph *graph, const char *path, const uint8_t *bytes,
                    size_t size, Dump *dump)
{
    static const char mark[] = "helia-dump ";
    Text t = {.arena = arena, .diag = diag, .graph = graph, .dump = dump, .at = HELIA_NOWHERE};
    t.at.file = path;
    t.at.line = 0;
    const char *text = helia_strndup(arena, (const char *)bytes, size); /* ends at a NUL, as no text has one */
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = text + strcspn(text, "\n");
        t.at.line++;
        t.rest = strstr(helia_strndup(arena, text, strcspn(text, "\r\n")), mark);
        if (!t.rest)
            continue;
        t.rest += strlen(mark);
        if (!take_line(&t))
            return false;
    }
    t.at.line = -1;
    return finish_tensor(&t) && has_inputs(&t);
}
