/* module.type "cmake": a static library for add_subdirectory(), or to be installed as a package. */
#include "emit/writers/writer.h"

static bool write_cmake(Module *m, const Config *config, HeliaDiag *diag)
{
    const TemplateKey keys[] = {
        {"NAME", m->name},
        {"PREFIX", m->PREFIX},
        {"SOURCES", module_sources(m, "    ")},
        {"OPTIMIZATION", optimization_flag(config)},
    };
    const char *lists = template_expand(m->arena, diag, "CMakeLists.txt.in", keys, 4);
    const char *package = template_expand(m->arena, diag, "Config.cmake.in", keys, 4);
    if (!lists || !package)
        return false;
    module_add(m, "CMakeLists.txt", lists);
    module_add(m, helia_format(m->arena, "cmake/%sConfig.cmake", m->name), package);
    return true;
}

const Writer writer_cmake = {"cmake", write_cmake};
