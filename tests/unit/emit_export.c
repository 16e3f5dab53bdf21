/* Export: folder and archive, what exists already, what cannot be written; the CMake integration is built and
 * installed. */
#include "emit_fixture.h"

#include <signal.h>
#include <sys/resource.h>

#include "config/keys.h"
#include "emit/writers/writer.h"

static bool write_to(const char *path, bool force)
{
    Sample s = make_sample();
    s.config.module.path = path;
    s.config.force = force;
    const Module *m = emit_sample(&s);
    return m && module_write(m, &s.config, diag);
}

/* Everything below the folder, one name a line. */
static const char *listing(void)
{
    static char text[4096];
    FILE *p = popen(helia_format(arena, "cd %s && find . | LC_ALL=C sort", folder), "r");
    assert_non_null(p);
    text[fread(text, 1, sizeof(text) - 1, p)] = 0;
    pclose(p);
    return text;
}

static void into_folder(void **state)
{
    (void)state;
    const char *deep = helia_format(arena, "%s/a/b/", folder);
    assert_true(write_to(deep, false));
    assert_int_equal(
        run_command(
            "cd %s/a/b && test $(ls -A) = sample && cd sample && test -f src/aot_model.c -a -f CMakeLists.txt -a -f "
            "LICENSE -a -f README.md -a -f helia_aot.yaml",
            folder),
        0);
}

static void existing(void **state)
{
    (void)state;
    assert_true(write_to(folder, false));
    assert_int_equal(run_command("touch %s/sample/mine", folder), 0);
    assert_false(write_to(folder, false));
    assert_non_null(strstr(messages, "/sample: error: exists already; --force replaces it"));
    assert_int_equal(helia_diag_exit_status(diag), 1);
    assert_int_equal(run_command("test -f %s/sample/mine", folder), 0);
    assert_true(write_to(folder, true));
    assert_int_equal(run_command("test ! -e %s/sample/mine -a -f %s/sample/README.md", folder, folder), 0);
    assert_int_equal(run_command("test $(ls -A %s | wc -l) = 1", folder), 0);
}

/* --force replaces modules, nothing else that happens to have the name. */
static void not_a_module(void **state)
{
    (void)state;
    assert_int_equal(run_command("mkdir %s/sample && touch %s/sample/mine && mkdir %s/x.zip", folder, folder, folder),
                     0);
    assert_false(write_to(folder, true));
    assert_non_null(strstr(messages, "/sample: error: exists and is no module"));
    assert_false(write_to(helia_format(arena, "%s/sample/mine", folder), true));
    assert_non_null(strstr(messages, "/mine: error: module.path is a file"));
    assert_false(write_to(helia_format(arena, "%s/x.zip", folder), true));
    assert_non_null(strstr(messages, "/x.zip: error: module.path is a folder"));
    assert_int_equal(helia_diag_exit_status(diag), 1);
    assert_string_equal(listing(), ".\n./sample\n./sample/mine\n./x.zip\n");
    assert_int_equal(run_command("rm %s/sample/mine", folder), 0);
    assert_true(write_to(folder, true)); /* empty */
}

static void archive(void **state)
{
    (void)state;
    const char *path = helia_format(arena, "%s/x/sample.zip", folder);
    assert_true(write_to(path, false));
    assert_false(write_to(path, false));
    assert_int_equal(run_command("mv %s %s/first.zip", path, folder), 0);
    sleep(1); /* another time of day */
    assert_true(write_to(path, false));
    assert_int_equal(run_command("cmp %s %s/first.zip", path, folder), 0);
    assert_true(write_to(path, true));
    assert_true(write_to(folder, false));
    assert_int_equal(
        run_command(
            "cd %s && mkdir out && cd out && python3 -m zipfile -e ../first.zip . && diff -r sample ../sample && "
            "python3 -c \"import zipfile; z = zipfile.ZipFile('../first.zip'); n = z.namelist(); assert n == "
            "sorted(n); "
            "assert all(i.date_time == (1980, 1, 1, 0, 0, 0) and i.compress_type == 0 for i in z.infolist())\"",
            folder),
        0);
}

/* Status 2, and nothing is left behind. */
static void unwritable(void **state)
{
    (void)state;
    assert_int_equal(run_command("touch %s/file", folder), 0);
    assert_false(write_to(helia_format(arena, "%s/file/deeper", folder), false));
    assert_int_equal(helia_diag_exit_status(diag), 2);
    assert_string_equal(listing(), ".\n./file\n");
    assert_false(write_to(helia_format(arena, "%s/file/x.zip", folder), false));
    assert_false(write_to("/proc/nothing", false));
    assert_false(write_to("/proc/nothing/x.zip", true));
    assert_string_equal(listing(), ".\n./file\n");
}

