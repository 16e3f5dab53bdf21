/* The table of build integrations, and how their files are made. */
#include "emit/writers/writer.h"

#include <ctype.h>
#include <string.h>

#define HEADERS "includes-api/"

static const Writer writers[] = {
    {.name = "cmake",
     .files = {{"CMakeLists.txt", "CMakeLists.txt.in"}, {"cmake/@NAME@Config.cmake", "Config.cmake.in"}},
     .before = "    ",
     .behind = "",
     .math = "    target_link_libraries(@NAME@ PUBLIC -lm)\n",
     .test = "test.cmake.in",
     .library = "# The kernels that the module calls: a target of the application's build, or what the linker takes.\n"
                "set(@NAME@_KERNEL_LIBRARY \"cmsis-nn\" CACHE STRING \"@LIBRARY_NAME@, as a target to link\")\n"
                "target_link_libraries(@NAME@ PUBLIC $<BUILD_INTERFACE:${@NAME@_KERNEL_LIBRARY}>)\n",
     .use = ", or in CMake `add_subdirectory(@NAME@)` and link `@NAME@::@NAME@`"},
    {.name = "zephyr",
     .files = {{"zephyr/CMakeLists.txt", "zephyr_CMakeLists.txt.in"},
               {"zephyr/Kconfig", "zephyr_Kconfig.in"},
               {"zephyr/module.yml", "zephyr_module.yml.in"}},
     .before = "        ${CMAKE_CURRENT_LIST_DIR}/../",
     .behind = "",
     .math = "\tselect REQUIRES_FULL_LIBC\n",
     .library = "\tdepends on CMSIS_NN\n",
     .use = ", or in Zephyr name this folder in `ZEPHYR_EXTRA_MODULES` (`CONFIG_@MACRO@` switches it)",
     .placement = placement_zephyr},
    {.name = "nsx",
     .files = {{"CMakeLists.txt", "nsx_CMakeLists.txt.in"}, {"nsx-module.yaml", "nsx-module.yaml.in"}},
     .before = "    ",
     .behind = "",
     .math = " m",
     .library = "\"nsx-cmsis-nn\"",
     .use = ", or in an NSX application `nsx module add @NAME@ --vendored` and link `nsx::@NAME@`",
     .placement = placement_ambiq},
    {.name = "neuralspot",
     .files = {{"module.mk", "neuralspot_module.mk.in"}},
     .before = "    ",
     .behind = "",
     .math = "",
     .use = ", or in neuralSPOT add this folder to `modules` in the makefile",
     .placement = placement_ambiq},
    {.name = "cmsis_pack",
     .files = {{"HeliaAot.@NAME@.pdsc", "cmsis_pack.pdsc.in"}},
     .before = "        <file category=\"source\" name=\"",
     .behind = "\"/>",
     .math = "",
     .packs = true,
     .library = "      <require Cclass=\"CMSIS\" Cgroup=\"NN Lib\"/>\n",
     .use = ", or install the pack (`cpackget add`) and select the component `Machine Learning:Model:@NAME@`"},
    {.name = "plain",
     .files = {{"sources.txt", "plain_sources.txt.in"}, {"module.mk", "plain_module.mk.in"}},
     .before = "",
     .behind = "",
     .math = " -lm",
     .use = ": `sources.txt` lists them, and `module.mk` has them as variables for make"},
    {.name = "arduino",
     .files = {{"library.properties", "arduino_library.properties.in"},
               {"library.json", "arduino_library.json.in"},
               {"examples/@NAME@_run/@NAME@_run.ino", "arduino_sketch.ino.in"}},
     .before = "",
     .behind = "",
     .math = "",
     .one_folder = true,
     .use = ", or put this folder into the libraries of the Arduino IDE, or into `lib/` of a PlatformIO project"},
    {.name = "esp_idf",
     .files = {{"CMakeLists.txt", "esp_idf_CMakeLists.txt.in"}, {"idf_component.yml", "esp_idf_component.yml.in"}},
     .before = "        ",
     .behind = "",
     .math = "",
     .use = ", or put this folder into `components/` of an ESP-IDF project",
     .placement = placement_esp_idf},
};
enum { N_WRITERS = sizeof(writers) / sizeof(writers[0]) };

const Writer *writer_find(const char *name)
{
    for (uint32_t i = 0; i < N_WRITERS; i++)
        if (strcmp(writers[i].name, name) == 0)
            return &writers[i];
    return NULL;
}

/* A line for each C file of the module. */
static const char *source_lines(const Writer *w, const Module *module)
{
    HeliaOut *o = helia_out_new(module->arena);
    for (uint32_t i = 0; i < module->files.len; i++) {
        const char *path = module->files.at[i].path;
        size_t n = strlen(path);
        if (strncmp(path, "src/", 4) == 0 && strcmp(path + n - 2, ".c") == 0)
            helia_out_line(o, "%s%s%s", w->before, path, w->behind);
    }
    return helia_out_string(o, NULL);
}

