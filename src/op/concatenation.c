/* The call of the concatenation kernel for each input. */
#include "op/concatenation.h"

#include "helia_concatenation.h"

bool concatenation_emit(HeliaEmitter *e, const AirNode *n)
{
    const helia_concatenation_params *p = n->params;
    const char *prefix = helia_emit_prefix(e);
    if (!helia_emit_kernel_file(e, n->kernel->file))
        return false;
    HeliaOut *o = helia_emit_operator(e, n);
    if (!o)
        return false;
    helia_out_line(o, "#include \"%s\"", helia_emit_symbol(e, "helia_concatenation.h"));
    helia_out_line(o, "%s", "");
    helia_out_open(o, "static const %s params[] =", helia_emit_symbol(e, "helia_concatenation_params"));
    for (uint32_t i = 0; i < n->n_in; i++)
        if (!helia_emit_in_place(e, n, i))
            helia_out_line(o, "{.rows = %d, .bytes = %d, .out_bytes = %d, .offset = %d},", p[i].rows, p[i].bytes,
                           p[i].out_bytes, p[i].offset);
    helia_out_close(o, ";");
    helia_out_line(o, "%s", "");
    helia_out_line(o, "int32_t %s_%s_run(%s_model_context_t *ctx)", prefix, n->cname, prefix);
    helia_out_line(o, "{");
    for (uint32_t i = 0, k = 0; i < n->n_in; i++)
        if (helia_emit_in_place(e, n, i))
            helia_out_line(o, "    /* input %u is in its place */", i);
        else
            helia_out_line(o, "    %s(&params[%u], %s, %s);", helia_emit_symbol(e, n->kernel->symbol), k++,
                           helia_emit_tensor(e, n->in[i]), helia_emit_tensor(e, n->out[0]));
    helia_out_line(o, "    return %s_STATUS_OK;", helia_emit_PREFIX(e));
    helia_out_line(o, "}");
    return true;
}

bool concatenation_eval(HeliaEval *v, const AirNode *n)
{
    const helia_concatenation_params *p = n->params;
    for (uint32_t i = 0; i < n->n_in; i++)
        helia_concatenation_c(&p[i], helia_eval_ptr(v, n->in[i]), helia_eval_ptr(v, n->out[0]));
    return true;
}

bool concatenation_part(const AirNode *n, uint32_t i, HeliaPart *part)
{
    const helia_concatenation_params *p = n->params;
    if (i >= n->n_in)
        return false;
    *part = (HeliaPart){n->in[i], p[i].rows == 1 ? n->out[0] : NULL, (size_t)p[i].offset};
    return true;
}
