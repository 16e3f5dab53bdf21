/* Stand-in: sections that the test looks for in the objects. */
#define EXT_RAM_BSS_ATTR __attribute__((section(".stand_in_ext_ram")))
#define IRAM_ATTR __attribute__((section(".stand_in_iram")))
