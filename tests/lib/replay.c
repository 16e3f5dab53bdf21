/* Runs a fuzz target once on each file named, without libFuzzer: findings are replayed by every test run. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (!f || fseek(f, 0, SEEK_END) != 0) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return 2;
        }
        size_t size = (size_t)ftell(f);
        rewind(f);
        uint8_t *bytes = malloc(size ? size : 1); /* of that size, so that the sanitizer sees reading past the end */
        if (!bytes || fread(bytes, 1, size, f) != size) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return 2;
        }
        fclose(f);
        printf("%s\n", argv[i]);
        fflush(stdout);
        LLVMFuzzerTestOneInput(bytes, size);
        free(bytes);
    }
    return 0;
}
