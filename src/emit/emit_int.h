/* What the files of this folder share: text, names, templates, and the emitter's state. */
#ifndef EMIT_EMIT_INT_H
#define EMIT_EMIT_INT_H

#include <helia_aot/emit.h>

#include "emit/embedded.h"
#include "emit/module.h"
#include "golden/test_case.h"

/* ---- text ------------------------------------------------------------------------------------- */
/* At most 60 characters, for inside a comment: no control characters and nothing that begins or ends one. */
const char *comment_text(HeliaArena *arena, const char *text);
/* A C string literal, quotes included, of at most 200 bytes of the text. */
const char *string_literal(HeliaArena *arena, const char *text);
/* Lines of the elements of an array of uint8_t. */
void emit_bytes(HeliaOut *o, const uint8_t *bytes, size_t n);
/* For a cell of a Markdown table, as code. */
const char *markdown_code(HeliaArena *arena, const char *text);

/* A template of src/emit/templates with every @KEY@ replaced. A key alone on its line stands for whole lines, which end
 * with a newline, or for none. NULL after reporting. */
typedef struct TemplateKey {
    const char *key, *value;
} TemplateKey;
const char *template_expand(HeliaArena *arena, HeliaDiag *diag, const char *name, const TemplateKey *keys, uint32_t n);
/* The same of a text; `name` is for messages. */
const char *text_expand(HeliaArena *arena, HeliaDiag *diag, const char *name, const char *text, const TemplateKey *keys,
                        uint32_t n);

/* ---- constants -------------------------------------------------------------------------------- */
enum { BLOB_HEADER = 64 };
typedef HELIA_VEC(const AirTensor *) ConstantRoots;
/* The bytes of a constant region, and the tensors in it by offset; aliases and interned copies share their root's. */
uint8_t *region_image(HeliaEmitter *e, uint32_t region, ConstantRoots *roots);
size_t blob_payload(const HeliaEmitter *e, uint32_t region); /* offset of the image in a sidecar blob */
size_t blob_size(const HeliaEmitter *e, uint32_t region);
const char *blob_path(HeliaEmitter *e, uint32_t region); /* "blobs/aot_constant_mram.bin" */
void blob_header(HeliaEmitter *e, uint32_t region, uint8_t header[BLOB_HEADER]);
void emit_sidecar(HeliaEmitter *e, uint32_t region);
bool has_staged(const HeliaEmitter *e);

/* ---- names ------------------------------------------------------------------------------------ */
/* Every identifier that the module's headers may declare, so that none is made twice. */
typedef struct NameSet {
    HeliaArena *arena;
    const char **at; /* open addressing; NULL: free */
    uint32_t cap, len;
} NameSet;
bool name_taken(const NameSet *set, const char *name);
void name_take(NameSet *set, const char *name);

/* An input or output: "audio" of AOT_INPUT_audio and its macros. */
typedef struct EmitPort {
    const char *safe; /* made-safe, unique */
    const AirTensor *tensor;
    const char *original; /* by SignatureDef or tensor */
} EmitPort;

/* ---- emitter ---------------------------------------------------------------------------------- */
typedef struct EmitFile {
    const char *path;
    HeliaOut *out;
} EmitFile;

struct HeliaEmitter {
    HeliaArena *arena;
    HeliaDiag *diag;
    const AirGraph *graph;
    const MemoryPlan *plan;
    const Config *config;
    const Platform *platform;
    const HeliaRegistryContext *registry; /* kernel sources of plug-ins; NULL: none */
    const TestCase *test;                 /* NULL: the module has no test */
    const char *prefix, *PREFIX;
    const char *origin; /* "made by helia-aot 0.1.0 from kws.tflite", for the first line of files */
    NameSet names;
    HELIA_VEC(EmitFile) files;
    HELIA_VEC(const AirNode *) operators; /* what the schedule runs, in order */
    HELIA_VEC(const AirTensor *) tensors; /* those with an enumerator, by its value */
    const char **tensor_names;            /* by tensor id: the enumerator; NULL: none */
    EmitPort *inputs, *outputs;           /* as the graph's lists */
    HELIA_VEC(const AirTensor *) variables;
    uint32_t state_size;                  /* bytes of a saved state; 0: no variables */
    HELIA_VEC(const char *) kernel_files; /* embedded paths copied so far */
};

