/* Writes a model of three RELU in a row.
 *     make_model OUT.tflite */
#include "models.h"

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    Builder b = builder_new("three RELU in a row");
    int32_t first = builder_tensor(&b, "in", TYPE_INT8, INTS(&b, 1, 16), 0.5f, 0), last = first;
    for (int i = 0; i < 3; i++) {
        int32_t out = builder_tensor(&b, i == 2 ? "out" : "mid", TYPE_INT8, INTS(&b, 1, 16), 0.5f, 0);
        builder_op(&b, "RELU", NULL, INTS(&b, last), INTS(&b, out));
        last = out;
    }
    builder_interface(&b, INTS(&b, first), INTS(&b, last));
    return builder_finish(&b, argv[1]);
}
