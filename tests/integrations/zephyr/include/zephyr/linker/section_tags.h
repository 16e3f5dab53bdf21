/* Stand-in: sections that the test looks for in the objects. */
#define __dtcm_bss_section __attribute__((section(".stand_in_dtcm_bss")))
#define __dtcm_data_section __attribute__((section(".stand_in_dtcm_data")))
#define __itcm_section __attribute__((section(".stand_in_itcm")))
