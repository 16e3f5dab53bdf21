/* What one operator is: parser, options class and operator class, registered under one canonical key.
 * A file in src/ops holds all three for one operator or a family; a plug-in brings the same. */
#ifndef HELIA_AOT_OP_H
#define HELIA_AOT_OP_H

#include <helia_aot/air.h>
#include <helia_aot/litert.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- target ----------------------------------------------------------------------------------- */
enum {
    HELIA_ISA_C = 0, /* portable C99 */
    HELIA_ISA_DSP = 1u << 0,
    HELIA_ISA_MVE = 1u << 1, /* integer */
    HELIA_ISA_MVE_FP = 1u << 2,
    HELIA_ISA_FPU = 1u << 3,
    HELIA_ISA_FP16 = 1u << 4,
    HELIA_ISA_X86 = 1u << 5,
    /* Not of the core: libraries of kernels that the application links. ns-cmsis-nn has what CMSIS-NN has. */
    HELIA_LIB_CMSIS_NN = 1u << 6,
    HELIA_LIB_NS_CMSIS_NN = 1u << 7,
    HELIA_LIBRARIES = HELIA_LIB_CMSIS_NN | HELIA_LIB_NS_CMSIS_NN
};
typedef enum HeliaGoal { HELIA_GOAL_BALANCED, HELIA_GOAL_LATENCY, HELIA_GOAL_SIZE, HELIA_GOAL_ACCURACY } HeliaGoal;

/* Kernels instantiated with an operator's constants, or one body for all operators. AUTO: specialized, but for goal `size`
 * where several operators share the kernel. */
typedef enum HeliaKernelEntry { HELIA_ENTRY_AUTO, HELIA_ENTRY_SPECIALIZED, HELIA_ENTRY_GENERIC } HeliaKernelEntry;

/* What operators may know of the target and the configuration. */
typedef struct HeliaTarget {
    const char *platform, *cpu;
    uint32_t isa; /* mask of HELIA_ISA_ and HELIA_LIB_ */
    HeliaGoal goal;
    HeliaKernelEntry kernel_entry;
    size_t min_alignment;
    bool allow_numeric_changes; /* floats may be rounded otherwise than in the model's order of operations */
} HeliaTarget;

/* ---- parsing ---------------------------------------------------------------------------------- */
struct AirVariables; /* air/variables.h */
typedef struct HeliaParse {
    const LitertModel *litert;
    const LitertSubgraph *subgraph;
    const LitertOp *op;
    AirGraph *graph;
    HeliaArena *arena;
    HeliaDiag *diag;
    HeliaLoc at;
    struct AirVariables *variables; /* the resource variables met so far */
    bool spent;                     /* out: the operator has said all it has to say; no node is made of it */
} HeliaParse;

/* Fills node->options (inputs, outputs and op_type are set already and may be changed). */
typedef struct HeliaLitertParser {
    bool (*parse)(const struct HeliaLitertParser *self, HeliaParse *p, AirNode *node);
    const void *user;
} HeliaLitertParser;

/* How an options struct is printed and read in AIR text. A field is an int32_t, a float, or int32_t[8] with a count. */
typedef enum HeliaFieldKind { HELIA_FIELD_INT, HELIA_FIELD_BOOL, HELIA_FIELD_FLOAT, HELIA_FIELD_INTS } HeliaFieldKind;
typedef struct HeliaField {
    const char *name;
    HeliaFieldKind kind;
    size_t offset;            /* of an int32_t, bool, float, or int32_t[AIR_MAX_RANK] */
    size_t count_offset;      /* HELIA_FIELD_INTS: of its uint32_t length */
    const char *const *names; /* HELIA_FIELD_INT that is an enum: its words, NULL-terminated; else NULL */
} HeliaField;
typedef struct HeliaOptionsClass {
    const char *name; /* "Conv2DOptions" */
    size_t size;
    const HeliaField *fields;
    uint32_t n_fields;
} HeliaOptionsClass;

/* ---- the operator class ----------------------------------------------------------------------- */
typedef struct HeliaOpContext {
    AirGraph *graph;
    HeliaArena *arena;
    HeliaDiag *diag;
    const HeliaTarget *target;
} HeliaOpContext;

struct HeliaEmitter; /* helia_aot/emit.h */

