/* Where arenas and code go by default in the build systems that have sections for memories. A macro that the application
 * defines comes first, and a build on another machine gets no sections. */
#include <string.h>

#include "emit/writers/writer.h"

typedef struct Row {
    const char *macro, *value; /* "PUT_IN_SRAM"; what the macro becomes */
} Row;

static void put_rows(HeliaOut *o, const char *PREFIX, const Row *rows, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        helia_out_line(o, "#ifndef %s_%s", PREFIX, rows[i].macro);
        helia_out_line(o, "#define %s_%s %s", PREFIX, rows[i].macro, rows[i].value);
        helia_out_line(o, "#endif");
    }
}

/* The linker scripts of neuralSPOT and NSX: TCM is the ordinary .data and .bss, shared SRAM has sections of its own but
 * on Apollo3, and Apollo510 has one for code in ITCM. */
const char *placement_ambiq(HeliaArena *arena, const Platform *platform, const char *PREFIX)
{
    static const Row sram[] = {{"PUT_IN_SRAM", "__attribute__((section(\".sram_bss\")))"},
                               {"PUT_IN_SRAM_INIT", "__attribute__((section(\".shared\")))"}};
    static const Row itcm[] = {{"CODE_IN_ITCM", "__attribute__((section(\".itcm_text\")))"}};
    HeliaOut *o = helia_out_new(arena);
    if (strncmp(platform->name, "apollo", 6) != 0 || strncmp(platform->name, "apollo3p", 8) == 0 ||
        strcmp(platform->name, "apollo3") == 0)
        return "";
    helia_out_line(o, "#if defined(__arm__)");
    put_rows(o, PREFIX, sram, 2);
    if (strncmp(platform->name, "apollo510", 9) == 0)
        put_rows(o, PREFIX, itcm, 1);
    helia_out_line(o, "#endif");
    return helia_out_string(o, NULL);
}

const char *placement_zephyr(HeliaArena *arena, const Platform *platform, const char *PREFIX)
{
    static const Row dtcm[] = {{"PUT_IN_DTCM", "__dtcm_bss_section"}, {"PUT_IN_DTCM_INIT", "__dtcm_data_section"}};
    static const Row itcm[] = {{"CODE_IN_ITCM", "__itcm_section"}};
    HeliaOut *o = helia_out_new(arena);
    (void)platform;
    helia_out_line(o, "#if defined(__ZEPHYR__)");
    helia_out_line(o, "#include <zephyr/devicetree.h>");
    helia_out_line(o, "#include <zephyr/linker/section_tags.h>");
    helia_out_line(o, "#if DT_HAS_CHOSEN(zephyr_dtcm)");
    put_rows(o, PREFIX, dtcm, 2);
    helia_out_line(o, "#endif");
    helia_out_line(o, "#if DT_HAS_CHOSEN(zephyr_itcm)");
    put_rows(o, PREFIX, itcm, 1);
    helia_out_line(o, "#endif");
    helia_out_line(o, "#endif");
    return helia_out_string(o, NULL);
}

/* EXT_RAM_BSS_ATTR is empty unless the project's configuration allows .bss in external RAM. */
const char *placement_esp_idf(HeliaArena *arena, const Platform *platform, const char *PREFIX)
{
    static const Row rows[] = {{"PUT_IN_PSRAM", "EXT_RAM_BSS_ATTR"}, {"CODE_IN_ITCM", "IRAM_ATTR"}};
    HeliaOut *o = helia_out_new(arena);
    (void)platform;
    helia_out_line(o, "#if defined(ESP_PLATFORM)");
    helia_out_line(o, "#include <esp_attr.h>");
    put_rows(o, PREFIX, rows, 2);
    helia_out_line(o, "#endif");
    return helia_out_string(o, NULL);
}
