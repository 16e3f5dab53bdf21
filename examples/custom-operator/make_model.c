/* Writes a model with one operator of custom code "custom-noop".
 *     make_model OUT.tflite [int8|float32 [INPUT_ELEMENTS OUTPUT_ELEMENTS [CUSTOM_CODE]]] */
#include <stdlib.h>

#include "models.h"

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    int32_t type = argc > 2 && strcmp(argv[2], "float32") == 0 ? TYPE_FLOAT32 : TYPE_INT8;
    int32_t n_in = argc > 4 ? atoi(argv[3]) : 16, n_out = argc > 4 ? atoi(argv[4]) : 16;
    float scale = type == TYPE_INT8 ? 0.5f : 0.0f;
    Builder b = builder_new("one operator of custom code custom-noop");
    int32_t in = builder_tensor(&b, "in", type, INTS(&b, 1, n_in), scale, 0);
    int32_t out = builder_tensor(&b, "out", type, INTS(&b, 1, n_out), scale, 0);
    builder_op(&b, NULL, argc > 5 ? argv[5] : "custom-noop", INTS(&b, in), INTS(&b, out));
    builder_interface(&b, INTS(&b, in), INTS(&b, out));
    return builder_finish(&b, argv[1]);
}
