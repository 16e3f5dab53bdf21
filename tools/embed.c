/* embed [--table NAME] OUT.c ROOT FILE...: writes the files as a table of names (relative to ROOT) and bytes, sorted by
 * name. The table is `embedded_files` where no name is given. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv)
{
    const char *table = "embedded_files";
    if (argc > 2 && strcmp(argv[1], "--table") == 0) {
        table = argv[2];
        argc -= 2;
        argv += 2;
    }
    if (argc < 3)
        return 2;
    FILE *out = fopen(argv[1], "w");
    if (!out)
        return perror(argv[1]), 1;
    size_t root = strlen(argv[2]) + 1;
    char **files = argv + 3;
    int n = argc - 3;
    qsort(files, (size_t)n, sizeof(*files), by_name);
    fputs("#include \"emit/embedded.h\"\n", out);
    for (int i = 0; i < n; i++) {
        FILE *in = fopen(files[i], "rb");
        if (!in)
            return perror(files[i]), 1;
        fprintf(out, "static const unsigned char file_%d[] = {", i);
        int c, column = 0;
        while ((c = getc(in)) != EOF)
            fprintf(out, "%s%d,", column++ % 32 ? "" : "\n", c);
        fputs("0};\n", out);
        fclose(in);
    }
    fprintf(out, "extern const EmbeddedFile %s[];\nconst EmbeddedFile %s[] = {\n", table, table);
    for (int i = 0; i < n; i++)
        fprintf(out, "    {\"%s\", file_%d, sizeof(file_%d) - 1},\n", files[i] + root, i, i);
    fprintf(out, "    {0, 0, 0}};\n");
    return fclose(out) != 0;
}