/* The schedule, the tensors that it or the application reaches, and every name. */
bool plan_names(HeliaEmitter *e);
const char *region_name(HeliaEmitter *e, uint32_t region);    /* "AOT_REGION_SCRATCH_DTCM" */
const char *region_symbol(HeliaEmitter *e, uint32_t region);  /* "aot_arena_scratch_dtcm", of the array that holds it */
const char *blob_symbol(HeliaEmitter *e, uint32_t region);    /* "aot_blob_constant_dtcm", of what it is copied from */
bool region_is_cold(const HeliaEmitter *e, uint32_t region);  /* constants that are read where their image is */
bool region_is_owned(const HeliaEmitter *e, uint32_t region); /* the module defines it */
bool region_is_bound(const HeliaEmitter *e, uint32_t region); /* the application gives an arena */
/* "SCRATCH DTCM + 512" of a slot, for comments. */
const char *slot_text(HeliaEmitter *e, const MemorySlot *slot);
const MemorySlot *scratch_slot(const HeliaEmitter *e, const AirNode *node); /* NULL: the operator has none */
static inline bool operator_has_init(const AirNode *node)
{
    return node->op->has_init && !(node->op->traits & HELIA_OP_VIEW);
}
/* The bytes of a variable after a reset are an array of the module, because they are not all the same. */
bool has_initial_array(const AirTensor *variable);
const char *initial_symbol(HeliaEmitter *e, uint32_t variable); /* of that array: "aot_initial_0" */
size_t weights_bytes(const HeliaEmitter *e);                    /* of constants, each once wherever its image is */
size_t memory_bytes(const HeliaEmitter *e, MemoryType memory);  /* of all regions in it */

/* Some file so far includes <math.h>. */
bool needs_math(const HeliaEmitter *e);
/* A template becomes a file; @p@, @P@ and @ORIGIN@ are always there. */
bool emit_template(HeliaEmitter *e, const char *path, const char *name, const TemplateKey *keys, uint32_t n);
/* "helia_x" and "HELIA_X" at the beginning of identifiers get the module's prefix. */
const char *rename_kernel_text(HeliaEmitter *e, const char *text, size_t n, size_t *size);
/* The header that declares a kernel, among what `file` includes, and whether the kernel returns a status. NULL after
 * reporting. */
const char *kernel_header(HeliaEmitter *e, const AirNode *node, bool *returns_status);

typedef bool (*EmitHandler)(HeliaEmitter *e);
bool emit_platform(HeliaEmitter *e);
bool emit_tensors(HeliaEmitter *e);
bool emit_context(HeliaEmitter *e);
bool emit_operators(HeliaEmitter *e);
bool emit_model(HeliaEmitter *e);
bool emit_debug(HeliaEmitter *e);
bool emit_test(HeliaEmitter *e);
bool emit_residency(HeliaEmitter *e);
bool emit_html(HeliaEmitter *e);
bool emit_documentation(HeliaEmitter *e);

/* "static const aot_tensor_view_t inputviews[SIZE]" without pointers to data, and the arrays it needs. */
void emit_views(HeliaEmitter *e, HeliaOut *o, const EmitPort *ports, uint32_t n, const char *direction,
                const char *size);
const char *dtype_name(HeliaEmitter *e, AirType type); /* "AOT_DTYPE_INT8" */
bool emits_debug(const HeliaEmitter *e);               /* the schedule hands each operator's outputs to the callback */
/* Buffers for the regions that the application owns; calls that bind them, with a return where `status` is not OK. */
const char *bind_arenas_block(HeliaEmitter *e, HeliaOut *buffers);

/* The blocks of src/<p>_model.c, each lines of C. */
const char *model_state_block(HeliaEmitter *e);
const char *model_binding_block(HeliaEmitter *e);
const char *model_blob_block(HeliaEmitter *e);
const char *model_hydrate_block(HeliaEmitter *e);
const char *model_quantize_block(HeliaEmitter *e);
const char *model_quantize_declarations(HeliaEmitter *e);

#endif
