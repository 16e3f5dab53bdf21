/* The case runner: converts models with the compiler as a user would, builds the modules, runs them on the host and
 * under QEMU, and compares what they give with the answers that are kept beside the models. */
#ifndef RUNNER_H
#define RUNNER_H

#include <helia_aot/support.h>
#include "support/npz.h"

/* ---- compare.c -------------------------------------------------------------------------------- */
/* How far a float may be from the expected one: a + b * |expected|, or of_range * the largest finite magnitude
 * expected. Integers may differ by floor(a). */
typedef struct Tolerance {
    double a, b, of_range;
} Tolerance;

/* "1e-6+1e-5r"; a number alone is a fraction of the range. False: it is neither. */
bool tolerance_parse(const char *text, Tolerance *out);
/* NULL, or what differs first. NaN matches NaN; types and shapes must be the same. */
const char *compare_arrays(HeliaArena *arena, const NpzArray *expected, const NpzArray *got, Tolerance tolerance);

/* ---- csv.c ------------------------------------------------------------------------------------ */
typedef struct CsvRow {
    HELIA_VEC(const char *) cells;
} CsvRow;
typedef struct Csv {
    CsvRow head;
    HELIA_VEC(CsvRow) rows;
} Csv;

bool csv_read(HeliaArena *arena, HeliaDiag *diag, const char *path, Csv *out);
/* The cell under that heading; "" where the table has no such column. */
const char *csv_cell(const Csv *csv, uint32_t row, const char *heading);

/* ---- jobs.c ----------------------------------------------------------------------------------- */
typedef struct Job Job;
typedef void (*JobDone)(void *user, Job *job);

struct Job {
    HELIA_VEC(const char *) args;
    const char *cwd; /* NULL: as the runner's */
    const char *log; /* standard output and error */
    int timeout;     /* seconds */
    JobDone done;    /* called in the runner; may add jobs */
    void *user;
    int status;     /* exit status; 128 + signal; JOB_TIMEOUT, JOB_NOT_STARTED */
    uint64_t until; /* set when it is started */
    long pid;
};
enum { JOB_TIMEOUT = 1000, JOB_NOT_STARTED = 1001 };

typedef struct Jobs {
    HeliaArena *arena;
    int parallel;
    HELIA_VEC(Job *) waiting;
    uint32_t next; /* of waiting */
    HELIA_VEC(Job *) running;
} Jobs;

Job *job_new(HeliaArena *arena, const char *cwd, const char *log, JobDone done, void *user);
void job_arg(HeliaArena *arena, Job *job, const char *arg);
void job_words(HeliaArena *arena, Job *job, const char *words); /* split at spaces */
void jobs_add(Jobs *jobs, Job *job);
void jobs_drain(Jobs *jobs); /* returns when all are done */
const char *job_status_text(HeliaArena *arena, int status);

/* ---- cases and ways --------------------------------------------------------------------------- */
/* A machine for which modules are built. */
typedef struct Target {
    const char *name;
    const char *convert;  /* flags of `helia-aot convert` */
    const char *compiler; /* with the flags for modules */
    const char *support;  /* the same for driver and harness */
    const char *sources;  /* driver and harness, below the project's root */
    const char *link;
    const char *run; /* before the image's path; "" runs it as it is */
    const char *nm;
} Target;
extern const Target targets[];
extern const uint32_t target_count;
const Target *target_find(const char *name); /* NULL: none */

typedef struct Case {
    const char *id, *model, *golden_path;
    const char *prefix, *PREFIX; /* C identifiers made of the id */
    const char *refused;         /* NULL, or what the message of the refusal must name */
    const char *refused_ways;    /* "m4,m55": only there; "" everywhere */
    const char *ref, *tolerance_text;
    uint32_t steps;
    Tolerance tolerance;
    Npz golden;
    int32_t valid_by;   /* output 0 counts only at steps where this output is true; -1: always */
    size_t range[2];    /* only elements [0] <= i < [1] of output 0 count */
    const char *broken; /* NULL, or what is wrong with the case itself */
} Case;

/* What became of one case in one way. */
typedef struct Outcome {
    bool done;
    const char *failure; /* NULL: passed */
} Outcome;

typedef struct Runner {
    HeliaArena *arena;
    HeliaDiag *diag;
    const char *compiler;    /* the helia-aot executable */
    const char *root, *work; /* the project; where everything is made */
    const char *label;       /* of this set of cases */
    const char *plugin;      /* NULL: none */
    HELIA_VEC(Case *) cases;
    HELIA_VEC(const char *) ways; /* "eval" or a target's name */
    Outcome *outcomes;            /* cases x ways */
    HELIA_VEC(struct Module *) modules;
    Jobs jobs;
    uint32_t passed, failed;
} Runner;

Outcome *outcome_at(Runner *r, uint32_t kase, uint32_t way);
/* The first failure stays. */
void outcome_set(Runner *r, uint32_t kase, uint32_t way, const char *failure);
/* One more test that is no case; failure NULL: passed. */
void runner_check(Runner *r, const char *name, const char *failure);
bool make_folder(const char *path); /* and those above it */
bool path_exists(const char *path);
bool remove_tree(const char *path);
/* The last lines of a job's log, for a failure's text. */
const char *log_tail(Runner *r, const char *path);
/* The files of that suffix in a folder, sorted. */
typedef HELIA_VEC(const char *) Names;
void list_files(Runner *r, const char *folder, const char *suffix, Names *out);

/* cases.c: reads "<folder>/index.csv" and, where it exists, the list of refused cases. */
bool cases_load(Runner *r, const char *index, const char *refused, const char *pattern);
/* Whether it is on the list of those that are refused in this way. */
bool case_is_refused(const Runner *r, const Case *c, uint32_t way);
/* What the compiler is told for every case, behind the model. */
void case_flags(Runner *r, Job *job);
/* The answers for output `o` after step `s` that count: one, or two where either is right. */
uint32_t case_expected(Runner *r, const Case *c, uint32_t o, uint32_t s, const NpzArray *out[2]);
/* NULL, or how the output differs from every answer. */
const char *case_check_output(Runner *r, const Case *c, uint32_t o, uint32_t s, const NpzArray *got);

/* eval.c: `helia-aot run` on the case's own inputs. */
void eval_add(Runner *r, uint32_t way);
/* image.c: convert, compile, link, run. */
void image_add(Runner *r, uint32_t way);    /* convert and compile: fills the job queue */
void image_finish(Runner *r, uint32_t way); /* link and run, when the queue is empty */
/* malformed.c: broken files are rejected with status 1 and nothing written. */
bool malformed_run(Runner *r, const char *index, const char *pattern);

#endif
