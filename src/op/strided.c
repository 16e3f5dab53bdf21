/* Strided copies: planning, emission, evaluation. */
#include "op/strided.h"

const int movement_types[] = {AIR_S8,  AIR_U8,  AIR_S16, AIR_U16,  AIR_S32, AIR_U32,
                              AIR_S64, AIR_F16, AIR_F32, AIR_BOOL, -1};

bool check_movement(const HeliaOpContext *c, const AirNode *n, uint32_t i)
{
    if (!check_in_type(c, n, i, "input", movement_types))
        return false;
    bool ok = true;
    for (uint32_t k = 0; k < n->n_out; k++) {
        const AirTensor *in = n->in[i], *out = n->out[k];
        if (out->type != in->type)
            ok = check_fail(c, n, "input is %s and output %u %s; they must be equal", air_type_doc(in->type), k,
                            air_type_doc(out->type));
        else
            ok = check_same_quant(c, n, in, out, "input and output") && ok;
    }
    return ok;
}

int64_t row_major_step(const AirTensor *t, int32_t d)
{
    int64_t step = 1;
    for (int32_t i = d + 1; i < t->rank; i++)
        step *= t->dim[i];
    return step;
}

int32_t check_axis(const HeliaOpContext *c, const AirNode *n, int64_t axis, const AirTensor *t, int32_t extra)
{
    const int32_t rank = t->rank + extra;
    if (axis >= -rank && axis < rank)
        return (int32_t)(axis < 0 ? axis + rank : axis);
    check_fail(c, n, "axis %lld is outside input %s; supported: %d to %d", (long long)axis, air_shape_text(c->arena, t),
               -rank, rank - 1);
    return -1;
}

bool strided_plan(const HeliaOpContext *c, const AirNode *n, const AirTensor *in, const Strided *s,
                  helia_strided_copy_params *p)
{
    const int64_t element = air_type_bits(in->type) / 8;
    int64_t dim[AIR_MAX_RANK], stride[AIR_MAX_RANK], block = element;
    int32_t loops = 0; /* collected innermost first */
    *p = (helia_strided_copy_params){.rank = 1, .dim = {1}, .offset = (int32_t)(s->first * element)};
    for (int32_t d = 0; d < s->rank; d++)
        if (s->dim[d] == 0) {
            p->dim[0] = 0;
            return true;
        }
    for (int32_t d = s->rank - 1; d >= 0; d--) {
        int64_t step = s->step[d] * element;
        if (s->dim[d] == 1)
            continue;
        if (loops == 0 && step == block) {
            block *= s->dim[d];
        } else if (loops > 0 && step == stride[loops - 1] * dim[loops - 1]) {
            dim[loops - 1] *= s->dim[d];
        } else {
            dim[loops] = s->dim[d];
            stride[loops++] = step;
        }
    }
    if (loops > HELIA_STRIDED_COPY_RANK)
        return check_fail(c, n, "picking from input %s needs %d loops; at most %d are supported",
                          air_shape_text(c->arena, in), loops, HELIA_STRIDED_COPY_RANK);
    p->block = (int32_t)block;
    p->rank = loops ? loops : 1;
    for (int32_t i = 0; i < loops; i++) {
        p->dim[loops - 1 - i] = (int32_t)dim[i];
        p->stride[loops - 1 - i] = (int32_t)stride[i];
    }
    return true;
}

static bool takes_all(const AirTensor *in, const helia_strided_copy_params *p)
{
    return p->rank == 1 && p->dim[0] == 1 && p->offset == 0 && (size_t)p->block == air_bytes(in);
}

bool strided_resolve(const HeliaOpContext *c, AirNode *n, const Strided *s, const HeliaOpClass *view)
{
    helia_strided_copy_params *p = HELIA_NEW(c->arena, helia_strided_copy_params);
    n->params = p;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, n->out[0], true);
    if (!check_movement(c, n, 0) || !strided_plan(c, n, n->in[0], s, p))
        return false;
    if (takes_all(n->in[0], p))
        n->op = view;
    return true;
}

const char *strided_fits(const HeliaOpContext *c, const AirNode *n)
{
    (void)c, (void)n;
    return NULL;
}

static void print_copy(HeliaOut *o, const helia_strided_copy_params *p)
{
    PRINT_INT(o, p, rank);
    print_ints(o, "dim", p->dim, (uint32_t)p->rank);
    print_ints(o, "stride", p->stride, (uint32_t)p->rank);
    PRINT_INT(o, p, offset);
    PRINT_INT(o, p, block);
}

bool strided_emit(HeliaEmitter *e, const AirNode *n)
{
    const helia_strided_copy_params *p = n->params;
    const uint32_t count = n->args.len - 1;
    const char *prefix = helia_emit_prefix(e);
    if (!helia_emit_kernel_file(e, n->kernel->file))
        return false;
    HeliaOut *o = helia_emit_operator(e, n);
    if (!o)
        return false;
    helia_out_line(o, "#include \"%s\"", helia_emit_symbol(e, "helia_strided_copy.h"));
    helia_out_line(o, "%s", "");
    helia_out_open(o, "static const %s params[] =", helia_emit_symbol(e, "helia_strided_copy_params"));
    for (uint32_t i = 0; i < count; i++) {
        if (helia_emit_in_place(e, n, i))
            continue;
        helia_out_line(o, "{");
        print_copy(o, &p[i]);
        helia_out_line(o, "},");
    }
    helia_out_close(o, ";");
    helia_out_line(o, "%s", "");
    helia_out_line(o, "int32_t %s_%s_run(%s_model_context_t *ctx)", prefix, n->cname, prefix);
    helia_out_line(o, "{");
    for (uint32_t i = 0, k = 0; i < count; i++)
        if (helia_emit_in_place(e, n, i))
            helia_out_line(o, "    /* output %u is in its place */", i);
        else
            helia_out_line(o, "    %s(&params[%u], %s, %s);", helia_emit_symbol(e, n->kernel->symbol), k++,
                           helia_emit_tensor(e, n->args.at[0].tensor), helia_emit_tensor(e, n->args.at[1 + i].tensor));
    helia_out_line(o, "    return %s_STATUS_OK;", helia_emit_PREFIX(e));
    helia_out_line(o, "}");
    return true;
}

bool strided_eval(HeliaEval *v, const AirNode *n)
{
    const helia_strided_copy_params *p = n->params;
    for (uint32_t i = 0; i + 1 < n->args.len; i++)
        helia_strided_copy_c(&p[i], helia_eval_ptr(v, n->args.at[0].tensor),
                             helia_eval_ptr(v, n->args.at[1 + i].tensor));
    return true;
}

bool strided_part(const AirNode *n, uint32_t i, HeliaPart *part)
{
    const helia_strided_copy_params *p = n->params;
    if (i + 1 >= n->args.len)
        return false;
    const bool together = p[i].rank == 1 && p[i].dim[0] == 1;
    *part = (HeliaPart){n->args.at[1 + i].tensor, together ? n->args.at[0].tensor : NULL, (size_t)p[i].offset};
    return true;
}
