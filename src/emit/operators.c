/* The operators handler: each class writes its own files; the usual shape is here. */
#include "emit/emit_int.h"
#include "support/blame.h"
#include "support/file.h"

#include <ctype.h>
#include <string.h>

/* ---- banner ----------------------------------------------------------------------------------- */
static void banner_tensor(HeliaEmitter *e, HeliaOut *o, const AirTensor *t, const char *what)
{
    if (t)
        helia_out_line(o, " *   %-5s \"%s\" %s %s, %s", what, comment_text(e->arena, t->name), air_type_doc(t->type),
                       air_shape_text(e->arena, t), slot_text(e, &e->plan->tensors[t->id]));
}

static const char *role_of(const AirTensor *t, bool written)
{
    return t->is_variable ? "state" : air_is_constant(t) ? "const" : written ? "out" : "in";
}

static uint32_t schedule_index(const HeliaEmitter *e, const AirNode *node)
{
    uint32_t i = 0;
    while (i < e->operators.len && e->operators.at[i] != node)
        i++;
    return i;
}

static void banner(HeliaEmitter *e, HeliaOut *o, const AirNode *n)
{
    const char *name = n->n_out && n->out[0] ? n->out[0]->name : "";
    const char *index = n->litert_index < 0 ? "made by the compiler"
                                            : helia_format(e->arena, "LiteRT operator %d", n->litert_index);
    helia_out_line(o, "/* Operator %u: %s \"%s\" (%s)", schedule_index(e, n), n->op_type, comment_text(e->arena, name),
                   index);
    for (uint32_t i = 0; i < n->args.len; i++)
        if (n->args.at[i].tensor)
            banner_tensor(e, o, n->args.at[i].tensor, role_of(n->args.at[i].tensor, n->args.at[i].written));
    for (uint32_t i = 0; n->args.len == 0 && i < n->n_in; i++)
        if (n->in[i])
            banner_tensor(e, o, n->in[i], role_of(n->in[i], false));
    for (uint32_t i = 0; n->args.len == 0 && i < n->n_out; i++)
        banner_tensor(e, o, n->out[i], "out");
    const MemorySlot *scratch = scratch_slot(e, n);
    const char *working = scratch ? helia_format(e->arena, "scratch %zu bytes, %s", n->scratch, slot_text(e, scratch))
                                  : "no scratch";
    if (n->kernel)
        helia_out_line(o, " *   kernel %s, %s */", helia_emit_symbol(e, n->kernel->symbol), working);
    else
        helia_out_line(o, " *   inline code, %s */", working);
}

/* In front of the run function's declaration, which the definition follows. */
static const char *code_macro(HeliaEmitter *e, const AirNode *node)
{
    for (uint32_t i = 0; e->plan->code && i < e->graph->nodes.len; i++)
        if (e->graph->nodes.at[i] == node && e->plan->code[i] >= 0)
            return helia_format(e->arena, "%s_CODE_IN_%s ", e->PREFIX, memory_name((MemoryType)e->plan->code[i]));
    return "";
}

