/* Tensors of a graph in .npz archives: inputs of an inference, or of several in a row, and what is expected of outputs.
 *
 * Arrays are named input_<i> and output_<i>, or as the input or output; for several inferences, between which variables
 * keep their values, in<i>_<step> and out<i>_<step>. Other arrays are left alone. */
#ifndef GOLDEN_FEED_H
#define GOLDEN_FEED_H

#include <helia_aot/air.h>

#include "support/npz.h"

typedef struct Feed {
    HeliaArena *arena;
    HeliaDiag *diag;
    const AirGraph *graph;
    const char *path; /* for messages */
    Npz npz;
    bool stepwise;  /* named in<i>_<step> */
    uint32_t steps; /* 1 unless stepwise */
} Feed;

/* False after reporting. */
bool feed_read(Feed *f, HeliaArena *arena, HeliaDiag *diag, const AirGraph *graph, const char *path);
/* Every input of the steps has an array of its type and shape; false after reporting. fed_back: by input, those that
 * need one in the first step only; NULL: none. */
bool feed_check_inputs(const Feed *f, uint32_t steps, const bool *fed_back);
/* No input or output has arrays under two names. */
bool feed_check_unique(const Feed *f);
/* The same, and every array is an input, an output, or an answer <word><i>_<step> beside steps; a misspelt name must not go
 * unseen. */
bool feed_check_names(const Feed *f);
/* After feed_check_inputs: air_bytes() of the input. */
void feed_input(const Feed *f, uint32_t i, uint32_t step, void *to);

/* What is expected of an output; NULL: the archive does not say. */
const NpzArray *feed_find_output(const Feed *f, uint32_t i, uint32_t step);
/* What the array must be to be an input or output; `what` is "input" or "output". False after reporting. */
bool feed_check_array(const Feed *f, const NpzArray *found, const AirTensor *tensor, const char *what, uint32_t i);

/* The array that a tensor is written as, without data. False after reporting a type that numpy does not have. */
bool feed_describe(HeliaDiag *diag, const AirGraph *graph, const AirTensor *tensor, const char *name, NpzArray *array);
/* The name that an output is written under. */
const char *feed_output_name(const Feed *f, uint32_t i, uint32_t step);

#endif
