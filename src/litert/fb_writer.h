/* Writing a flatbuffer front to back: a table comes before what it refers to, and its offsets are filled in as their
 * targets are placed. The same calls run twice, once to measure and once to write, so that the file is allocated at its
 * final size. */
#ifndef LITERT_FB_WRITER_H
#define LITERT_FB_WRITER_H

#include "litert/flatbuffer.h"

typedef struct FbWriter {
    HeliaArena *scratch;
    HeliaDiag *diag;
    const char *file; /* for messages */
    uint8_t *bytes;   /* NULL: measuring */
    uint64_t at;      /* the end so far */
    bool ok;
} FbWriter;

enum { FB_MAX_FIELDS = 20 };

/* A table before it is placed. */
typedef struct FbDraft {
    const SchemaTable *schema;
    LitertField value[FB_MAX_FIELDS];
    bool present[FB_MAX_FIELDS];
    uint64_t at[FB_MAX_FIELDS]; /* where the fields are, once placed */
} FbDraft;

FbDraft fbw_draft(const SchemaTable *schema);
/* Scalars are present unless they have the default, vectors unless empty, text unless NULL. */
void fbw_int(FbDraft *d, unsigned id, int64_t value);
void fbw_ints(FbDraft *d, unsigned id, LitertInts value);
void fbw_text(FbDraft *d, unsigned id, const char *value);
/* The elements of a vector of any kind, as stored. */
void fbw_bytes(FbDraft *d, unsigned id, LitertBytes value);
void fbw_floats(FbWriter *w, FbDraft *d, unsigned id, const float *at, uint32_t n);
void fbw_int64s(FbWriter *w, FbDraft *d, unsigned id, const int64_t *at, uint32_t n);
void fbw_field(FbDraft *d, unsigned id, const LitertField *value); /* by its kind */
/* Whatever its value is. */
void fbw_keep(FbDraft *d, unsigned id);

/* Places the table and all its fields but tables, vectors of tables and unions; returns its position. Problems are
 * reported and make w->ok false. */
uint64_t fbw_place(FbWriter *w, FbDraft *d);
/* For the others, after placing; the field must have been kept. */
void fbw_child(FbWriter *w, const FbDraft *d, unsigned id, uint64_t target);
/* A vector of n tables; position i of it is then given with fbw_element(). */
uint64_t fbw_tables(FbWriter *w, const FbDraft *d, unsigned id, uint32_t n);
void fbw_element(FbWriter *w, uint64_t vector, uint32_t i, uint64_t target);

#endif