static bool begin_operator(HeliaEmitter *e, const AirNode *node, const char *include, HeliaOut **source)
{
    const char *file = helia_format(e->arena, "%s_%s", e->prefix, node->cname);
    const char *init = helia_format(e->arena, "int32_t %s_init(%s_model_context_t *ctx);\n", file, e->prefix);
    char *guard = helia_format(e->arena, "%s_%s_H", e->PREFIX, node->cname);
    for (char *c = guard; *c; c++)
        if (*c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
    const TemplateKey keys[] = {
        {"FILE", file}, {"GUARD", guard}, {"INIT", operator_has_init(node) ? init : ""}, {"CODE", code_macro(e, node)}};
    if (!emit_template(e, helia_format(e->arena, "includes-api/%s.h", file), "operator.h.in", keys, 4))
        return false;
    HeliaOut *o = helia_emit_file(e, helia_format(e->arena, "src/%s.c", file));
    helia_out_line(o, "/* %s.c: %s. */", file, e->origin);
    helia_out_line(o, "#include \"%s.h\"", file);
    helia_out_line(o, "%s", "");
    if (include) {
        helia_out_line(o, "#include \"%s\"", include);
        helia_out_line(o, "%s", "");
    }
    banner(e, o, node);
    *source = o;
    return true;
}

HeliaOut *helia_emit_operator(HeliaEmitter *e, const AirNode *node)
{
    HeliaOut *o;
    return begin_operator(e, node, NULL, &o) ? o : NULL;
}

/* ---- the usual case --------------------------------------------------------------------------- */
static void print_params(HeliaEmitter *e, HeliaOut *o, const char *type, void (*print)(HeliaOut *, const void *),
                         const void *params)
{
    HeliaOut *body = helia_out_new(e->arena);
    helia_out_open(body, "static const %s params =", type);
    print(body, params);
    helia_out_close(body, ";");
    size_t n, size;
    const char *text = helia_out_string(body, &n);
    text = rename_kernel_text(e, text, n, &size);
    helia_out_text(o, text, size);
    helia_out_line(o, "%s", "");
}

/* The call's arguments, wrapped: each line is indented behind the parenthesis by the caller. */
static const char *call_arguments(HeliaEmitter *e, const AirNode *n, bool has_params)
{
    const char *text = has_params ? "&params" : "";
    for (uint32_t i = 0; i < n->args.len; i++)
        text = helia_format(e->arena, "%s%s%s", text, *text ? ",\n        " : "",
                            helia_emit_tensor(e, n->args.at[i].tensor));
    if (n->kernel->scratch)
        text = helia_format(e->arena, "%s%s%s", text, *text ? ",\n        " : "", helia_emit_scratch(e, n));
    return text;
}

/* The generic function's source or the header with its body, and the kernel's further sources. */
static bool emit_kernel_files(HeliaEmitter *e, const AirNode *n)
{
    const HeliaKernel *k = n->kernel;
    bool ok = helia_emit_kernel_file(e, n->specialized ? k->body : k->file);
    for (const char *part = k->parts; ok && part && *part;) {
        size_t length = strcspn(part, " ");
        ok = helia_emit_kernel_file(e, helia_strndup(e->arena, part, length));
        part += length + strspn(part + length, " ");
    }
    return ok;
}

bool helia_emit_kernel_call(HeliaEmitter *e, const AirNode *node, const char *params_type,
                            void (*print)(HeliaOut *o, const void *params))
{
    bool returns_status = false;
    HeliaOut *o;
    const HeliaKernel *k = node->kernel;
    const char *header = kernel_header(e, node, &returns_status);
    if (!header || !emit_kernel_files(e, node))
        return false;
    if (node->specialized)
        header = helia_emit_symbol(e, file_base_name(k->body));
    if (!begin_operator(e, node, header, &o))
        return false;
    if (print)
        print_params(e, o, params_type, print, node->params);
    const char *symbol = helia_emit_symbol(e, node->specialized ? helia_format(e->arena, "%s_body", k->symbol)
                                                                : k->symbol);
    const char *arguments = call_arguments(e, node, print != NULL);
    helia_out_line(o, "int32_t %s_%s_run(%s_model_context_t *ctx)", e->prefix, node->cname, e->prefix);
    helia_out_line(o, "{");
    if (node->args.len == 0 && !scratch_slot(e, node))
        helia_out_line(o, "    (void)ctx;");
    if (returns_status) {
        helia_out_line(o, "    return %s(%s) == 0", symbol, arguments);
        helia_out_line(o, "               ? %s_STATUS_OK", e->PREFIX);
        helia_out_line(o, "               : %u;", schedule_index(e, node) + 1);
    } else {
        helia_out_line(o, "    %s(%s);", symbol, arguments);
        helia_out_line(o, "    return %s_STATUS_OK;", e->PREFIX);
    }
    helia_out_line(o, "}");
    return true;
}

/* ---- the handler ------------------------------------------------------------------------------ */
/* A view that could not share its input's storage. */
static bool emit_copied_view(HeliaEmitter *e, const AirNode *n)
{
    HeliaOut *o;
    if (!begin_operator(e, n, NULL, &o))
        return false;
    helia_out_line(o, "#include <string.h>");
    helia_out_line(o, "%s", "");
    helia_out_line(o, "int32_t %s_%s_run(%s_model_context_t *ctx)", e->prefix, n->cname, e->prefix);
    helia_out_line(o, "{");
    helia_out_line(o, "    memcpy(%s, %s, %zuu);", helia_emit_tensor(e, n->out[0]), helia_emit_tensor(e, n->in[0]),
                   air_bytes(n->out[0]));
    helia_out_line(o, "    return %s_STATUS_OK;", e->PREFIX);
    helia_out_line(o, "}");
    return true;
}

/* What follows white space and comments. */
static const char *skip_blank(const char *text)
{
    for (;;) {
        text += strspn(text, " \t\r\n");
        const char *end = strncmp(text, "/*", 2) == 0 ? strstr(text + 2, "*/") : NULL;
        if (!end)
            return text;
        text = end + 2;
    }
}

static bool in_identifier(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Does the text hold "name(...) {"? */
static bool has_definition(const char *text, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        const char *open = skip_blank(at + n), *close = *open == '(' ? strchr(open, ')') : NULL;
        if ((at == text || !in_identifier(at[-1])) && close && *skip_blank(close + 1) == '{')
            return true;
    }
    return false;
}

/* A function of the operator: in the files from `first` on, which its class has made, or in one that operators share. */
static bool check_function(HeliaEmitter *e, const AirNode *n, uint32_t first, const char *what, bool wanted)
{
    const char *name = helia_format(e->arena, "%s_%s_%s", e->prefix, n->cname, what);
    bool found = false;
    for (uint32_t i = e->files.len; !found && i > (wanted ? 0 : first); i--)
        found = has_definition(helia_out_string(e->files.at[i - 1].out, NULL), name);
    if (found == wanted)
        return true;
    if (found)
        return helia_error(e->diag, air_node_loc(e->graph, n),
                           "the operator class %s emits %s, which nothing would call; expected: has_init = true in the "
                           "class, or no such function",
                           n->op->type, name);
    return helia_error(e->diag, air_node_loc(e->graph, n),
                       "the operator class %s does not emit %s; expected: int32_t %s(%s_model_context_t *ctx) {...}",
                       n->op->type, name, name, e->prefix);
}

/* The model's code includes the operator's header and calls its functions: a class of a plug-in may have forgotten them. */
static bool check_emitted(HeliaEmitter *e, const AirNode *n, uint32_t first)
{
    const char *header = helia_format(e->arena, "includes-api/%s_%s.h", e->prefix, n->cname);
    bool ok = false;
    for (uint32_t i = first; !ok && i < e->files.len; i++)
        ok = strcmp(e->files.at[i].path, header) == 0;
    if (!ok)
        helia_error(e->diag, air_node_loc(e->graph, n),
                    "the operator class %s does not write %s; expected: its emit begins with helia_emit_operator or "
                    "calls helia_emit_kernel_call",
                    n->op->type, header);
    ok = check_function(e, n, first, "run", true) && ok;
    return check_function(e, n, first, "init", n->op->has_init) && ok;
}

static bool emit_operator(HeliaEmitter *e, const AirNode *n)
{
    const uint32_t first = e->files.len;
    if (n->op->traits & HELIA_OP_VIEW)
        return emit_copied_view(e, n);
    if (!n->op->emit)
        return helia_error(e->diag, air_node_loc(e->graph, n), "the operator class %s has no emit function",
                           n->op->type);
    const uint32_t errors = helia_diag_errors(e->diag);
    return blame(e->diag, n->op->emit(e, n), errors, air_node_loc(e->graph, n), "the class's emit") &&
           check_emitted(e, n, first);
}

bool emit_operators(HeliaEmitter *e)
{
    bool ok = true;
    HeliaOut *includes = helia_out_new(e->arena);
    for (uint32_t i = 0; i < e->operators.len; i++) {
        ok = emit_operator(e, e->operators.at[i]) && ok;
        helia_out_line(includes, "#include \"%s_%s.h\"", e->prefix, e->operators.at[i]->cname);
    }
    const TemplateKey keys[] = {{"INCLUDES", helia_out_string(includes, NULL)}};
    return emit_template(e, helia_format(e->arena, "includes-api/%s_operators.h", e->prefix), "operators.h.in", keys,
                         1) &&
           ok;
}
