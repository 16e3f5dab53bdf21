/* The library: what the command line does, for programs. This header includes all others.
 *
 *     HeliaSession *s = helia_session_new(on_message, NULL);
 *     helia_session_config_file(s, "convert.yaml");
 *     helia_session_set(s, "module.path", "out");
 *     HeliaStatus status = helia_session_run(s, HELIA_STAGE_EXPORT);
 *     ... helia_session_air(s), helia_session_region(s, ...), helia_session_file(s, ...) ...
 *     helia_session_free(s);
 *
 * A session is one conversion: set up, run once, inspected, freed. It has no part in global state, so threads may each
 * have their own; one session is used by one thread at a time.
 *
 * Ownership. The session owns everything that its functions return, until helia_session_free(). Texts that are passed
 * in are copied; `user` pointers, and what customizers register, must outlive the session. Units. Sizes and offsets are
 * in bytes, alignments are powers of two, positions count operators in execution order from 0. Errors. Functions that
 * can fail return a status, the worst so far in this session, and messages have gone to the sink. Running out of memory
 * is HELIA_STATUS_MACHINE: what the session had made is freed then, inspection finds nothing, and only
 * helia_session_free() is left to call. It never ends the process. The way back is a jump over the frames in between,
 * so a sink or customizer written in C++ holds nothing across our calls that a destructor would have to free, and
 * throws no exceptions. */
#ifndef HELIA_AOT_HELIA_AOT_H
#define HELIA_AOT_HELIA_AOT_H

#include <helia_aot/air.h>
#include <helia_aot/emit.h>
#include <helia_aot/flexbuffer.h>
#include <helia_aot/litert.h>
#include <helia_aot/op.h>
#include <helia_aot/registry.h>
#include <helia_aot/support.h>

#ifdef __cplusplus
extern "C" {
#endif

const char *helia_version(void); /* "0.1.0" */

/* As the exit status of the command line. */
typedef enum HeliaStatus {
    HELIA_STATUS_OK = 0,
    HELIA_STATUS_INPUT = 1,  /* the model, the configuration or a call is at fault */
    HELIA_STATUS_MACHINE = 2 /* a file cannot be read or written, or there is no memory */
} HeliaStatus;

typedef struct HeliaSession HeliaSession;

/* sink: gets every message; NULL: standard error. NULL when there is no memory. */
HeliaSession *helia_session_new(HeliaDiagSink sink, void *user);
void helia_session_free(HeliaSession *session); /* NULL is allowed */
HeliaStatus helia_session_status(const HeliaSession *session);

/* ---- set up: before the run ------------------------------------------------------------------- */
/* The YAML configuration, read by the run; relative paths in it are beside it. */
HeliaStatus helia_session_config_file(HeliaSession *session, const char *path);
/* A key by its dotted path and its value as in YAML ("memory.keep_inputs", "true"); wins over the file, the last one
 * over earlier ones. An unknown key is refused here, a bad value by the run. log_file and verbose: the sink takes the
 * place of the former, verbose is the level up to which it gets progress. */
HeliaStatus helia_session_set(HeliaSession *session, const char *key, const char *value);
/* Called by the run, after the built-ins and the plug-ins are registered, in the order given; then the registries are
 * frozen. Built-ins may be replaced and removed only if allow_override was called with true. */
HeliaStatus helia_session_customize(HeliaSession *session, HeliaCustomizer customizer, void *user);
void helia_session_allow_override(HeliaSession *session, bool allow);
/* A plug-in beside those of the configuration (helia_aot/plugin.h). */
HeliaStatus helia_session_plugin(HeliaSession *session, const char *path, bool allow_override);

/* ---- run -------------------------------------------------------------------------------------- */
typedef enum HeliaStage {
    HELIA_STAGE_LOAD,      /* the model is verified, rewritten by hooks, parsed */
    HELIA_STAGE_TRANSFORM, /* the graph is rewritten */
    HELIA_STAGE_RESOLVE,   /* kernels, parameters and scratch are known */
    HELIA_STAGE_PLAN,      /* every tensor has its place */
    HELIA_STAGE_EMIT,      /* the module is in memory */
    HELIA_STAGE_EXPORT     /* the module is written to module.path */
} HeliaStage;
/* Runs up to that stage, this one included. */
HeliaStatus helia_session_run(HeliaSession *session, HeliaStage last);

/* ---- inspect: after the run, as far as it came ------------------------------------------------ */
const HeliaRegistryContext *helia_session_registries(const HeliaSession *session); /* NULL: not built */
const AirModel *helia_session_air(const HeliaSession *session);                    /* NULL: not parsed */
const char *helia_session_air_text(HeliaSession *session);                         /* NULL: not parsed */
/* Each operator with its kernel and the reasons for it, and the memory plan. NULL: not planned. */
const char *helia_session_explain(HeliaSession *session);

typedef struct HeliaRegion {
    const char *role;   /* "SCRATCH", "PERSISTENT" or "CONSTANT" */
    const char *memory; /* "DTCM" */
    size_t size, align;
} HeliaRegion;
uint32_t helia_session_num_regions(const HeliaSession *session); /* 0: not planned */
bool helia_session_region(const HeliaSession *session, uint32_t index, HeliaRegion *region);

typedef struct HeliaPlace {
    uint32_t region;
    size_t offset, size;
    uint32_t first, last; /* operator positions between which the bytes are in use, inclusive */
} HeliaPlace;
/* Where a tensor of the graph is; false: it has no storage, or nothing is planned. */
bool helia_session_tensor_place(const HeliaSession *session, const AirTensor *tensor, HeliaPlace *place);
/* The scratch of the operator at a position of graph->nodes; false: it has none. */
bool helia_session_scratch_place(const HeliaSession *session, uint32_t position, HeliaPlace *place);

/* A file of the module, without those of the build integration, which are made as it is written. */
typedef struct HeliaModuleFile {
    const char *path; /* in the module: "src/aot_model.c" */
    const char *bytes;
    size_t size;
} HeliaModuleFile;
uint32_t helia_session_num_files(const HeliaSession *session); /* 0: not emitted */
bool helia_session_file(const HeliaSession *session, uint32_t index, HeliaModuleFile *file);

#ifdef __cplusplus
}
#endif
#endif
