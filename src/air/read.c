/* AIR text back to a graph; the grammar stands in print.c. */
#include <helia_aot/air.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <helia_aot/registry.h>

typedef struct Reader {
    HeliaArena *arena;
    HeliaDiag *diag;
    const HeliaRegistryContext *registry;
    const char *file, *p;
    int32_t line;
    bool failed;
    AirModel *model;
    AirGraph *graph; /* the one being read */
} Reader;

static bool fail(Reader *r, const char *expected)
{
    if (!r->failed) {
        HeliaLoc at = helia_at_file(r->file);
        at.line = r->line;
        size_t n = strcspn(r->p, "\n");
        helia_error(r->diag, at, "expected %s, found \"%s\"", expected,
                    helia_printable(r->arena, helia_strndup(r->arena, r->p, n < 24 ? n : 24)));
    }
    r->failed = true;
    return false;
}

static void spaces(Reader *r)
{
    while (*r->p == ' ')
        r->p++;
}

/* Takes the text if it stands here (as a whole word when it is one). */
static bool take(Reader *r, const char *text)
{
    spaces(r);
    size_t n = strlen(text);
    if (strncmp(r->p, text, n) != 0)
        return false;
    if (isalnum((unsigned char)text[n - 1]) && (isalnum((unsigned char)r->p[n]) || r->p[n] == '_'))
        return false;
    r->p += n;
    return true;
}

static bool need(Reader *r, const char *text)
{
    return take(r, text) || fail(r, text);
}

static const char *word(Reader *r)
{
    spaces(r);
    const char *begin = r->p;
    while (isalnum((unsigned char)*r->p) || *r->p == '_')
        r->p++;
    if (r->p == begin)
        fail(r, "a word");
    return helia_strndup(r->arena, begin, (size_t)(r->p - begin));
}

static int32_t integer(Reader *r)
{
    spaces(r);
    char *end;
    long v = strtol(r->p, &end, 10);
    if (end == r->p || v > INT32_MAX || v < INT32_MIN) {
        fail(r, "an integer");
        return 0;
    }
    r->p = end;
    return (int32_t)v;
}

