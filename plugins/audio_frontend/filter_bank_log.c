/* SignalFilterBankLog: scaled natural logarithms of the channels. */
#include "audio_frontend.h"
#include "helia_signal_log.h"

typedef struct LogOptions {
    int32_t input_correction_bits, output_scale;
} LogOptions;

static const HeliaField fields[] = {SIGNAL_INT(LogOptions, input_correction_bits),
                                    SIGNAL_INT(LogOptions, output_scale)};
static const HeliaOptionsClass options_class = {"SignalFilterBankLogOptions", sizeof(LogOptions), fields,
                                                SIGNAL_COUNT(fields)};

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const SignalOperand in[] = {{"input", SIGNAL_TYPE(AIR_U32), 1, 1}};
    static const SignalOperand out[] = {{"output", SIGNAL_TYPE(AIR_S16), 1, 1}};
    const LogOptions *o = n->options;
    bool ok = signal_range(c, n, "input_correction_bits", o->input_correction_bits, 0, 31);
    return signal_operands(c, n, in, out) && signal_shape(c, n, 0, 1, n->in[0]->dim) && ok;
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    const LogOptions *o = n->options;
    helia_signal_log_params *p = HELIA_NEW(c->arena, helia_signal_log_params);
    p->count = n->in[0]->dim[0];
    p->correction_bits = o->input_correction_bits;
    p->scale = (uint32_t)o->output_scale;
    n->params = p;
    signal_args(c, n);
    return true;
}

static const HeliaKernel kernels[] = {
    {.symbol = "helia_signal_log_u32_c",
     .file = "helia_signal_log_u32_c.c",
     .types = "uint32",
     .fits = signal_fits,
     .prepare = prepare},
};

static void print(HeliaOut *o, const void *params)
{
    const helia_signal_log_params *p = params;
    PRINT_INT(o, p, count);
    PRINT_INT(o, p, correction_bits);
    PRINT_UINT(o, p, scale);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_signal_log_params", print);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    helia_signal_log_u32_c(n->params, helia_eval_ptr(v, n->in[0]), helia_eval_ptr(v, n->out[0]));
    return true;
}

static const HeliaOpClass op_class = {
    .type = "SIGNALFILTERBANKLOG",
    .doc = "scaled natural logarithms",
    .min_in = 1,
    .max_in = 1,
    .n_out = 1,
    .on_resolve = resolve,
    .kernels = kernels,
    .n_kernels = SIGNAL_COUNT(kernels),
    .emit = emit,
    .eval = eval,
};

const SignalOp signal_filter_bank_log = {&op_class, &options_class};
