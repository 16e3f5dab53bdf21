/* Writes a model of two int8 convolutions: 1x1 from 8 to 4 channels with RELU, then 3x3 from 4 to 2.
 *     make_model OUT.tflite */
#include "models.h"

static uint32_t seed = 1;

static int8_t next(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (int8_t)(seed >> 24);
}

static int32_t conv(Builder *b, int32_t in, int32_t side, int32_t in_c, int32_t out_c, int32_t activation)
{
    int8_t weights[256];
    int32_t bias[8], n = out_c * side * side * in_c;
    for (int32_t i = 0; i < n; i++)
        weights[i] = next();
    for (int32_t i = 0; i < out_c; i++)
        bias[i] = 100 * next();
    int32_t w = builder_tensor(b, "weights", TYPE_INT8, INTS(b, out_c, side, side, in_c), 0.01f, 0);
    int32_t a = builder_tensor(b, "bias", TYPE_INT32, INTS(b, out_c), 0.0005f, 0);
    int32_t out = builder_tensor(b, "features", TYPE_INT8, INTS(b, 1, 6, 6, out_c), 0.05f, -5);
    builder_values(b, w, weights, (size_t)n);
    builder_values(b, a, bias, (size_t)out_c * sizeof(bias[0]));
    LitertOp *op = builder_op(b, "CONV_2D", NULL, INTS(b, in, w, a), INTS(b, out));
    uint8_t tag = (uint8_t)litert_options_tag("Conv2DOptions", false);
    op->options = litert_options_new(b->arena, tag, false);
    op->options.fields[litert_field_id(tag, false, "stride_w")].i = 1;
    op->options.fields[litert_field_id(tag, false, "stride_h")].i = 1;
    op->options.fields[litert_field_id(tag, false, "fused_activation_function")].i = activation;
    return out;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    Builder b = builder_new("a pointwise and a 3x3 convolution");
    int32_t in = builder_tensor(&b, "in", TYPE_INT8, INTS(&b, 1, 6, 6, 8), 0.05f, 3);
    int32_t mid = conv(&b, in, 1, 8, 4, 1);
    int32_t out = conv(&b, mid, 3, 4, 2, 0);
    builder_interface(&b, INTS(&b, in), INTS(&b, out));
    return builder_finish(&b, argv[1]);
}
