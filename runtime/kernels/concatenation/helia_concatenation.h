/* CONCATENATION: puts one input into its place in the output; called for each. Any element type: all sizes are bytes.
 */
#ifndef HELIA_CONCATENATION_H
#define HELIA_CONCATENATION_H

#include <stdint.h>

/* Input and output as matrices: rows are all dimensions before the axis, columns the axis and what follows. */
typedef struct helia_concatenation_params {
    int32_t rows;
    int32_t bytes;     /* of a row of the input */
    int32_t out_bytes; /* of a row of the output */
    int32_t offset;    /* of the input in a row of the output */
} helia_concatenation_params;

void helia_concatenation_c(const helia_concatenation_params *p, const void *restrict in, void *restrict out);

#endif
