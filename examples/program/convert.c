/* A program that converts a model through the library, with a transform of its own, and prints the plan's regions.
 * convert MODEL.tflite CONFIG.yaml FOLDER */
#include <stdio.h>

#include <helia_aot/helia_aot.h>

static void on_message(void *user, HeliaSeverity severity, const char *text)
{
    (void)severity;
    fprintf(user, "%s\n", text);
}

static bool count(const HeliaTransform *self, const HeliaOpContext *c, const HeliaRegistryContext *registry)
{
    (void)registry;
    *(uint32_t *)(uintptr_t)self->user = c->graph->nodes.len;
    return true;
}

/* What a plug-in registers, a program can register as well: here a transform that changes nothing. */
static bool customize(HeliaRegistryContext *context, void *user)
{
    HeliaTransform *transform = HELIA_NEW(context->arena, HeliaTransform);
    *transform = (HeliaTransform){"count", "counts the operators", count, user};
    return helia_registry_register(context->transforms, "count", transform, false);
}

static void print_plan(const HeliaSession *s, uint32_t operators)
{
    HeliaRegion region;
    printf("%u operators, %u files\n", operators, helia_session_num_files(s));
    for (uint32_t i = 0; i < helia_session_num_regions(s); i++)
        if (helia_session_region(s, i, &region))
            printf("%s in %s: %zu bytes\n", region.role, region.memory, region.size);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    uint32_t operators = 0;
    HeliaSession *s = helia_session_new(on_message, stderr);
    helia_session_config_file(s, argv[2]);
    helia_session_set(s, "model.path", argv[1]);
    helia_session_set(s, "module.path", argv[3]);
    helia_session_customize(s, customize, &operators);
    HeliaStatus status = helia_session_run(s, HELIA_STAGE_EXPORT);
    if (status == HELIA_STATUS_OK)
        print_plan(s, operators);
    helia_session_free(s);
    return (int)status;
}
