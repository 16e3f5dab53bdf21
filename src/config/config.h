/* The effective configuration: defaults < YAML file < command line. One row a key in config_keys.inc makes the YAML
 * reader, the flags, the help, the schema, the documentation and the recorded configuration. */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <helia_aot/op.h>

typedef enum Schedule { SCHEDULE_TABLE, SCHEDULE_STATIC } Schedule;

typedef struct Config {
    struct {
        const char *path, *sha256, *type, *name, *description, *version; /* NULL where not given */
        int32_t subgraph;
    } model;
    struct {
        const char *path, *type, *name, *prefix;
        Schedule schedule;
    } module;
    struct {
        const char *planner;
        bool allocate_arenas, keep_inputs;
    } memory;
    struct {
        const char *name;
    } platform;
    struct {
        HeliaGoal goal;
    } optimization;
    int32_t verbose;
    bool force;
    const char *log_file;
} Config;

/* Whether the configuration's `transforms` list leaves the transform on (the default). */
bool config_transform_enabled(const Config *config, const char *name);

#endif
