/* Evaluates a graph on the host with the reference kernels. The graph is resolved for the portable target. */
#ifndef OP_EVAL_H
#define OP_EVAL_H

#include <helia_aot/registry.h>

typedef struct Evaluation Evaluation;
/* Lays out a buffer for every tensor and resets state. NULL after reporting (an operator without eval). */
Evaluation *evaluation_new(HeliaArena *arena, AirGraph *graph);
/* Of graph->inputs[i] / outputs[i]; air_bytes(tensor) bytes, valid as long as the evaluation. */
void *evaluation_input(Evaluation *e, uint32_t i);
const void *evaluation_output(const Evaluation *e, uint32_t i);
/* One inference; state is kept between calls. False after reporting. */
bool evaluation_run(Evaluation *e);
/* The same operator by operator: that at a position of graph->nodes. */
bool evaluation_step(Evaluation *e, uint32_t position);
const void *evaluation_value(const Evaluation *e, const AirTensor *tensor);

#endif