/* A file system that is full: writing ends in the middle of a file. */
static void disk_full(void **state)
{
    (void)state;
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 4000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(run_command("mkdir %s/sample && touch %s/sample/helia_aot.yaml", folder, folder), 0);
    setrlimit(RLIMIT_FSIZE, &small);
    bool to_folder = write_to(folder, true), to_new = write_to(helia_format(arena, "%s/new/er", folder), false);
    bool to_zip = write_to(helia_format(arena, "%s/new/x.zip", folder), true);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_false(to_folder);
    assert_false(to_new);
    assert_false(to_zip);
    assert_int_equal(helia_diag_exit_status(diag), 2);
    assert_string_equal(listing(), ".\n./sample\n./sample/helia_aot.yaml\n");
}

/* A conversion that was killed leaves its folder; the next one takes it away, but not that of one that still runs. */
static void stale_folders(void **state)
{
    (void)state;
    assert_int_equal(system(helia_format(arena, "cd %s && mkdir -p .%s.99999999.new/src .%s.%ld.new .%s.99999999.old",
                                         folder, "nn", "nn", (long)getppid(), "nn")),
                     0);
    Sample s = make_sample();
    s.config.module.name = "nn";
    s.config.module.path = folder;
    assert_true(module_write(emit_sample(&s), &s.config, diag));
    assert_null(strstr(listing(), "/.nn.99999999.new"));
    assert_non_null(strstr(listing(), "/.nn.99999999.old"));
    assert_non_null(strstr(listing(), helia_format(arena, "/.nn.%ld.new", (long)getppid())));
}

static void only_module_archives(void **state)
{
    (void)state;
    const char *path = helia_format(arena, "%s/mine.zip", folder);
    assert_int_equal(system(helia_format(arena, "echo mine >%s", path)), 0);
    assert_false(write_to(path, true));
    assert_non_null(strstr(messages, "is no module's archive"));
    assert_int_equal(system(helia_format(arena, "grep -q mine %s && rm %s", path, path)), 0);
    assert_true(write_to(path, false));
    assert_true(write_to(path, true));
}

static void every_type(void **state)
{
    (void)state;
    const ConfigKey *type = &config_keys[key_find("module.type")];
    for (uint32_t i = 0; type->words[i]; i++) {
        const Writer *writer = writer_find(type->words[i]);
        assert_non_null(writer);
        Sample s = make_sample();
        s.config.module.type = type->words[i];
        s.config.module.path = helia_format(arena, "%s/%s.pack", folder, type->words[i]);
        assert_int_equal(module_write(emit_sample(&s), &s.config, diag), writer->packs);
    }
    assert_non_null(strstr(messages, "a .pack needs module.type \"cmsis_pack\", which is \"cmake\""));
    assert_int_equal(helia_diag_exit_status(diag), 1);
}

/* As a part of an application's build, and from an installed package. */
static void cmake_integration(void **state)
{
    (void)state;
    assert_true(write_to(folder, false));
    assert_int_equal(
        run_command(
            "cd %s && mkdir app && cp " HELIA_SOURCE_DIR "/tests/emit/application.c app/main.c && printf "
            "'cmake_minimum_required(VERSION 3.13)\\nproject(app C)\\nif(INSTALLED)\\nfind_package(sample "
            "REQUIRED)\\nelse()\\n"
            "add_subdirectory(../sample sample)\\nendif()\\nadd_executable(app "
            "main.c)\\ntarget_compile_definitions(app PRIVATE TABLE)\\n"
            "target_link_libraries(app sample::sample)\\n' > app/CMakeLists.txt && "
            "(cmake -S app -B one && cmake --build one && one/app && "
            "cmake -S sample -B lib -DCMAKE_INSTALL_PREFIX=$PWD/prefix && cmake --build lib && cmake --install lib && "
            "cmake -S app -B two -DINSTALLED=ON -DCMAKE_PREFIX_PATH=$PWD/prefix && cmake --build two && two/app) > log "
            "2>&1 || "
            "(cat log; exit 1)",
            folder),
        0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(into_folder, fresh, finish),
        cmocka_unit_test_setup_teardown(existing, fresh, finish),
        cmocka_unit_test_setup_teardown(not_a_module, fresh, finish),
        cmocka_unit_test_setup_teardown(archive, fresh, finish),
        cmocka_unit_test_setup_teardown(unwritable, fresh, finish),
        cmocka_unit_test_setup_teardown(disk_full, fresh, finish),
        cmocka_unit_test_setup_teardown(stale_folders, fresh, finish),
        cmocka_unit_test_setup_teardown(only_module_archives, fresh, finish),
        cmocka_unit_test_setup_teardown(every_type, fresh, finish),
        cmocka_unit_test_setup_teardown(cmake_integration, fresh, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
