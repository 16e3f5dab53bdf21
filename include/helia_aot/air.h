/* AIR: the graph between the LiteRT model and the emitted module. Plain structs; transforms read and write
 * fields directly and leave `def` and `uses` to air_rebuild_uses(). Everything lives in AirModel.arena. */
#ifndef HELIA_AOT_AIR_H
#define HELIA_AOT_AIR_H

#include <helia_aot/support.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { AIR_MAX_RANK = 8 };

typedef enum AirType {
#define T(id, text, bits, ctype, litert, doc) AIR_##id,
#include <helia_aot/air_types.inc>
#undef T
    AIR_NUM_TYPES
} AirType;
const char *air_type_text(AirType type);  /* "s8" */
const char *air_type_ctype(AirType type); /* "int8_t" */
const char *air_type_doc(AirType type);   /* "int8" */
uint32_t air_type_bits(AirType type);
int32_t air_type_litert(AirType type);
bool air_type_from_litert(int32_t litert, AirType *type);
bool air_type_from_text(const char *text, AirType *type);

typedef struct AirTensor AirTensor;
typedef struct AirNode AirNode;
typedef struct AirGraph AirGraph;
typedef struct AirModel AirModel;
struct HeliaOpClass;
struct HeliaKernel;

/* real = scale[c] * (q - zero[c]); n is 1 (per tensor) or dim[axis] (per channel). */
typedef struct AirQuant {
    uint32_t n;
    const float *scale;
    const int32_t *zero;
    int32_t axis;
} AirQuant;

struct AirTensor {
    uint32_t id;          /* index in graph->tensors */
    int32_t litert_index; /* -1: made by the compiler */
    const char *name;     /* as in the model (any bytes), or a made one; never NULL */
    AirType type;
    int32_t rank;
    int32_t dim[AIR_MAX_RANK];
    const AirQuant *quant; /* NULL: not quantised */
    const void *data;      /* constant bytes, row-major, packed below 8 bits; NULL: not constant */
    size_t data_size;
    bool shape_is_open; /* dynamic in the file, or behind a changed input: infer functions set it instead of checking */
    bool is_table;      /* of a function's values, made for one operator: attribute lut_mode */
    bool is_variable;   /* persistent between runs, reset by init */
    const void *initial; /* of a variable: air_bytes() bytes after a reset; NULL: zeros (int8: the zero point) */
    AirNode *def;        /* the node that writes it; NULL for inputs, constants and variables */
    HELIA_VEC(AirNode *) uses;
};

/* What a kernel call is given, in the order of its parameters: decided at Resolve, read by Plan, Emit and eval. */
typedef struct AirArg {
    AirTensor *tensor; /* NULL: absent, passed as NULL */
    bool written;
} AirArg;

struct AirNode {
    uint32_t id;          /* index in graph->nodes as imported; unique in the graph, kept by transforms */
    int32_t litert_index; /* of the (first fused) operator; -1: made by the compiler */
    const char *op_type;  /* canonical operator key, "CONV_2D" */
    void *options;        /* of the options class registered under op_type; NULL where there is none */
    uint32_t n_in, n_out;
    AirTensor **in; /* NULL entries: absent optional inputs */
    AirTensor **out;

    /* Filled at Resolve. */
    const struct HeliaOpClass *op;
    const struct HeliaKernel *kernel; /* NULL where the class emits its own code or none */
    const void *facts;                /* what on_resolve found out, for the rows' fits and prepare; the class's own */
    const void *params;               /* the kernel's own parameter struct */
    bool specialized;                 /* the kernel's body is instantiated with params, where the row has a body */
    HELIA_VEC(AirArg) args;           /* empty: the node touches its inputs and outputs as they are */
    size_t scratch;                   /* bytes of working memory during run */
    const char *cname;                /* "conv_2d_3": lower-case key and index, unique in the graph */
};

struct AirGraph {
    AirModel *model;
    uint32_t index; /* of the subgraph */
    const char *name;
    HELIA_VEC(AirNode *) nodes; /* in execution order */
    uint32_t next_node_id;
    HELIA_VEC(AirTensor *) tensors;
    HELIA_VEC(AirTensor *) inputs;
    HELIA_VEC(AirTensor *) outputs;
    const char **input_names; /* by SignatureDef where there is one, else the tensor's name */
    const char **output_names;
};

struct AirModel {
    HeliaArena *arena;
    HeliaDiag *diag;
    const char *file;      /* as the user named it, for messages */
    const char *file_name; /* its last component, for generated text */
    char sha256[65];
    const char *description;
    uint32_t version; /* of the schema */
    HELIA_VEC(AirGraph *) graphs;
    AirGraph *main; /* the subgraph that is converted */
};

/* ---- building --------------------------------------------------------------------------------- */
AirTensor *air_tensor_new(AirGraph *graph, const char *name, AirType type, int32_t rank, const int32_t *dim);
/* A constant that the compiler makes (packed weights, multipliers, tables); data is copied into the arena. */
AirTensor *air_constant_new(AirGraph *graph, const char *name, AirType type, int32_t rank, const int32_t *dim,
                            const void *data);
/* A constant with the values of a function, for the operator `node`: "<operator>_<what>". */
AirTensor *air_table_new(AirGraph *graph, const AirNode *node, const char *what, AirType type, int32_t entries,
                         const void *data);
AirNode *air_node_new(AirGraph *graph, const char *op_type, uint32_t n_in, uint32_t n_out); /* not yet in nodes */
void air_arg(AirNode *node, AirGraph *graph, AirTensor *tensor, bool written);
/* Replaces every reading of `from` in nodes and outputs. */
void air_replace_uses(AirGraph *graph, AirTensor *from, AirTensor *to);
void air_rebuild_uses(AirGraph *graph);
/* Removes nodes whose outputs nobody reads (stateful ones stay), keeping order; rebuilds uses. */
void air_remove_dead(AirGraph *graph);

/* ---- asking ----------------------------------------------------------------------------------- */
/* Elements: product of the dimensions, 1 for rank 0. Checked at import to fit in int32. */
int64_t air_count(const AirTensor *tensor);
size_t air_bytes(const AirTensor *tensor); /* packed below 8 bits, rounded up */
bool air_same_shape(const AirTensor *a, const AirTensor *b);
bool air_same_quant(const AirTensor *a, const AirTensor *b);
bool air_is_constant(const AirTensor *tensor);
const char *air_shape_text(HeliaArena *arena, const AirTensor *tensor); /* "[1x49x10x8]" */
HeliaLoc air_node_loc(const AirGraph *graph, const AirNode *node);
HeliaLoc air_tensor_loc(const AirGraph *graph, const AirTensor *tensor);

/* ---- text form and check ---------------------------------------------------------------------- */
struct HeliaRegistryContext;
/* Checks the invariants (order, single definition, types, sizes); reports through the model's diag.
 * A failure is a fault of the transform that ran last. */
bool air_verify(const AirModel *model);
/* Stable text, one line an operator; air_read() reads it back. The result lives in the arena. */
const char *air_print(HeliaArena *arena, const AirModel *model, const struct HeliaRegistryContext *registry);
AirModel *air_read(HeliaArena *arena, HeliaDiag *diag, const struct HeliaRegistryContext *registry,
                   const char *file_name, const char *text);

#ifdef __cplusplus
}
#endif
#endif
