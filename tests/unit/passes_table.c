/* Each built-in transform stands in docs/transforms.md, in the order of the table. */
#include "pass_fixture.h"

#include "support/file.h"

static void documented_in_order(void **state)
{
    (void)state;
    FileBytes page;
    HeliaDiag *diag = helia_diag_new(arena, to_messages, NULL, 0);
    assert_true(file_read(arena, diag, HELIA_SOURCE_DIR "/docs/transforms.md", &page));
    HeliaRegistryContext *r = helia_build_default_registry_context(arena, diag, NULL, NULL, 0, false);
    const char *at = (const char *)page.at;
    for (uint32_t i = 0; i < helia_registry_count(r->transforms); i++) {
        const char *heading = helia_format(arena, "\n## `%s`\n", helia_registry_key(r->transforms, i));
        const char *found = strstr(at, heading);
        if (!found)
            fail_msg("docs/transforms.md lacks, in its place,%s", heading);
        at = found + 1;
        assert_non_null(strstr(at, "->")); /* the picture */
    }
    assert_null(strstr(at, "\n## `"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(documented_in_order, fresh, finish)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
