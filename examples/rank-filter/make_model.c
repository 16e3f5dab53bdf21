/* Writes a model with one operator of custom code "rank-filter". make_model OUT.tflite [FRAMES [PICK]] */
#include <stdlib.h>

#include "flex.h"
#include "models.h"

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    const FlexEntry options[] = {{"frames", FLEX_INT, argc > 2 ? (uintptr_t)atoi(argv[2]) : 0},
                                 {"pick", FLEX_STRING, (uintptr_t)(argc > 3 ? argv[3] : "")}};
    uint8_t bytes[FLEX_MAX];
    Builder b = builder_new("a rank filter over time");
    int32_t in = builder_tensor(&b, "frame", TYPE_INT8, INTS(&b, 1, 4), 0.5f, -3);
    int32_t out = builder_tensor(&b, "filtered", TYPE_INT8, INTS(&b, 1, 4), 0.5f, -3);
    LitertOp *op = builder_op(&b, NULL, "rank-filter", INTS(&b, in), INTS(&b, out));
    if (argc > 2) {
        size_t size = flex_map(bytes, options, (uint32_t)argc - 2);
        op->custom_options = (LitertBytes){(const uint8_t *)helia_memdup(b.arena, bytes, size), size};
    }
    builder_interface(&b, INTS(&b, in), INTS(&b, out));
    return builder_finish(&b, argv[1]);
}
