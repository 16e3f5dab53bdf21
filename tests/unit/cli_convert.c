/* The command convert: work folder, rules, warnings, progress, and the recorded configuration. */
#include <helia_aot/registry.h>

#include "cli_fixture.h"

/* The module's files stay beside what is exported, and where the export fails. */
static void work_folder_is_kept(void **state)
{
    (void)state;
    assert_int_equal(run("convert --model.path " MODEL " --module.path kept --keep-work-dir"), 0);
    expect(err, "export: the work folder kept/.helia_aot_nn.");
    assert_int_equal(shell("diff -r kept/helia_aot_nn kept/.helia_aot_nn.*.work"), 0);
    assert_int_equal(run("convert --model.path " MODEL " --module.path kept.zip --keep-work-dir"), 0);
    expect(err, "export: the work folder kept.zip.");
    assert_int_equal(shell("diff -r kept/helia_aot_nn kept.zip.*.work"), 0);
    assert_int_equal(run("convert --model.path " MODEL " --module.path kept.zip --keep-work-dir"), 1);
    expect(err, "export: the work folder kept.zip.");
    assert_int_equal(run("convert --model.path " MODEL " --module.path left"), 0);
    assert_int_equal(shell("test \"$(ls -A left)\" = helia_aot_nn"), 0);
}

/* --verbose 2 says what attributes each operator and tensor ended with; a rule without effect is warned of by its line. */
static void attributes_and_their_rules(void **state)
{
    (void)state;
    write_text("rules.yaml", "operators:\n  - {type: ADD, attributes: {code_placement: ITCM}}\n"
                             "  - {type: SOFTMAX, attributes: {code_placement: ITCM}}\n"
                             "  - {id: add_0, attributes: {scratch_placement: SRAM}}\n"
                             "memory:\n  tensors:\n    - {type: SCRATCH, attributes: {memory: SRAM}}\n"
                             "    - {id: nobody, attributes: {memory: SRAM}}\n"
                             "    - {id: in0, attributes: {constant_destination_memory: DTCM}}\n");
    assert_int_equal(run("explain " MODEL " --path rules.yaml --verbose 2"), 0);
    expect(err, "plan: operator add_0: code_placement ITCM, scratch_placement none needed");
    expect(err, "plan: tensor \"in0\" (SCRATCH): memory SRAM");
    expect(err, "rules.yaml:3:5: warning: the rule matches no operator of the model");
    expect(err,
           "rules.yaml:4:5: warning: the rule sets scratch_placement: SRAM, which operator add_0 does not support");
    expect(err, "rules.yaml:8:7: warning: the rule matches no tensor of the model");
    expect(err, "rules.yaml:9:7: warning: the rule sets constant_destination_memory: DTCM, which tensor \"in0\" "
                "(SCRATCH) does not support");
}

static void keys_without_effect(void **state)
{
    (void)state;
    write_text("vain.yaml", "test: {tolerance: 1, golden_data: x.npz, num_iterations: 1}\n"
                            "memory: {planner_options: {step_limit: 3, seed: 0}, tensors: [{attributes: {}}]}\n"
                            "operators: [{id: add_0, attributes: {lut_mode: null}}]\n");
    assert_int_equal(run("convert --path vain.yaml --module.path vain --model.path " MODEL), 0);
    expect(err, "vain.yaml:1:19: warning: test.tolerance has no effect: test.enabled is false");
    expect(err, "vain.yaml:1:35: warning: test.golden_data has no effect: test.enabled is false");
    assert_null(strstr(err, "num_iterations"));
    expect(err, "vain.yaml:2:28: warning: step_limit has no effect: planner greedy takes no options");
    expect(err, "vain.yaml:2:43: warning: seed has no effect: planner greedy takes no options");
    expect(err, "vain.yaml:2:63: warning: the rule has no effect: it sets no attribute; expected memory or ");
    expect(err, "vain.yaml:3:13: warning: the rule has no effect: it sets no attribute; expected code_placement, ");
    assert_int_equal(run("convert --module.path vain2 --model.path " MODEL " --test.enabled --test.skip_verification "
                         "--test.tolerance 1 --test.litert_library x.so --test.state-feedback '[[0, 0]]'"),
                     0);
    expect(err, "--test.tolerance: warning: test.tolerance has no effect: test.skip_verification is true");
    expect(err, "test.litert_library has no effect: test.skip_verification is true");
    expect(err, "test.state_feedback has no effect: test.num_iterations is 1");
    assert_int_equal(run("convert --path vain2/helia_aot_nn/helia_aot.yaml --module.path vain3 --model.path " MODEL
                         " --no-test.skip_verification --test.state_feedback=[] --memory.planner optimal "
                         "--memory.planner_options '{step_limit: 3}'"),
                     0);
    assert_null(strstr(err, "no effect"));
    write_text("p.csv", "a,0,1,10\n");
    assert_int_equal(run("plan p.csv --planner optimal --max-stall-iterations 5 --step-limit 7"), 0);
    expect(err,
           "--max-stall-iterations: warning: max_stall_iterations has no effect: planner optimal takes step_limit");
    assert_null(strstr(err, "--step-limit"));
}

static void levels_of_progress(void **state)
{
    (void)state;
    assert_int_equal(run("explain " MODEL " --verbose 1"), 0);
    assert_null(strstr(err, "add_0"));
    assert_int_equal(run("explain " MODEL " --verbose 2 --platform.name cortex-m4"), 0);
    expect(err, "transform: fuse_activation, 1 -> 1 operators");
    expect(err, "resolve: add_0: helia_add_s8_dsp\n");
    assert_null(strstr(err, "fused_activation_function"));
    assert_int_equal(run("explain " MODEL " --verbose 3 --platform.name cortex-m4"), 0);
    expect(err, "resolve: tensor %0 s8[1x4x5x6] \"in0\" litert 0 q ");
    expect(err, "resolve: add_0: op 0 ADD (%0 %1) -> (%2) {fused_activation_function=NONE");
}

