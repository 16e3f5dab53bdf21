/* Writing C: what an operator class's emit function is given. Every decision is taken before; emit only spells it. */
#ifndef HELIA_AOT_EMIT_H
#define HELIA_AOT_EMIT_H

#include <helia_aot/op.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Text with indentation, four spaces a level. */
typedef struct HeliaOut HeliaOut;
HeliaOut *helia_out_new(HeliaArena *arena);
void helia_out_line(HeliaOut *o, const char *fmt, ...) HELIA_PRINTF(2, 3); /* indent, text, newline; "" = empty line */
void helia_out_open(HeliaOut *o, const char *fmt, ...) HELIA_PRINTF(2, 3); /* text and " {", then indented */
void helia_out_close(HeliaOut *o, const char *tail);                       /* "}" and tail */
void helia_out_text(HeliaOut *o, const char *text, size_t n);              /* as it is */
const char *helia_out_string(const HeliaOut *o, size_t *n);

typedef struct HeliaEmitter HeliaEmitter;
HeliaArena *helia_emit_arena(HeliaEmitter *e);
HeliaDiag *helia_emit_diag(HeliaEmitter *e);
const AirGraph *helia_emit_graph(const HeliaEmitter *e);
const char *helia_emit_prefix(const HeliaEmitter *e); /* "aot" */
const char *helia_emit_PREFIX(const HeliaEmitter *e); /* "AOT" */
/* "ctx->tensor_ptrs[aot_conv_out]"; "NULL" for an absent tensor. */
const char *helia_emit_tensor(HeliaEmitter *e, const AirTensor *tensor);
const char *helia_emit_scratch(HeliaEmitter *e, const AirNode *node); /* an expression of type void *; "NULL" if none */
/* Is the i-th copy of the node (HeliaOpClass.part) in place already, because planning gave both tensors one place? */
bool helia_emit_in_place(HeliaEmitter *e, const AirNode *node, uint32_t i);
/* A file of the module by its path in it ("src/aot_x.c"); made on first use. */
HeliaOut *helia_emit_file(HeliaEmitter *e, const char *path);
/* A kernel source or header below runtime/kernels or runtime/include, copied with what it includes. */
bool helia_emit_kernel_file(HeliaEmitter *e, const char *file);

/* A name of the runtime as the module spells it: "helia_x" gets the prefix. */
const char *helia_emit_symbol(HeliaEmitter *e, const char *name);
/* For classes that write their own code: the operator's header, and its source up to the banner. NULL after reporting. */
HeliaOut *helia_emit_operator(HeliaEmitter *e, const AirNode *node);

/* The usual case, whole: header, banner, `static const <params_type> params = {...}` with the body printed by
 * `print` (one ".field = value," a line; NULL: the kernel takes no parameters), and a run function that calls
 * node->kernel->symbol with &params, node->args in order, and the scratch pointer last if the row has a scratch
 * function. params_type and symbol carry the prefix helia_, which becomes <prefix>_helia_ in the module. */
bool helia_emit_kernel_call(HeliaEmitter *e, const AirNode *node, const char *params_type,
                            void (*print)(HeliaOut *o, const void *params));

/* A float that reads back to the same bits: "0.5f", "1.17549435e-38f", "INFINITY" never occurs. */
const char *helia_float_text(HeliaArena *arena, float value);

#ifdef __cplusplus
}
#endif
#endif
