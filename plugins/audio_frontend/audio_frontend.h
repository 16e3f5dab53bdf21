/* What the operators of the audio front-end share: how one is described to the plug-in, its options by key, and checks.
 * Each operator's file defines one SignalOp; plugin.c lists them. */
#ifndef AUDIO_FRONTEND_H
#define AUDIO_FRONTEND_H

#include <helia_aot/plugin.h>

typedef struct SignalOp {
    const HeliaOpClass *op;
    const HeliaOptionsClass *options; /* NULL: none */
} SignalOp;

extern const SignalOp signal_window;
extern const SignalOp signal_fft_auto_scale;
extern const SignalOp signal_rfft;
extern const SignalOp signal_irfft;
extern const SignalOp signal_energy;
extern const SignalOp signal_filter_bank;
extern const SignalOp signal_filter_bank_square_root;
extern const SignalOp signal_filter_bank_spectral_subtraction;
extern const SignalOp signal_pcan;
extern const SignalOp signal_filter_bank_log;
extern const SignalOp signal_delay;
extern const SignalOp signal_stacker;
extern const SignalOp signal_framer;
extern const SignalOp signal_overlap_add;

/* Registers all operators and their kernel sources; a HeliaCustomizer. */
bool audio_frontend_customize(HeliaRegistryContext *context, void *user);

/* ---- options ---------------------------------------------------------------------------------- */
/* The parser of every operator; self->user is its HeliaOptionsClass or NULL. Each field must be in the map as an integer
 * (a boolean field as a boolean or an integer), but "T", which is 0 where it is absent. Integers are cut to 32 bits, as
 * the reference does: unsigned options above INT32_MAX are stored negative. Other keys mean nothing. */
bool signal_parse(const HeliaLitertParser *self, HeliaParse *p, AirNode *node);

/* clang-format off */
#define SIGNAL_INT(T, f) {#f, HELIA_FIELD_INT, offsetof(T, f), 0, NULL}
#define SIGNAL_BOOL(T, f) {#f, HELIA_FIELD_BOOL, offsetof(T, f), 0, NULL}
/* clang-format on */
#define SIGNAL_COUNT(a) ((uint32_t)(sizeof(a) / sizeof((a)[0])))

/* ---- checks: each reports and returns false --------------------------------------------------- */
bool signal_fail(const HeliaOpContext *c, const AirNode *n, const char *fmt, ...) HELIA_PRINTF(3, 4);

/* What an operand must be. */
typedef struct SignalOperand {
    const char *what;
    uint32_t types; /* SIGNAL_TYPE(AIR_S16) | ... */
    int32_t min_rank, max_rank;
} SignalOperand;
#define SIGNAL_TYPE(type) (1u << (type))

/* All inputs and outputs, which also must have elements. Their numbers are those of the class. */
bool signal_operands(const HeliaOpContext *c, const AirNode *n, const SignalOperand *in, const SignalOperand *out);
/* lo <= value <= hi. */
bool signal_range(const HeliaOpContext *c, const AirNode *n, const char *option, int32_t value, int32_t lo, int32_t hi);
/* The output has this shape, or gets it where the graph left its shape open. */
bool signal_shape(const HeliaOpContext *c, AirNode *n, uint32_t output, int32_t rank, const int32_t *dim);
/* Option T is the TensorType of input 0, whose type output 0 has too. */
bool signal_type_option(const HeliaOpContext *c, const AirNode *n, int32_t T);
/* An input has at least so many elements. */
bool signal_at_least(const HeliaOpContext *c, const AirNode *n, uint32_t input, int64_t count);

/* ---- preparing -------------------------------------------------------------------------------- */
/* For kernel rows of operators that have one type, and by the type of input 0. */
const char *signal_fits(const HeliaOpContext *c, const AirNode *n);
const char *signal_fits_s16(const HeliaOpContext *c, const AirNode *n);
const char *signal_fits_s32(const HeliaOpContext *c, const AirNode *n);
const char *signal_fits_f32(const HeliaOpContext *c, const AirNode *n);
/* A variable that lives from run to run and is written; initial NULL: zeros. It is made in `prepare` because its size
 * follows from shapes that are final only then. */
AirTensor *signal_state(const HeliaOpContext *c, const char *name, AirType type, int32_t rank, const int32_t *dim,
                        const void *initial);
/* The inputs, then the outputs, as the kernel's arguments. */
void signal_args(const HeliaOpContext *c, AirNode *n);
/* The product of all dimensions but the last `inner`. */
int32_t signal_rows(const AirTensor *t, int32_t inner);
int32_t signal_last_dim(const AirTensor *t);

/* Lines of a parameter struct's initialiser; p is a pointer to the struct. */
#define PRINT_INT(o, p, member) helia_out_line((o), "." #member " = %ld,", (long)(p)->member)
#define PRINT_UINT(o, p, member) helia_out_line((o), "." #member " = %luu,", (unsigned long)(p)->member)

#endif
