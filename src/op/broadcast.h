/* The walk of an element-wise operator over two broadcast operands, worked out at compile time. */
#ifndef OP_BROADCAST_H
#define OP_BROADCAST_H

#include "helia_broadcast.h"
#include "op/check.h"

/* Fills *shape for output 0 and the tensors a and b, which infer_broadcast() has accepted. False after reporting where
 * more loops remain than the kernels have. */
bool broadcast_plan(const HeliaOpContext *c, const AirNode *n, const AirTensor *a, const AirTensor *b,
                    helia_broadcast *shape);

/* Of an operator with two inputs and one output: params, and the kernel's arguments. */
void binary_args(const HeliaOpContext *c, AirNode *n, const void *params);
/* eval_<op>, by the output's type, with the portable kernels helia_<op>_<type>_c. */
#define BINARY_EVAL(op)                                                                                                \
    static bool eval_##op(HeliaEval *v, const AirNode *n)                                                              \
    {                                                                                                                  \
        const void *a = helia_eval_ptr(v, n->in[0]), *b = helia_eval_ptr(v, n->in[1]);                                 \
        void *out = helia_eval_ptr(v, n->out[0]);                                                                      \
        switch (n->out[0]->type) {                                                                                     \
        case AIR_F32:                                                                                                  \
            helia_##op##_f32_c(n->params, a, b, out);                                                                  \
            break;                                                                                                     \
        case AIR_S64:                                                                                                  \
            helia_##op##_s64_c(n->params, a, b, out);                                                                  \
            break;                                                                                                     \
        case AIR_S32:                                                                                                  \
            helia_##op##_s32_c(n->params, a, b, out);                                                                  \
            break;                                                                                                     \
        case AIR_S16:                                                                                                  \
            helia_##op##_s16_c(n->params, a, b, out);                                                                  \
            break;                                                                                                     \
        case AIR_U8:                                                                                                   \
            helia_##op##_u8_c(n->params, a, b, out);                                                                   \
            break;                                                                                                     \
        default:                                                                                                       \
            helia_##op##_s8_c(n->params, a, b, out);                                                                   \
            break;                                                                                                     \
        }                                                                                                              \
        return true;                                                                                                   \
    }

#endif
