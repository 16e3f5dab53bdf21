/* The platform table: unique names, sane rows, aliases, nearest names. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "target/target.h"

static void rows_are_sane(void **state)
{
    (void)state;
    assert_int_equal(platform_count(), 18);
    for (uint32_t i = 0; i < platform_count(); i++) {
        const Platform *p = platform_at(i);
        assert_ptr_equal(platform_find(p->name), p);
        for (const char *const *alias = platform_aliases(p); *alias; alias++)
            assert_ptr_equal(platform_find(*alias), p);
        assert_true(p->n_preferred > 0 && p->n_preferred <= NUM_MEMORIES);
        bool writable = false;
        for (uint32_t k = 0; k < p->n_preferred; k++) {
            assert_true(p->size[p->preferred[k]] > 0);
            writable |= memory_is_writable(p->preferred[k]);
        }
        assert_true(writable);
        assert_true(p->size[MEMORY_MRAM] > 0);
        assert_int_equal(p->min_alignment & (p->min_alignment - 1), 0);
        assert_true(!(p->isa & HELIA_ISA_MVE) || (p->isa & HELIA_ISA_DSP));
        assert_non_null(p->gcc_flags);
    }
    assert_null(platform_at(platform_count()));
}

static void boards_are_aliases(void **state)
{
    (void)state;
    assert_string_equal(platform_find("apollo510_evb")->name, "apollo510");
    assert_string_equal(platform_find("apollo330mp_evb")->name, "apollo330P");
    assert_string_equal(platform_find("apollo4p_blue_kxr_evb")->name, "apollo4p");
    assert_int_equal(platform_find("apollo510_evb")->size[MEMORY_DTCM], 507904);
    assert_null(platform_find("apollo511"));
    assert_null(platform_find(""));
}

static void nearest_names(void **state)
{
    (void)state;
    assert_string_equal(platform_nearest("apollo-510-evb"), "apollo510_evb");
    assert_string_equal(platform_nearest("cortexm55"), "cortex-m55");
    assert_string_equal(platform_nearest("Apollo3P"), "apollo3p");
}

static void memories(void **state)
{
    (void)state;
    for (int i = 0; i < NUM_MEMORIES; i++) {
        MemoryType memory;
        assert_true(memory_from_name(memory_name((MemoryType)i), &memory));
        assert_int_equal(memory, i);
    }
    MemoryType memory;
    assert_false(memory_from_name("FLASH", &memory));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_sane),
        cmocka_unit_test(boards_are_aliases),
        cmocka_unit_test(nearest_names),
        cmocka_unit_test(memories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
