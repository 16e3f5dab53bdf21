// The library from C++: a conversion up to the plan, and its result.
#include <helia_aot/helia_aot.h>
#include <helia_aot/plugin.h>

#include <cstdio>
#include <string>

static void keep(void *user, HeliaSeverity, const char *text)
{
    static_cast<std::string *>(user)->append(text).append("\n");
}

int main(int argc, char **argv)
{
    std::string messages;
    HeliaSession *session = helia_session_new(keep, &messages);
    helia_session_set(session, "model.path", argc > 1 ? argv[1] : "");
    helia_session_set(session, "platform.name", "cortex-m4");
    HeliaStatus status = helia_session_run(session, HELIA_STAGE_EMIT);
    HeliaRegion region = HeliaRegion();
    bool planned = helia_session_region(session, 0, &region) && region.size > 0;
    uint32_t files = helia_session_num_files(session);
    HELIA_VEC(int) numbers = {nullptr, 0, 0};
    HeliaArena *arena = helia_arena_new(nullptr);
    HELIA_PUSH(arena, &numbers, 7);
    HeliaLoc nowhere = HELIA_NOWHERE;
    bool macros = numbers.at[0] == 7 && nowhere.op == -1;
    helia_arena_free(arena);
    helia_session_free(session);
    std::fputs(messages.c_str(), stderr);
    return status == HELIA_STATUS_OK && planned && files > 5 && macros ? 0 : 1;
}
