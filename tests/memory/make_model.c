/* Writes a model with state: make_model OUT.tflite.
 *
 *     history (a variable, with initial values) | frame -> window -> its newest rows -> history
 *     window -> two layers side by side -> three parts: one output is the first's LOGISTIC, one the others' sum */
#include "models.h"

enum { TYPE_RESOURCE = 13, ROWS = 3, WIDTH = 16, WINDOW = (ROWS + 1) * WIDTH, LEFT = 32, RIGHT = 16 };
static const float scale = 0.25f;
static const int64_t zero = -2;

/* To be set before the next operator is added, which may move them all. */
static LitertField *field(Builder *b, LitertOp *op, const char *table, const char *name)
{
    const uint8_t tag = (uint8_t)litert_options_tag(table, false);
    if (!op->options.fields)
        op->options = litert_options_new(b->arena, tag, false);
    return &op->options.fields[litert_field_id(tag, false, name)];
}

static int32_t activation(Builder *b, const char *name, LitertInts shape)
{
    return builder_tensor(b, name, TYPE_INT8, shape, scale, zero);
}

static int32_t integers(Builder *b, const char *name, const int32_t *values, int32_t n)
{
    int32_t t = builder_tensor(b, name, TYPE_INT32, INTS(b, n), 0, 0);
    builder_values(b, t, values, (size_t)n * sizeof(*values));
    return t;
}

/* VAR_HANDLE of the graph's one variable. */
static int32_t handle(Builder *b)
{
    int32_t h = builder_tensor(b, "handle", TYPE_RESOURCE, INTS(b, 1), 0, 0);
    LitertOp *op = builder_op(b, "VAR_HANDLE", NULL, (LitertInts){0}, INTS(b, h));
    field(b, op, "VarHandleOptions", "shared_name")->text = "history";
    return h;
}

static int32_t fully_connected(Builder *b, int32_t in, const char *name, int32_t units)
{
    static int8_t weights[LEFT * WINDOW];
    static int32_t biases[LEFT];
    for (int32_t i = 0; i < units * WINDOW; i++)
        weights[i] = (int8_t)(i * 29 % 31 - 15 + units % 3);
    for (int32_t i = 0; i < units; i++)
        biases[i] = i * 37 - 400;
    int32_t w = builder_tensor(b, "weights", TYPE_INT8, INTS(b, units, WINDOW), 0.01f, 0);
    int32_t bias = builder_tensor(b, "bias", TYPE_INT32, INTS(b, units), scale * 0.01f, 0);
    builder_values(b, w, weights, (size_t)units * WINDOW);
    builder_values(b, bias, biases, (size_t)units * sizeof(*biases));
    int32_t out = activation(b, name, INTS(b, 1, units));
    LitertOp *op = builder_op(b, "FULLY_CONNECTED", NULL, INTS(b, in, w, bias), INTS(b, out));
    field(b, op, "FullyConnectedOptions", "fused_activation_function")->i = 0;
    return out;
}

/* The subgraph that CALL_ONCE runs. It is built first, in the place of the main one. */
static LitertSubgraph initializer(Builder *b)
{
    static int8_t values[ROWS * WIDTH];
    for (int i = 0; i < ROWS * WIDTH; i++)
        values[i] = (int8_t)(i * 5 - 100);
    int32_t h = handle(b), first = activation(b, "first", INTS(b, 1, ROWS, 1, WIDTH));
    builder_values(b, first, values, sizeof(values));
    builder_op(b, "ASSIGN_VARIABLE", NULL, INTS(b, h, first), (LitertInts){0});
    LitertSubgraph made = *builder_graph(b);
    made.name = "initializer";
    *builder_graph(b) = (LitertSubgraph){.name = "main"};
    return made;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    static const int32_t begin[] = {0, 1, 0, 0}, size[] = {1, ROWS, 1, WIDTH}, axis[] = {1};
    Builder b = builder_new("a window over time");
    LitertSubgraph once = initializer(&b);
    int32_t frame = activation(&b, "frame", INTS(&b, 1, 1, 1, WIDTH)), h = handle(&b);
    field(&b, builder_op(&b, "CALL_ONCE", NULL, (LitertInts){0}, (LitertInts){0}), "CallOnceOptions",
          "init_subgraph_index")
        ->i = 1;
    int32_t history = activation(&b, "history", INTS(&b, 1, ROWS, 1, WIDTH));
    builder_op(&b, "READ_VARIABLE", NULL, INTS(&b, h), INTS(&b, history));
    int32_t window = activation(&b, "window", INTS(&b, 1, ROWS + 1, 1, WIDTH));
    field(&b, builder_op(&b, "CONCATENATION", NULL, INTS(&b, history, frame), INTS(&b, window)), "ConcatenationOptions",
          "axis")
        ->i = 1;
    int32_t newest = activation(&b, "newest", INTS(&b, 1, ROWS, 1, WIDTH));
    int32_t at = integers(&b, "begin", begin, 4), extent = integers(&b, "size", size, 4);
    builder_op(&b, "SLICE", NULL, INTS(&b, window, at, extent), INTS(&b, newest));
    builder_op(&b, "ASSIGN_VARIABLE", NULL, INTS(&b, h, newest), (LitertInts){0});
    int32_t flat = activation(&b, "flat", INTS(&b, 1, WINDOW)),
            shape = integers(&b, "shape", (int32_t[]){1, WINDOW}, 2);
    builder_op(&b, "RESHAPE", NULL, INTS(&b, window, shape), INTS(&b, flat));
    int32_t left = fully_connected(&b, flat, "left", LEFT), right = fully_connected(&b, flat, "right", RIGHT);
    int32_t both = activation(&b, "both", INTS(&b, 1, LEFT + RIGHT)), parts[3];
    field(&b, builder_op(&b, "CONCATENATION", NULL, INTS(&b, left, right), INTS(&b, both)), "ConcatenationOptions",
          "axis")
        ->i = 1;
    for (int i = 0; i < 3; i++)
        parts[i] = activation(&b, i == 0 ? "first" : i == 1 ? "second" : "third", INTS(&b, 1, (LEFT + RIGHT) / 3));
    int32_t along = builder_tensor(&b, "along", TYPE_INT32, (LitertInts){0}, 0, 0);
    builder_values(&b, along, axis, sizeof(axis));
    field(&b, builder_op(&b, "SPLIT", NULL, INTS(&b, along, both), INTS(&b, parts[0], parts[1], parts[2])),
          "SplitOptions", "num_splits")
        ->i = 3;
    int32_t gate = builder_tensor(&b, "gate", TYPE_INT8, INTS(&b, 1, (LEFT + RIGHT) / 3), 1.0f / 256, -128);
    builder_op(&b, "LOGISTIC", NULL, INTS(&b, parts[0]), INTS(&b, gate));
    int32_t sum = builder_tensor(&b, "sum", TYPE_INT8, INTS(&b, 1, (LEFT + RIGHT) / 3), 0.5f, 4);
    builder_op(&b, "ADD", NULL, INTS(&b, parts[1], parts[2]), INTS(&b, sum));
    builder_interface(&b, INTS(&b, frame), INTS(&b, gate, sum));
    HELIA_PUSH(b.arena, &b.model->subgraphs, once);
    return builder_finish(&b, argv[1]);
}
