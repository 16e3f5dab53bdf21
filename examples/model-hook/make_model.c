/* Writes a model as an old exporter made them: RELU as an operator of custom code "legacy-relu".
 *     make_model OUT.tflite */
#include "models.h"

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    Builder b = builder_new("one operator of custom code legacy-relu");
    int32_t in = builder_tensor(&b, "in", TYPE_INT8, INTS(&b, 1, 16), 0.5f, 0);
    int32_t out = builder_tensor(&b, "out", TYPE_INT8, INTS(&b, 1, 16), 0.5f, 0);
    builder_op(&b, NULL, "legacy-relu", INTS(&b, in), INTS(&b, out));
    builder_interface(&b, INTS(&b, in), INTS(&b, out));
    return builder_finish(&b, argv[1]);
}
