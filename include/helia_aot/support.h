/* Memory and diagnostics: what every other header builds on.
 *
 * Memory. Everything a compilation makes lives in a HeliaArena and dies with it; nothing is freed singly.
 * Running out of memory never returns: it jumps to the escape given to the root arena, which the library's
 * API functions set up at their boundary, and the arenas are freed there.
 *
 * Diagnostics. One HeliaDiag talks to the user. A function that can fail returns false (or NULL) and has
 * already reported; callers never report again. A stage reports all its problems before it stops. */
#ifndef HELIA_AOT_SUPPORT_H
#define HELIA_AOT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define HELIA_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define HELIA_PRINTF(fmt, args)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- arena ------------------------------------------------------------------------------------ */
typedef struct HeliaArena HeliaArena;

/* escape: where running out of memory jumps to (value 1); NULL means abort. NULL when there is no memory. */
HeliaArena *helia_arena_new(jmp_buf *escape);
/* A child is freed on its own or with its parent; it has its parent's escape. */
HeliaArena *helia_arena_child(HeliaArena *parent);
void helia_arena_free(HeliaArena *arena); /* and its children; NULL is allowed */

/* Zeroed, aligned to 16 bytes, never NULL. The product count * size is checked. A size of 0 is allowed. */
void *helia_alloc(HeliaArena *arena, size_t count, size_t size);
char *helia_strndup(HeliaArena *arena, const char *text, size_t n);
char *helia_strdup(HeliaArena *arena, const char *text);
void *helia_memdup(HeliaArena *arena, const void *bytes, size_t n);
char *helia_format(HeliaArena *arena, const char *fmt, ...) HELIA_PRINTF(2, 3);
char *helia_vformat(HeliaArena *arena, const char *fmt, va_list args) HELIA_PRINTF(2, 0);

#define HELIA_NEW(arena, T) ((T *)helia_alloc((arena), 1, sizeof(T)))
#define HELIA_NEW_N(arena, T, n) ((T *)helia_alloc((arena), (n), sizeof(T)))

/* A growable array inside an arena: HELIA_VEC(int) v = {0}; HELIA_PUSH(arena, &v, 3); v.at[0]; v.len. */
#define HELIA_VEC(T)                                                                                                   \
    struct {                                                                                                           \
        T *at;                                                                                                         \
        uint32_t len, cap;                                                                                             \
    }
void *helia_vec_grow(HeliaArena *arena, void *at, uint32_t len, uint32_t *cap, size_t item_size);
#ifdef __cplusplus
#define HELIA_VEC_CAST(at) (decltype(at))
#else
#define HELIA_VEC_CAST(at)
#endif
#define HELIA_PUSH(arena, vec, item)                                                                                   \
    ((vec)->at = HELIA_VEC_CAST((vec)->at)                                                                             \
         helia_vec_grow((arena), (vec)->at, (vec)->len, &(vec)->cap, sizeof(*(vec)->at)),                              \
     (vec)->at[(vec)->len++] = (item))

/* ---- diagnostics ------------------------------------------------------------------------------ */
typedef enum HeliaSeverity {
    HELIA_ERROR, /* the user's input is at fault: exit status 1 */
    HELIA_FATAL, /* the machine is (cannot read, disk full, out of memory): exit status 2 */
    HELIA_WARNING,
    HELIA_NOTE, /* belongs to the message before it */
    HELIA_INFO  /* progress; shown by level */
} HeliaSeverity;

/* Where. Fields that do not apply are NULL or -1; start from HELIA_NOWHERE. */
typedef struct HeliaLoc {
    const char *file;     /* as the user named it */
    int32_t line, column; /* of a text file, from 1 */
    int32_t subgraph;     /* LiteRT indices */
    int32_t op, tensor;
    const char *op_type; /* "CONV_2D" */
    const char *name;    /* of the operator or tensor in the model; printed escaped and shortened */
} HeliaLoc;
#ifdef __cplusplus
#define HELIA_NOWHERE (HeliaLoc{NULL, -1, -1, -1, -1, -1, NULL, NULL})
#else
#define HELIA_NOWHERE ((HeliaLoc){NULL, -1, -1, -1, -1, -1, NULL, NULL})
#endif

/* The file as a whole. */
static inline HeliaLoc helia_at_file(const char *file)
{
    HeliaLoc at = HELIA_NOWHERE;
    at.file = file;
    return at;
}

typedef struct HeliaDiag HeliaDiag;
/* One finished message, without a newline. */
typedef void (*HeliaDiagSink)(void *user, HeliaSeverity severity, const char *text);

/* sink NULL: stderr. The object lives in the arena. level: the verbosity up to which progress is shown. */
HeliaDiag *helia_diag_new(HeliaArena *arena, HeliaDiagSink sink, void *user, int level);
void helia_diag_set_level(HeliaDiag *diag, int level);
int helia_diag_level(const HeliaDiag *diag);
/* Always returns false, so that failing is one line. */
bool helia_error(HeliaDiag *diag, HeliaLoc at, const char *fmt, ...) HELIA_PRINTF(3, 4);
bool helia_fatal(HeliaDiag *diag, HeliaLoc at, const char *fmt, ...) HELIA_PRINTF(3, 4);
void helia_warn(HeliaDiag *diag, HeliaLoc at, const char *fmt, ...) HELIA_PRINTF(3, 4);
void helia_note(HeliaDiag *diag, HeliaLoc at, const char *fmt, ...) HELIA_PRINTF(3, 4);
void helia_info(HeliaDiag *diag, int level, const char *fmt, ...) HELIA_PRINTF(3, 4);
uint32_t helia_diag_errors(const HeliaDiag *diag); /* errors and fatals so far */
uint32_t helia_diag_fatals(const HeliaDiag *diag);
/* 0, 1 or 2 as the command line's exit status. */
int helia_diag_exit_status(const HeliaDiag *diag);

/* Text from a file, safe to print: control and non-ASCII bytes as \xNN, at most 60 characters. */
const char *helia_printable(HeliaArena *arena, const char *text);

#ifdef __cplusplus
}
#endif
#endif
