/* The effective configuration: defaults < YAML file < command line. One row a key in config_keys.inc makes the YAML
 * reader, the flags, the help, the schema, the documentation and the recorded configuration. */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <helia_aot/op.h>

#include "target/target.h"

/* Kernels of the module's own, or calls of a library. */
typedef enum KernelLibrary { LIBRARY_BUNDLED, LIBRARY_CMSIS_NN, LIBRARY_NS_CMSIS_NN } KernelLibrary;

typedef enum Schedule { SCHEDULE_TABLE, SCHEDULE_STATIC } Schedule;

/* A name and a value inside a free mapping; the reader of the mapping gives the value its type. */
typedef struct ConfigOption {
    HeliaLoc at; /* of the name */
    const char *name, *value;
} ConfigOption;
typedef HELIA_VEC(ConfigOption) ConfigOptions;

typedef struct ConfigTransform {
    HeliaLoc at;
    const char *name;
    bool enabled;
    ConfigOptions options;
} ConfigTransform;
typedef HELIA_VEC(ConfigTransform) ConfigTransforms;

typedef struct ConfigPlugin {
    HeliaLoc at;
    const char *path, *name, *version; /* name, version: NULL where not given, else what the plug-in must say */
    bool allow_override;
} ConfigPlugin;
typedef HELIA_VEC(ConfigPlugin) ConfigPlugins;

typedef HELIA_VEC(const char *) ConfigTexts;

/* The attributes that rules set: those of operators, those of tensors. */
enum { ATTRIBUTE_CODE_PLACEMENT, ATTRIBUTE_SCRATCH_PLACEMENT, ATTRIBUTE_LUT_MODE, MAX_ATTRIBUTES };
enum { ATTRIBUTE_MEMORY, ATTRIBUTE_DESTINATION };

/* An attribute rule of `operators` or `memory.tensors`. */
typedef struct ConfigRule {
    HeliaLoc at;
    const char *type;                       /* an operator key or a role; NULL: any */
    ConfigTexts ids;                        /* LiteRT index as text, or name; empty: any */
    const char *attributes[MAX_ATTRIBUTES]; /* NULL: not set */
} ConfigRule;
typedef HELIA_VEC(ConfigRule) ConfigRules;

/* Where constants are: C arrays of the module, or blobs beside it. By memory, in the order of MemoryType. */
typedef enum ConstantStorage { CONSTANTS_EMBEDDED, CONSTANTS_SIDECAR } ConstantStorage;
typedef struct ConfigConstants {
    ConstantStorage in[NUM_MEMORIES];
} ConfigConstants;

typedef struct ConfigBudget {
    HeliaLoc at;
    MemoryType memory;
    int32_t max_size; /* -1: the platform's */
} ConfigBudget;
typedef HELIA_VEC(ConfigBudget) ConfigBudgets;

/* What replaces the platform's memories. */
typedef struct ConfigMemories {
    bool given;
    int32_t size[NUM_MEMORIES]; /* -1: the platform's */
} ConfigMemories;
typedef struct ConfigCapabilities {
    bool given;
    uint32_t isa; /* mask of HELIA_ISA_ */
} ConfigCapabilities;
typedef HELIA_VEC(MemoryType) ConfigMemoryOrder;

/* 0: not given, the planner's own default. */
typedef struct ConfigPlannerOptions {
    int32_t iterations, seed, max_stall_iterations; /* hill_climb */
    int32_t step_limit;                             /* optimal */
} ConfigPlannerOptions;

/* An output that is copied to an input between iterations of the test: indices or names. */
typedef struct ConfigFeedback {
    HeliaLoc at;
    const char *output, *input;
} ConfigFeedback;
typedef HELIA_VEC(ConfigFeedback) ConfigFeedbacks;

/* The shape of a graph input, in place of the file's. */
typedef struct ConfigShape {
    HeliaLoc at; /* of the name */
    const char *name;
    int32_t rank, dim[AIR_MAX_RANK];
} ConfigShape;
typedef HELIA_VEC(ConfigShape) ConfigShapes;

typedef enum TestReference { REFERENCE_BUILTIN, REFERENCE_LITERT } TestReference;

