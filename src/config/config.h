/* The effective configuration: defaults < YAML file < command line. One row a key in config_keys.inc makes the YAML
 * reader, the flags, the help, the schema, the documentation and the recorded configuration. */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <helia_aot/op.h>

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

/* 0: not given, the planner's own default. */
typedef struct ConfigPlannerOptions {
    int32_t iterations, seed, max_stall_iterations; /* hill_climb */
    int32_t step_limit;                             /* optimal */
} ConfigPlannerOptions;

typedef struct Config {
    struct {
        const char *path, *sha256, *name, *description, *version; /* sha256, version: NULL where not given */
        const char *type;                                         /* from the extension where not given */
        /* As recorded and shown in the module: the file's name, but the YAML file's where that has the model's sha256
         * and the command line says only where the model is now. */
        const char *file_name;
        int32_t subgraph;
    } model;
    struct {
        const char *path, *type, *name, *prefix;
        Schedule schedule;
    } module;
    struct {
        const char *planner;
        ConfigPlannerOptions planner_options;
        bool allocate_arenas, keep_inputs;
    } memory;
    ConfigTransforms transforms;
    ConfigPlugins plugins;
    struct {
        const char *name;
    } platform;
    struct {
        HeliaGoal goal;
        HeliaKernelEntry kernel_entry;
    } optimization;
    int32_t verbose;
    bool force;
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
/* By the last rule of that name; transforms without a rule are on. */
bool config_transform_enabled(const Config *config, const char *name);
/* The options of the last rule of that name; NULL: none given. */
const ConfigOptions *config_transform_options(const Config *config, const char *name);

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
/* The flag nearest to an unknown one ("--module.path"), and its distance. */
const char *config_nearest_flag(HeliaArena *arena, const char *flag, uint32_t *distance);

#endif
