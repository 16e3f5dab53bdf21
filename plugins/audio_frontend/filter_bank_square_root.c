/* SignalFilterBankSquareRoot: rounded square roots, shifted by what the automatic scaling before had added. */
#include "audio_frontend.h"
#include "helia_signal_square_root.h"

#include <string.h>

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const SignalOperand in[] = {{"input", SIGNAL_TYPE(AIR_U64), 1, 1},
                                       {"number of scale bits", SIGNAL_TYPE(AIR_S32), 0, 0}};
    static const SignalOperand out[] = {{"output", SIGNAL_TYPE(AIR_U32), 1, 1}};
    if (!signal_operands(c, n, in, out))
        return false;
    bool ok = signal_shape(c, n, 0, 1, n->in[0]->dim);
    if (air_is_constant(n->in[1])) {
        int32_t bits;
        memcpy(&bits, n->in[1]->data, sizeof(bits));
        ok = signal_range(c, n, "the number of scale bits", bits, 0, 31) && ok;
    }
    return ok;
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    helia_signal_square_root_params *p = HELIA_NEW(c->arena, helia_signal_square_root_params);
    p->count = n->in[0]->dim[0];
    n->params = p;
    signal_args(c, n);
    return true;
}

static const HeliaKernel kernels[] = {
    {.symbol = "helia_signal_square_root_u64_c",
     .file = "helia_signal_square_root_u64_c.c",
     .types = "uint64",
     .fits = signal_fits,
     .prepare = prepare},
};

static void print(HeliaOut *o, const void *params)
{
    const helia_signal_square_root_params *p = params;
    PRINT_INT(o, p, count);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_signal_square_root_params", print);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    helia_signal_square_root_u64_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->in[1]),
                                   helia_eval_ptr(v, n->out[0]));
    return true;
}

static const HeliaOpClass op_class = {
    .type = "SIGNALFILTERBANKSQUAREROOT",
    .doc = "rounded square roots, shifted right",
    .min_in = 2,
    .max_in = 2,
    .n_out = 1,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = SIGNAL_COUNT(kernels),
    .emit = emit,
    .eval = eval,
};

const SignalOp signal_filter_bank_square_root = {&op_class, NULL};