/* One row for each kernel variant, best first, the portable one last. */
typedef struct HeliaKernel {
    const char *symbol; /* "helia_conv_2d_s8_c" */
    const char *file;   /* below runtime/kernels: "conv_2d/helia_conv_2d_s8_c.c"; copied with what it includes */
    uint32_t isa;       /* what the target must have */
    const char *types;  /* for the support table: "int8" */
    /* NULL if it fits, else why not ("more than 16 channels"), for explain. The types are checked here too. */
    const char *(*fits)(const HeliaOpContext *c, const AirNode *node);
    /* Lays out constants, fills node->params and node->args. NULL: resolve has done it. */
    bool (*prepare)(const HeliaOpContext *c, AirNode *node);
    /* Bytes of scratch, a pure function of node->params, no #if. NULL: none. */
    size_t (*scratch)(const void *params);
    /* Further sources of the kernel, separated by spaces: assembly for the target, and the portable twin of the same data
     * layout that stands in for it on other machines. NULL: none. */
    const char *parts;
    /* A header with the inline function <symbol>_body, the kernel's text with the parameters of the symbol: what a
     * specialised call uses in place of `file`. NULL: generic only. */
    const char *body;
    /* For the class's emit, which hands on to it: writes an operator with this row's own parameters. NULL: as the class's
     * other rows. */
    bool (*emit)(struct HeliaEmitter *e, const AirNode *node);
} HeliaKernel;

enum {
    HELIA_OP_VIEW = 1u << 0,     /* output 0 is input 0 under another shape: no code, same storage */
    HELIA_OP_INPLACE = 1u << 1,  /* output 0 may overwrite any input of its size that dies here */
    HELIA_OP_STATEFUL = 1u << 2, /* has an effect besides its outputs: never removed or reordered */
    HELIA_OP_STATIC = 1u << 4,   /* the result follows from the input's shape, not from its values */
    HELIA_OP_MOVES = 1u << 5,    /* copies elements as they are, without arithmetic */
    HELIA_OP_CLAMPS = 1u << 6,   /* its option fused_activation_function cuts the result off before it is stored */
    HELIA_OP_PRUNABLE = 1u << 3  /* changes nothing where input 0 and output 0 agree in type, shape and quantisation */
};

struct HeliaEval; /* below */

/* A copy without change: `part` is the bytes of `whole` from `offset` on. */
typedef struct HeliaPart {
    AirTensor *part, *whole; /* one of them is an input of the node, the other an output */
    size_t offset;
} HeliaPart;

typedef struct HeliaOpClass {
    const char *type; /* canonical key */
    const char *doc;  /* one line for the catalogue */
    uint32_t traits;
    uint32_t min_in, max_in, n_out; /* n_out 0: any number */
    bool has_init;                  /* emits <p>_<name>_init too */
    /* Sets the outputs' shapes from inputs and options, or checks them. Runs in order over the graph. NULL: none. */
    bool (*infer)(const HeliaOpContext *c, AirNode *node);
    /* Checks data types, shapes, layout, quantisation and platform; computes what all kernels share. */
    bool (*on_resolve)(const HeliaOpContext *c, AirNode *node);
    const HeliaKernel *kernels;
    uint32_t n_kernels;
    /* Scratch of a class without kernel rows. NULL: the kernel row's. */
    size_t (*scratch)(const HeliaOpContext *c, const AirNode *node);
    /* Writes the operator's header and source. */
    bool (*emit)(struct HeliaEmitter *e, const AirNode *node);
    /* The reference result on the host. NULL: the operator cannot be evaluated. */
    bool (*eval)(struct HeliaEval *v, const AirNode *node);
    /* Before Resolve, on unchecked nodes: gives the node the inputs of an equal CONV_2D, whose options have the fields of
     * this class's by name. False where there is none; the node is then unchanged. NULL: never. */
    bool (*to_conv)(const HeliaOpContext *c, AirNode *node);
    /* Of an operator that only copies, after Resolve: its i-th copy; whole NULL: one of scattered bytes. False: there are
     * no more. Planning may give both tensors one place. Then emit leaves the copy out (helia_emit_in_place()), and
     * an operator whose copies are all in place has no code and is not emitted. NULL: the operator does more. */
    bool (*part)(const AirNode *node, uint32_t i, HeliaPart *part);
    const void *user; /* whatever the functions above want */
} HeliaOpClass;

/* ---- evaluation ------------------------------------------------------------------------------- */
typedef struct HeliaEval {
    AirGraph *graph;
    HeliaDiag *diag;
    void **data;   /* by tensor id; constants point to their bytes */
    void *scratch; /* node->scratch bytes, aligned to 16 */
} HeliaEval;
static inline void *helia_eval_ptr(const HeliaEval *v, const AirTensor *tensor)
{
    return tensor ? v->data[tensor->id] : NULL;
}
/* The same of all node->args, in their order. */
static inline void helia_eval_args(const HeliaEval *v, const AirNode *n, void **out)
{
    for (uint32_t i = 0; i < n->args.len; i++)
        out[i] = helia_eval_ptr(v, n->args.at[i].tensor);
}

#ifdef __cplusplus
}
#endif
#endif
