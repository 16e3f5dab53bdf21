/* From a file's bytes to a model: verify the flatbuffer, unpack it, check what it says. */
#include "litert/litert_int.h"

LitertModel *litert_read(HeliaArena *arena, HeliaDiag *diag, const char *file, const void *bytes, size_t size)
{
    if (!fb_verify(arena, diag, file, bytes, size))
        return NULL;
    LitertModel *model = unpack_model(arena, file, fb_root(bytes));
    return litert_check(diag, model) ? model : NULL;
}

LitertModel *litert_model_new(HeliaArena *arena, const char *file)
{
    LitertModel *model = HELIA_NEW(arena, LitertModel);
    model->arena = arena;
    model->file = file;
    model->version = LITERT_VERSION;
    HELIA_PUSH(arena, &model->buffers, ((LitertBytes){NULL, 0}));
    return model;
}
