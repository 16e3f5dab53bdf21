/* Any bytes as a model: the reader refuses them, or reads a model that, written, reads the same again.
 *
 *     cmake --preset fuzz && cmake --build --preset fuzz
 *     build/fuzz/fuzz_litert -max_len=8192 tests/fuzz/corpus/fuzz_litert tests/fuzz/crashes/fuzz_litert */
#include <helia_aot/litert.h>

#include <stdlib.h>

#include "../litert_equal.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void count_message(void *user, HeliaSeverity severity, const char *text)
{
    unsigned *errors = user;
    *errors += severity == HELIA_ERROR && *text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    unsigned errors = 0;
    HeliaArena *arena = helia_arena_new(NULL);
    if (!arena)
        return 0;
    HeliaDiag *diag = helia_diag_new(arena, count_message, &errors, 0);
    LitertModel *model = litert_read(arena, diag, "fuzz.tflite", bytes, size);
    if (!model != (errors > 0)) /* refused without a reason, or read in spite of one */
        abort();
    if (model) {
        LitertBytes file = litert_write(arena, diag, model);
        LitertModel *again = file.at ? litert_read(arena, diag, "again.tflite", file.at, file.len) : NULL;
        if (!again || !litert_equal(model, again))
            abort();
    }
    helia_arena_free(arena);
    return 0;
}
