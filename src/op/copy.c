/* Copies: one call of memmove. */
#include "op/copy.h"

#include <string.h>

bool copy_emit(HeliaEmitter *e, const AirNode *n)
{
    const char *prefix = helia_emit_prefix(e);
    HeliaOut *o = helia_emit_operator(e, n);
    if (!o)
        return false;
    helia_out_line(o, "#include <string.h>");
    helia_out_line(o, "%s", "");
    helia_out_line(o, "int32_t %s_%s_run(%s_model_context_t *ctx)", prefix, n->cname, prefix);
    helia_out_line(o, "{");
    helia_out_line(o, "    memmove(%s, %s, %zuu);", helia_emit_tensor(e, n->args.at[1].tensor),
                   helia_emit_tensor(e, n->args.at[0].tensor), air_bytes(n->args.at[0].tensor));
    helia_out_line(o, "    return %s_STATUS_OK;", helia_emit_PREFIX(e));
    helia_out_line(o, "}");
    return true;
}

bool copy_eval(HeliaEval *v, const AirNode *n)
{
    memmove(helia_eval_ptr(v, n->args.at[1].tensor), helia_eval_ptr(v, n->args.at[0].tensor),
            air_bytes(n->args.at[0].tensor));
    return true;
}