typedef struct Config {
    struct {
        const char *path, *sha256, *name, *description, *version; /* sha256, version: NULL where not given */
        const char *type;                                         /* from the extension where not given */
        /* As recorded and shown in the module: the file's name, but the YAML file's where that has the model's sha256
         * and the command line says only where the model is now. */
        const char *file_name;
        int32_t subgraph;
        ConfigShapes input_shapes;
    } model;
    struct {
        const char *path, *type, *name, *prefix;
        Schedule schedule;
        bool debug;
    } module;
    struct {
        KernelLibrary library;
    } kernels;
    struct {
        const char *planner;
        ConfigPlannerOptions planner_options;
        bool reorder, allocate_arenas, keep_inputs, dump_residency_report;
        ConfigBudgets constraints;
        ConfigRules tensors;
        ConfigConstants constants;
    } memory;
    ConfigRules operators;
    ConfigTransforms transforms;
    ConfigPlugins plugins;
    struct {
        const char *name, *cpu; /* cpu: NULL where not given */
        ConfigMemories memories;
        ConfigCapabilities capabilities;
        ConfigMemoryOrder preferred_memory_order; /* empty: not given */
        int32_t min_alignment;                    /* 0: not given */
    } platform;
    struct {
        bool enabled, skip_verification;
        const char *golden_data, *litert_library; /* NULL: none */
        TestReference reference;
        int32_t tolerance, num_iterations;
        double float_tolerance;
        ConfigFeedbacks state_feedback;
    } test;
    struct {
        bool html;
    } documentation;
    struct {
        HeliaGoal goal;
        HeliaKernelEntry kernel_entry;
        bool allow_numeric_changes;
    } optimization;
    int32_t verbose;
    bool force, keep_work_dir;
    const char *log_file;                /* NULL: none */
    const struct ConfigOrigins *origins; /* where each key's value came from; NULL in a hand-made configuration */
} Config;

/* Flags of the configuration keys, in the order of the command line. Start from a zeroed object. */
typedef struct ConfigFlag {
    uint32_t key;
    const char *name;  /* as typed, with "--": for messages */
    const char *value; /* "true" and "false" for --x and --no-x */
} ConfigFlag;
typedef HELIA_VEC(ConfigFlag) ConfigFlags;

typedef enum FlagResult {
    FLAG_UNKNOWN,
    FLAG_TAKEN,
    FLAG_TAKEN_WITH_NEXT,
    FLAG_REFUSED /* after reporting */
} FlagResult;
/* Offers one argument "--module.path=out", "--module.path" with its `next` argument, "--force" or "--no-force". */
FlagResult config_flag(HeliaArena *arena, HeliaDiag *diag, ConfigFlags *flags, const char *arg, const char *next);

/* yaml_path, flags: NULL where there is none. NULL after reporting every problem. */
Config *config_load(HeliaArena *arena, HeliaDiag *diag, const char *yaml_path, const ConfigFlags *flags);

/* Where the value of a key was given; nowhere for a default. */
HeliaLoc config_loc(const Config *config, const char *key);
/* The fields that are given of a key whose value is a mapping of single values; none for a default. */
ConfigOptions config_fields(HeliaArena *arena, const Config *config, const char *key);
/* Warns of keys of the generated test that have no effect beside the others. */
void config_check_test(HeliaArena *arena, HeliaDiag *diag, const Config *config);
/* Transforms without a rule are on. */
bool config_transform_enabled(const Config *config, const char *name);
/* The options of the rule of that name; NULL: none given. */
const ConfigOptions *config_transform_options(const Config *config, const char *name);

/* The platform that is named, with every field that the configuration overrides. */
const Platform *config_platform(HeliaArena *arena, const Config *config);

/* A plug-in of the command line: where the one of the same file name is, or one more. */
void config_add_plugin(HeliaArena *arena, ConfigPlugins *plugins, const char *path, bool allow_override);
/* After the plug-ins have been loaded: the recorded configuration names them as they name themselves. */
void config_record_plugins(HeliaArena *arena, const Config *config);

/* The effective configuration as helia_aot.yaml: the model by file name and sha256, no output or logging keys, no
 * folders of paths. Converting with it again gives the same module. */
const char *config_dump(HeliaArena *arena, const Config *config, const char *model_sha256);

/* ---- made from the key table ------------------------------------------------------------------ */
const char *config_schema(HeliaArena *arena);   /* JSON Schema */
const char *config_markdown(HeliaArena *arena); /* docs/generated/config-keys.md */
const char *config_help(HeliaArena *arena);     /* the flags, for --help */
/* The same of one key, or of a field of one: "memory.planner_options.seed". */
const char *config_key_help(HeliaArena *arena, const char *path);
/* The flag nearest to an unknown one ("--module.path"), and its distance. */
const char *config_nearest_flag(HeliaArena *arena, const char *flag, uint32_t *distance);

#endif
