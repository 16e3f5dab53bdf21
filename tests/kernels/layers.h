/* Random layers of the operators that have variants, as AIR text. */
#ifndef LAYERS_H
#define LAYERS_H

#include <stdint.h>

typedef struct Layer {
    char words[256];      /* what it is, for messages */
    char text[1 << 18];   /* tensors, the operator, data */
    uint32_t n;           /* of text */
    int32_t wide;         /* data are int16 where the operator has both */
    uint32_t inputs, out; /* tensors 0 to inputs - 1 are the graph's inputs, `out` is its output */
} Layer;

typedef void LayerMaker(Layer *layer, uint32_t *seed);
typedef struct LayerKind {
    const char *op;
    LayerMaker *make;
    int32_t count;
} LayerKind;
extern const LayerKind layer_kinds[]; /* the last has no op */

#endif