/* Results keep their bits, whatever transforms there are. */
static void transforms_keep_the_bits(void **state)
{
    (void)state;
    static const char *const models[] = {"branches", "digits", "ic_resnet8"};
    HeliaArena *arena = helia_arena_new(NULL);
    HeliaDiag *diag = helia_diag_new(arena, NULL, NULL, 1);
    const HeliaRegistry *t = helia_build_default_registry_context(arena, diag, NULL, NULL, 0, false)->transforms;
    const char *off = "";
    for (uint32_t i = 0; i < helia_registry_count(t); i++)
        off = helia_format(arena, "%s%s{\"name\": \"%s\", \"enabled\": false}", off, i ? ", " : "",
                           helia_registry_key(t, i));
    for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
        const char *text = helia_format(arena,
                                        "run " HELIA_SOURCE_DIR "/models/%s.tflite --input " HELIA_SOURCE_DIR
                                        "/models/golden/%s.npz --output",
                                        models[i], models[i]);
        assert_int_equal(run(helia_format(arena, "%s on.npz", text)), 0);
        assert_int_equal(run(helia_format(arena, "%s off.npz --transforms '[%s]'", text, off)), 0);
        assert_int_equal(shell("cmp on.npz off.npz"), 0);
    }
    helia_arena_free(arena);
}

/* What the module records converts to the same module, with the model beside it or named from elsewhere. */
static void recorded_configuration_converts_again(void **state)
{
    (void)state;
    assert_int_equal(run("convert --model.path " MODEL " --module.path one --module.prefix kws --transforms "
                         "'[{\"name\": \"prune_identity_ops\", \"enabled\": false}]'"),
                     0);
    assert_int_equal(run("convert --path one/helia_aot_nn/helia_aot.yaml --module.path two --model.path " MODEL), 0);
    assert_int_equal(shell("diff -r one two"), 0);
    assert_int_equal(shell("cp " MODEL " one/helia_aot_nn/ && cp " MODEL " elsewhere.tflite"), 0);
    assert_int_equal(run("convert --path one/helia_aot_nn/helia_aot.yaml --module.path three"), 0);
    assert_int_equal(
        run("convert --path one/helia_aot_nn/helia_aot.yaml --module.path four --model.path elsewhere.tflite"), 0);
    assert_int_equal(shell("diff -r two three && diff -r two four"), 0);
    assert_int_equal(run("convert --path one/helia_aot_nn/helia_aot.yaml --module.path three"), 1);
    expect(err, "--force");
    assert_int_equal(run("convert --path one/helia_aot_nn/helia_aot.yaml --module.path three --force"), 0);
}

/* With every key that is recorded at a value that is no default, but for plug-ins and what contradicts another: what the
 * module records converts to the same bytes, itself included. */
static void every_key_converts_again(void **state)
{
    (void)state;
    write_text(
        "every.yaml",
        "model: {subgraph: 0, type: litert, name: a name, description: 'two words', version: 1.10,\n"
        "        input_shapes: {x: [2, 8, 7, 4]}}\n"
        "module: {type: plain, name: my_nn, prefix: my, schedule: static}\n"
        "transforms: [{name: prune_identity_ops, enabled: false}]\n"
        "operators: [{type: CONV_2D, attributes: {code_placement: ITCM}}]\n"
        "memory: {planner: hill_climb, planner_options: {iterations: 50, seed: 7, max_stall_iterations: 9},\n"
        "         reorder: false, constraints: [{memory: SRAM, max_size: 100000}, {memory: MRAM}],\n"
        "         tensors: [{type: CONSTANT, attributes: {constant_destination_memory: SRAM}}],\n"
        "         allocate_arenas: false, constants: {MRAM: sidecar}, keep_inputs: true,\n"
        "         dump_residency_report: true}\n"
        "platform: {name: apollo4p, cpu: cortex-m33, memories: {SRAM: 200000, ITCM: 65536}, capabilities: [dsp],\n"
        "           preferred_memory_order: [SRAM, MRAM], min_alignment: 64}\n"
        "test: {enabled: true, tolerance: 2, float_tolerance: 0.125, num_iterations: 2}\n"
        "documentation: {html: true}\n"
        "optimization: {goal: size, kernel_entry: generic, allow_numeric_changes: true}\n"
        "verbose: 0\nforce: true\nlog_file: log.txt\n");
    const char *model = "--model.path " HELIA_SOURCE_DIR "/tests/conformance/models/dynamic_batch_float32_conv.tflite";
    char line[512];
    snprintf(line, sizeof(line), "convert --path every.yaml %s --module.path first", model);
    if (run(line) != 0)
        fail_msg("%s", err);
    snprintf(line, sizeof(line), "convert --path first/my_nn/helia_aot.yaml %s --module.path second", model);
    assert_int_equal(run(line), 0);
    assert_int_equal(shell("diff -r first second && ! grep -q log.txt -r first"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_folder_is_kept),      cmocka_unit_test(attributes_and_their_rules),
        cmocka_unit_test(keys_without_effect),      cmocka_unit_test(levels_of_progress),
        cmocka_unit_test(transforms_keep_the_bits), cmocka_unit_test(recorded_configuration_converts_again),
        cmocka_unit_test(every_key_converts_again),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