static float number(Reader *r)
{
    spaces(r);
    char *end;
    float v = strtof(r->p, &end);
    if (end == r->p)
        fail(r, "a number");
    r->p = end;
    return v;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static const char *string(Reader *r)
{
    if (!need(r, "\""))
        return "";
    char *text = helia_alloc(r->arena, strcspn(r->p, "\n") + 1, 1);
    size_t n = 0;
    while (*r->p && *r->p != '"' && *r->p != '\n') {
        if (*r->p == '\\') {
            if (r->p[1] != 'x' || hex_digit(r->p[2]) < 0 || hex_digit(r->p[3]) < 0) {
                fail(r, "an escape \\xNN");
                return "";
            }
            text[n++] = (char)(hex_digit(r->p[2]) * 16 + hex_digit(r->p[3]));
            r->p += 4;
        } else {
            text[n++] = *r->p++;
        }
    }
    need(r, "\"");
    return text;
}

static AirTensor *tensor_ref(Reader *r)
{
    need(r, "%");
    int32_t id = integer(r);
    if (r->failed)
        return NULL;
    if (id < 0 || (uint32_t)id >= r->graph->tensors.len) {
        fail(r, "the number of a tensor that stands before");
        return NULL;
    }
    return r->graph->tensors.at[id];
}

typedef struct Interface {
    HELIA_VEC(int32_t) ids;
    HELIA_VEC(const char *) names;
} Interface;

static void interface(Reader *r, Interface *list)
{
    need(r, "(");
    while (!r->failed && !take(r, ")")) {
        need(r, "%");
        HELIA_PUSH(r->arena, &list->ids, integer(r));
        HELIA_PUSH(r->arena, &list->names, string(r));
    }
}

static void quant(Reader *r, AirTensor *t)
{
    AirQuant *q = HELIA_NEW(r->arena, AirQuant);
    HELIA_VEC(float) scale = {0};
    HELIA_VEC(int32_t) zero = {0};
    if (take(r, "axis"))
        q->axis = integer(r);
    do {
        HELIA_PUSH(r->arena, &scale, number(r));
        need(r, ":");
        HELIA_PUSH(r->arena, &zero, integer(r));
        spaces(r);
    } while (!r->failed && (isdigit((unsigned char)*r->p) || *r->p == '-'));
    q->n = scale.len;
    q->scale = scale.at;
    q->zero = zero.at;
    t->quant = q;
}

static void tensor(Reader *r)
{
    need(r, "%");
    if ((uint32_t)integer(r) != r->graph->tensors.len) {
        fail(r, "tensors in the order of their numbers");
        return;
    }
    AirType type = AIR_F32;
    if (!air_type_from_text(word(r), &type))
        fail(r, "a data type such as s8");
    int32_t dim[AIR_MAX_RANK], rank = 0;
    int64_t count = 1;
    need(r, "[");
    while (!r->failed && !take(r, "]")) {
        if (rank == AIR_MAX_RANK || (rank && *r->p != 'x')) {
            fail(r, "at most 8 dimensions, with x between");
            return;
        }
        r->p += rank ? 1 : 0;
        dim[rank] = integer(r);
        count *= dim[rank];
        if (dim[rank++] < 0 || count > INT32_MAX / 16)
            fail(r, "dimensions that are not too large");
    }
    const char *name = string(r);
    if (r->failed)
        return;
    AirTensor *t = air_tensor_new(r->graph, name, type, rank, dim);
    for (;;) {
        if (take(r, "litert"))
            t->litert_index = integer(r);
        else if (take(r, "open"))
            t->shape_is_open = true;
        else if (take(r, "variable"))
            t->is_variable = true;
        else if (t->is_variable && !t->initial && take(r, "initial"))
            t->initial = helia_alloc(r->arena, air_bytes(t), 1);
        else if (take(r, "const"))
            t->data_size = (size_t)integer(r);
        else if (take(r, "q"))
            quant(r, t);
        else
            break;
    }
    if (t->data_size && t->data_size != air_bytes(t))
        fail(r, "a constant of the size of its shape");
    if (t->data_size)
        t->data = helia_alloc(r->arena, t->data_size, 1);
    t->data_size = 0; /* counts what the data lines gave */
}

static uint32_t operands(Reader *r, AirTensor ***out)
{
    HELIA_VEC(AirTensor *) list = {0};
    need(r, "(");
    while (!r->failed && !take(r, ")"))
        HELIA_PUSH(r->arena, &list, take(r, "-") ? NULL : tensor_ref(r));
    *out = list.at;
    return list.len;
}

static void field_value(Reader *r, const HeliaField *f, void *options)
{
    char *base = options;
    if (f->kind == HELIA_FIELD_BOOL) {
        bool v = take(r, "true");
        if (!v)
            need(r, "false");
        memcpy(base + f->offset, &v, sizeof(v));
    } else if (f->kind == HELIA_FIELD_FLOAT) {
        float v = number(r);
        memcpy(base + f->offset, &v, sizeof(v));
    } else if (f->kind == HELIA_FIELD_INT) {
        int32_t v = -1;
        for (int32_t i = 0; f->names && f->names[i] && v < 0; i++)
            if (take(r, f->names[i]))
                v = i;
        if (v < 0)
            v = integer(r);
        memcpy(base + f->offset, &v, sizeof(v));
    } else {
        int32_t v[AIR_MAX_RANK] = {0};
        uint32_t n = 0;
        need(r, "[");
        while (!r->failed && !take(r, "]")) {
            if (n == AIR_MAX_RANK) {
                fail(r, "at most 8 integers");
                return;
            }
            v[n++] = integer(r);
            take(r, ",");
        }
        memcpy(base + f->offset, v, sizeof(v));
        memcpy(base + f->count_offset, &n, sizeof(n));
    }
}

static void options(Reader *r, AirNode *n)
{
    const HeliaOptionsClass *c = helia_registry_get(r->registry->air_options, n->op_type);
    if (c)
        n->options = helia_alloc(r->arena, 1, c->size);
    if (!take(r, "{"))
        return;
    while (!r->failed && !take(r, "}")) {
        const char *name = word(r);
        need(r, "=");
        uint32_t i = 0;
        while (c && i < c->n_fields && strcmp(c->fields[i].name, name) != 0)
            i++;
        if (!c || i == c->n_fields)
            fail(r, "an option that the operator has");
        else
            field_value(r, &c->fields[i], n->options);
    }
}

static void op(Reader *r)
{
    int32_t litert_index = integer(r);
    const char *key = word(r);
    AirNode *n = air_node_new(r->graph, key, 0, 0);
    n->litert_index = litert_index;
    n->n_in = operands(r, &n->in);
    need(r, "->");
    n->n_out = operands(r, &n->out);
    options(r, n);
    if (take(r, "#")) /* what Resolve has added; made again by Resolve */
        r->p += strcspn(r->p, "\n");
    HELIA_PUSH(r->arena, &r->graph->nodes, n);
}

static void data(Reader *r)
{
    AirTensor *t = tensor_ref(r);
    spaces(r);
    while (!r->failed && hex_digit(*r->p) >= 0) {
        const void *bytes = t->data ? t->data : t->initial;
        if (!bytes || t->data_size == air_bytes(t) || hex_digit(r->p[1]) < 0) {
            fail(r, "as many bytes, two digits each, as the constant has");
            return;
        }
        uint8_t byte = (uint8_t)(hex_digit(r->p[0]) * 16 + hex_digit(r->p[1]));
        memcpy((uint8_t *)(uintptr_t)bytes + t->data_size++, &byte, 1);
        r->p += 2;
    }
}

static void graph(Reader *r, Interface lists[2])
{
    AirGraph *g = HELIA_NEW(r->arena, AirGraph);
    g->model = r->model;
    g->index = (uint32_t)integer(r);
    g->name = string(r);
    memset(lists, 0, 2 * sizeof(*lists));
    need(r, "inputs");
    interface(r, &lists[0]);
    need(r, "outputs");
    interface(r, &lists[1]);
    HELIA_PUSH(r->arena, &r->model->graphs, g);
    r->graph = g;
    if (!r->model->main)
        r->model->main = g;
}

/* The interface stands before the tensors it names. */
static void finish_graph(Reader *r, const Interface lists[2])
{
    AirGraph *g = r->graph;
    for (int which = 0; which < 2 && !r->failed; which++)
        for (uint32_t i = 0; i < lists[which].ids.len; i++) {
            uint32_t id = (uint32_t)lists[which].ids.at[i];
            if (id >= g->tensors.len) {
                fail(r, "inputs and outputs that are tensors of the graph");
                return;
            }
            if (which)
                HELIA_PUSH(r->arena, &g->outputs, g->tensors.at[id]);
            else
                HELIA_PUSH(r->arena, &g->inputs, g->tensors.at[id]);
        }
    g->input_names = lists[0].names.at;
    g->output_names = lists[1].names.at;
    for (uint32_t i = 0; i < g->tensors.len && !r->failed; i++) {
        AirTensor *t = g->tensors.at[i];
        if ((t->data || t->initial) && t->data_size != air_bytes(t))
            fail(r, "the bytes of every constant and initial value");
        t->data_size = t->data ? t->data_size : 0;
    }
    if (!r->failed)
        air_rebuild_uses(g);
}

AirModel *air_read(HeliaArena *arena, HeliaDiag *diag, const HeliaRegistryContext *registry, const char *file_name,
                   const char *text)
{
    Reader r = {arena, diag, registry, file_name, text, 1, false, HELIA_NEW(arena, AirModel), NULL};
    Interface lists[2];
    r.model->arena = arena;
    r.model->diag = diag;
    r.model->file = file_name;
    r.model->description = "";
    need(&r, "model");
    r.model->file_name = string(&r);
    need(&r, "version");
    r.model->version = (uint32_t)integer(&r);
    while (!r.failed) {
        spaces(&r);
        if (*r.p == '#')
            r.p += strcspn(r.p, "\n");
        if (*r.p == 0)
            break;
        if (*r.p != '\n') {
            fail(&r, "the end of the line");
            break;
        }
        r.p++;
        r.line++;
        if (take(&r, "graph")) {
            if (r.graph)
                finish_graph(&r, lists);
            graph(&r, lists);
        } else if (!r.graph) {
            spaces(&r);
            if (*r.p && *r.p != '\n' && *r.p != '#')
                fail(&r, "graph");
        } else if (take(&r, "tensor")) {
            tensor(&r);
        } else if (take(&r, "op")) {
            op(&r);
        } else if (take(&r, "data")) {
            data(&r);
        }
    }
    if (!r.graph)
        fail(&r, "graph");
    if (!r.failed)
        finish_graph(&r, lists);
    return r.failed ? NULL : r.model;
}
