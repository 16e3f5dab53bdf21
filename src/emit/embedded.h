/* Files of the source tree inside the compiler: the runtime, the templates, the licence. */
#ifndef EMIT_EMBEDDED_H
#define EMIT_EMBEDDED_H

#include <stddef.h>

typedef struct EmbeddedFile {
    const char *path;           /* from the project's root: "runtime/include/helia_math.h" */
    const unsigned char *bytes; /* a NUL behind them */
    size_t size;
} EmbeddedFile;
extern const EmbeddedFile embedded_files[];          /* sorted by path; a NULL path behind the last */
const EmbeddedFile *embedded_find(const char *path); /* NULL: no such file */

#endif
