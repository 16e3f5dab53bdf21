/* SignalRfft and SignalIrfft: Fourier transforms of rows of reals. The roots of unity are constants that are computed
 * here; which length is transformed in which stages is decided here too. */
#include "audio_frontend.h"
#include "helia_signal_fft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct FftOptions {
    int32_t T; /* the schema's TensorType */
    int32_t fft_length;
} FftOptions;

static const HeliaField fields[] = {SIGNAL_INT(FftOptions, T), SIGNAL_INT(FftOptions, fft_length)};
static const HeliaOptionsClass options_class = {"SignalFftOptions", sizeof(FftOptions), fields, SIGNAL_COUNT(fields)};

/* The class says it in `user`. */
static bool is_inverse(const AirNode *n)
{
    return n->op->user != NULL;
}

/* ---- checks ----------------------------------------------------------------------------------- */
/* Half of it is transformed in stages of 2, 3, 4 and 5. The limit is for the tables, which grow with it. */
enum { MAX_LENGTH = 1 << 20 };

static bool check_length(const HeliaOpContext *c, const AirNode *n, int32_t length)
{
    int32_t rest = length / 2;
    for (int32_t p = 2; p <= 5 && rest > 1; p++)
        while (rest % p == 0)
            rest /= p;
    return (length >= 4 && length <= MAX_LENGTH && length % 2 == 0 && rest == 1) ||
           signal_fail(c, n, "fft_length is %d; accepted: 4 to %d, twice a product of the factors 2, 3 and 5", length,
                       MAX_LENGTH);
}

/* Input and output differ in the last dimension only. There may be fewer reals than are transformed; whatever else is
 * longer than needed has a gap behind it. */
static bool check_shapes(const HeliaOpContext *c, AirNode *n, int32_t length)
{
    const AirTensor *in = n->in[0], *out = n->out[0];
    const int32_t in_last = signal_last_dim(in);
    int32_t dim[AIR_MAX_RANK];
    bool ok = true;
    if (!is_inverse(n) && in_last > length)
        ok = signal_fail(c, n, "the input's rows have %d values; accepted: up to fft_length, which is %d", in_last,
                         length);
    if (is_inverse(n) && in_last < length + 2)
        ok = signal_fail(c, n, "the input's rows have %d values; accepted: fft_length + 2, which is %d, or more",
                         in_last, length + 2);
    const int32_t needed = is_inverse(n) ? length : length + 2;
    memcpy(dim, in->dim, sizeof(dim));
    dim[in->rank - 1] = needed;
    if (!out->shape_is_open && out->rank == in->rank && signal_last_dim(out) > needed)
        dim[in->rank - 1] = signal_last_dim(out);
    return signal_shape(c, n, 0, in->rank, dim) && ok;
}

static bool resolve(const HeliaOpContext *c, AirNode *n)
{
    static const uint32_t types = SIGNAL_TYPE(AIR_S16) | SIGNAL_TYPE(AIR_S32) | SIGNAL_TYPE(AIR_F32);
    static const SignalOperand in[] = {{"input", types, 1, AIR_MAX_RANK}};
    static const SignalOperand out[] = {{"output", types, 1, AIR_MAX_RANK}};
    const FftOptions *o = n->options;
    bool ok = check_length(c, n, o->fft_length);
    if (!signal_operands(c, n, in, out))
        return false;
    ok = signal_type_option(c, n, o->T) && ok;
    return ok && check_shapes(c, n, o->fft_length);
}

/* ---- preparing -------------------------------------------------------------------------------- */
/* The stages: as many of 4 as divide, then 2, 3 and 5; beyond the square root of the length only what is left. */
static void plan_stages(helia_signal_fft_params *p)
{
    const int32_t limit = (int32_t)floor(sqrt((double)p->half));
    int32_t n = p->half, radix = 4;
    while (n > 1) {
        while (n % radix != 0) {
            radix = radix == 4 ? 2 : radix == 2 ? 3 : radix + 2;
            if (radix > limit)
                radix = n;
        }
        n /= radix;
        p->radix[p->stages] = radix;
        p->span[p->stages++] = n;
    }
}

static void store(AirType type, void *values, int32_t i, double value)
{
    if (type == AIR_S16)
        ((int16_t *)values)[i] = (int16_t)floor(0.5 + INT16_MAX * value);
    else if (type == AIR_S32)
        ((int32_t *)values)[i] = (int32_t)floor(0.5 + INT32_MAX * value);
    else
        ((float *)values)[i] = (float)value;
}

/* Where a root stands on the circle, for the forward transform with a minus. */
static double twiddle_phase(int32_t i, int32_t half)
{
    return 2.0 * M_PI * i / half;
}

static double split_phase(int32_t i, int32_t half)
{
    return M_PI * ((i + 1.0) / half + 0.5);
}

static AirTensor *roots(const HeliaOpContext *c, const AirNode *n, const char *name, int32_t count, int32_t half,
                        double (*phase)(int32_t i, int32_t half))
{
    const AirType type = n->in[0]->type;
    const int32_t dim[] = {count, 2};
    void *values = helia_alloc(c->arena, 2u * (size_t)count, air_type_bits(type) / 8);
    for (int32_t i = 0; i < count; i++) {
        double at = is_inverse(n) ? phase(i, half) : -phase(i, half);
        store(type, values, 2 * i, cos(at));
        store(type, values, 2 * i + 1, sin(at));
    }
    return air_constant_new(c->graph, name, type, 2, dim, values);
}

