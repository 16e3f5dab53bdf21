/* The audio front-end operators of TensorFlow Lite Micro ("Signal..." custom operators) as a plug-in. */
#include "audio_frontend.h"

#include "emit/embedded.h"

static const SignalOp *const operators[] = {
    &signal_window,
    &signal_fft_auto_scale,
    &signal_rfft,
    &signal_irfft,
    &signal_energy,
    &signal_filter_bank,
    &signal_filter_bank_square_root,
    &signal_filter_bank_spectral_subtraction,
    &signal_pcan,
    &signal_filter_bank_log,
    &signal_delay,
    &signal_stacker,
    &signal_framer,
    &signal_overlap_add,
};

/* The files of kernels/, embedded by the build. */
extern const EmbeddedFile audio_frontend_kernels[];

static const char *base_name(const char *path)
{
    const char *name = path;
    for (; *path; path++)
        if (*path == '/')
            name = path + 1;
    return name;
}

static bool register_op(HeliaRegistryContext *context, const SignalOp *s)
{
    HeliaLitertParser *parser = HELIA_NEW(context->arena, HeliaLitertParser);
    *parser = (HeliaLitertParser){signal_parse, s->options};
    return helia_register_op(context, s->op, parser, s->options);
}

bool audio_frontend_customize(HeliaRegistryContext *context, void *user)
{
    (void)user;
    bool ok = true;
    for (const EmbeddedFile *f = audio_frontend_kernels; f->path; f++)
        ok = helia_register_kernel_source(context, base_name(f->path), f->bytes, f->size) && ok;
    for (uint32_t i = 0; i < SIGNAL_COUNT(operators); i++)
        ok = register_op(context, operators[i]) && ok;
    return ok;
}

HELIA_PLUGIN("audio_frontend", HELIA_AOT_VERSION, audio_frontend_customize)