/* The module's sidecar blobs as further arguments of its self-test. */
static const char *blob_arguments(const Module *module)
{
    const char *text = "";
    for (uint32_t i = 0; i < module->files.len; i++)
        if (strncmp(module->files.at[i].path, "blobs/", 6) == 0)
            text = helia_format(module->arena, "%s \"${CMAKE_CURRENT_SOURCE_DIR}/%s\"", text, module->files.at[i].path);
    return text;
}

/* What the module's figures are measured with. */
static const char *optimization_flag(const Config *config)
{
    return config->optimization.goal == HELIA_GOAL_SIZE ? "-Os" : "-O2";
}

/* "2.1" as packages want it, "2.1.0"; what is no such number is 1.0.0. */
static const char *semantic_version(HeliaArena *arena, const char *text)
{
    int32_t part[3] = {0, 0, 0};
    uint32_t n = 0;
    for (const char *p = text; p && n < 3; n++) {
        size_t digits = strspn(p, "0123456789");
        if (!digits || digits > 6)
            return "1.0.0";
        for (size_t i = 0; i < digits; i++)
            part[n] = part[n] * 10 + (p[i] - '0');
        p += digits;
        if (!*p)
            return helia_format(arena, "%d.%d.%d", part[0], part[1], part[2]);
        if (*p++ != '.')
            return "1.0.0";
    }
    return "1.0.0";
}

static const char *upper_case(HeliaArena *arena, const char *text)
{
    char *upper = helia_strdup(arena, text);
    for (char *p = upper; *p; p++)
        *p = (char)toupper((unsigned char)*p);
    return upper;
}

typedef struct Keys {
    TemplateKey at[16];
    uint32_t n;
} Keys;

static void add_key(Keys *keys, const char *key, const char *value)
{
    keys->at[keys->n++] = (TemplateKey){key, value};
}

/* Those that the texts of a row may have; templates have MATH and SOURCES as well. */
static Keys glue_keys(HeliaArena *arena, const Config *config)
{
    Keys keys = {.n = 0};
    add_key(&keys, "NAME", config->module.name);
    add_key(&keys, "MACRO", upper_case(arena, config->module.name));
    add_key(&keys, "p", config->module.prefix);
    add_key(&keys, "P", upper_case(arena, config->module.prefix));
    add_key(&keys, "VERSION", semantic_version(arena, config->model.version));
    add_key(&keys, "HELIA_VERSION", HELIA_AOT_VERSION);
    add_key(&keys, "LIBRARY_NAME", config->kernels.library == LIBRARY_NS_CMSIS_NN ? "ns-cmsis-nn" : "CMSIS-NN");
    add_key(&keys, "OPTIMIZATION", optimization_flag(config));
    return keys;
}

const char *writer_use(const Writer *writer, HeliaArena *arena, HeliaDiag *diag, const Config *config)
{
    Keys keys = glue_keys(arena, config);
    return text_expand(arena, diag, writer->name, writer->use, keys.at, keys.n);
}

bool writer_add_files(const Writer *writer, Module *module, const Config *config, HeliaDiag *diag)
{
    HeliaArena *arena = module->arena;
    for (uint32_t i = 0; writer->one_folder && i < module->files.len; i++)
        if (strncmp(module->files.at[i].path, HEADERS, strlen(HEADERS)) == 0)
            module->files.at[i].path = helia_format(arena, "src/%s", module->files.at[i].path + strlen(HEADERS));
    Keys keys = glue_keys(arena, config);
    const char *math = text_expand(arena, diag, writer->name, writer->math, keys.at, keys.n);
    add_key(&keys, "MATH", module->needs_math ? math : "");
    const bool calls = config->kernels.library != LIBRARY_BUNDLED && writer->library;
    const char *library = calls ? text_expand(arena, diag, writer->name, writer->library, keys.at, keys.n) : "";
    add_key(&keys, "LIBRARY", library);
    add_key(&keys, "SOURCES", source_lines(writer, module));
    add_key(&keys, "CPU", module->cpu);
    add_key(&keys, "BLOBS", blob_arguments(module));
    const bool has_test = writer->test && config->test.enabled;
    const char *test = has_test ? template_expand(arena, diag, writer->test, keys.at, keys.n) : "";
    if (!math || !library || !test)
        return false;
    add_key(&keys, "TEST", test);
    for (uint32_t i = 0; i < MOST_GLUE_FILES && writer->files[i].path; i++) {
        const char *path = text_expand(arena, diag, writer->name, writer->files[i].path, keys.at, keys.n);
        const char *text = template_expand(arena, diag, writer->files[i].template, keys.at, keys.n);
        if (!path || !text)
            return false;
        ModuleFile file = {path, text, strlen(text)};
        HELIA_PUSH(arena, &module->files, file);
    }
    module_sort_files(module);
    return true;
}