static bool prepare(const HeliaOpContext *c, AirNode *n)
{
    const FftOptions *o = n->options;
    const int32_t half = o->fft_length / 2, in_last = signal_last_dim(n->in[0]), out_last = signal_last_dim(n->out[0]);
    helia_signal_fft_params *p = HELIA_NEW(c->arena, helia_signal_fft_params);
    p->rows = signal_rows(n->in[0], 1);
    p->inverse = is_inverse(n);
    p->in_pitch = p->inverse ? in_last / 2 * 2 : in_last; /* spectra have an even number of values */
    p->out_pitch = p->inverse ? out_last : out_last / 2 * 2;
    p->length = in_last;
    p->half = half;
    plan_stages(p);
    n->params = p;
    air_arg(n, c->graph, n->in[0], false);
    air_arg(n, c->graph, roots(c, n, "fft_twiddles", half, half, twiddle_phase), false);
    air_arg(n, c->graph, roots(c, n, "fft_splits", half / 2, half, split_phase), false);
    air_arg(n, c->graph, n->out[0], true);
    return true;
}

/* ---- kernels ---------------------------------------------------------------------------------- */
/* The inverse transform's spectrum on its way to the complex transform. */
static size_t scratch_s16(const void *params)
{
    return (size_t)((const helia_signal_fft_params *)params)->half * 2 * sizeof(int16_t);
}

static size_t scratch_32(const void *params)
{
    return (size_t)((const helia_signal_fft_params *)params)->half * 2 * sizeof(int32_t);
}

#define ROW(function, type, doc, memory)                                                                               \
    {                                                                                                                  \
        .symbol = "helia_signal_" function "_" #type "_c", .file = "helia_signal_" function "_" #type "_c.c",          \
        .parts = "helia_signal_fft_" #type "_c.c", .types = doc, .fits = signal_fits_##type, .prepare = prepare,       \
        .scratch = memory                                                                                              \
    }

static const HeliaKernel forward_kernels[] = {ROW("rfft", s16, "int16", NULL), ROW("rfft", s32, "int32", NULL),
                                              ROW("rfft", f32, "float32", NULL)};
static const HeliaKernel inverse_kernels[] = {ROW("irfft", s16, "int16", scratch_s16),
                                              ROW("irfft", s32, "int32", scratch_32),
                                              ROW("irfft", f32, "float32", scratch_32)};

/* ---- emission and evaluation ------------------------------------------------------------------ */
static void print_stages(HeliaOut *o, const char *field, const int32_t *values, int32_t n)
{
    char text[HELIA_SIGNAL_FFT_STAGES * 13 + 1] = "";
    size_t used = 0;
    for (int32_t i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%ld", i ? ", " : "", (long)values[i]);
    helia_out_line(o, ".%s = {%s},", field, text);
}

static void print(HeliaOut *o, const void *params)
{
    const helia_signal_fft_params *p = params;
    PRINT_INT(o, p, rows);
    PRINT_INT(o, p, in_pitch);
    PRINT_INT(o, p, out_pitch);
    PRINT_INT(o, p, length);
    PRINT_INT(o, p, half);
    PRINT_INT(o, p, inverse);
    PRINT_INT(o, p, stages);
    print_stages(o, "radix", p->radix, p->stages);
    print_stages(o, "span", p->span, p->stages);
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_signal_fft_params", print);
}

static bool eval(HeliaEval *v, const AirNode *n)
{
    const helia_signal_fft_params *p = n->params;
    const void *in = helia_eval_ptr(v, n->args.at[0].tensor), *twiddles = helia_eval_ptr(v, n->args.at[1].tensor);
    const void *splits = helia_eval_ptr(v, n->args.at[2].tensor);
    void *out = helia_eval_ptr(v, n->args.at[3].tensor);
    const AirType type = n->in[0]->type;
    if (type == AIR_S16 && is_inverse(n))
        helia_signal_irfft_s16_c(p, in, twiddles, splits, out, v->scratch);
    else if (type == AIR_S32 && is_inverse(n))
        helia_signal_irfft_s32_c(p, in, twiddles, splits, out, v->scratch);
    else if (is_inverse(n))
        helia_signal_irfft_f32_c(p, in, twiddles, splits, out, v->scratch);
    else if (type == AIR_S16)
        helia_signal_rfft_s16_c(p, in, twiddles, splits, out);
    else if (type == AIR_S32)
        helia_signal_rfft_s32_c(p, in, twiddles, splits, out);
    else
        helia_signal_rfft_f32_c(p, in, twiddles, splits, out);
    return true;
}

#define CLASS(key, text, rows, inverse)                                                                                \
    {                                                                                                                  \
        .type = key, .doc = text, .min_in = 1, .max_in = 1, .n_out = 1, .on_resolve = resolve, .kernels = rows,        \
        .n_kernels = SIGNAL_COUNT(rows), .emit = emit, .eval = eval, .user = inverse                                   \
    }

static const HeliaOpClass forward_class = CLASS("SIGNALRFFT", "the spectrum of each row", forward_kernels, NULL);
static const HeliaOpClass inverse_class = CLASS("SIGNALIRFFT", "each row from its spectrum", inverse_kernels,
                                                &options_class);

const SignalOp signal_rfft = {&forward_class, &options_class};
const SignalOp signal_irfft = {&inverse_class, &options_class};
