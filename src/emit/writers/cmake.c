/* module.type "cmake": a static library for add_subdirectory(), or to be installed as a package. */
#include "emit/writers/writer.h"

static bool write_cmake(Module *m, const Config *config, HeliaDiag *diag)
{
    const char *math = helia_format(m->arena, "    target_link_libraries(%s PUBLIC -lm)\n", m->name);
    const TemplateKey keys[] = {
        {"NAME", m->name},
        {"PREFIX", m->PREFIX},
        {"SOURCES", module_sources(m, "    ")},
        {"OPTIMIZATION", optimization_flag(config)},
        {"MATH", m->needs_math ? math : ""},
    };
    const char *lists = template_expand(m->arena, diag, "CMakeLists.txt.in", keys, 5);
    const char *package = template_expand(m->arena, diag, "Config.cmake.in", keys, 5);
    if (!lists || !package)
        return false;
    module_add(m, "CMakeLists.txt", lists);
    module_add(m, helia_format(m->arena, "cmake/%sConfig.cmake", m->name), package);
    return true;
}

const Writer writer_cmake = {"cmake", write_cmake};
