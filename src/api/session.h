/* The session behind the public functions. */
#ifndef API_SESSION_H
#define API_SESSION_H

#include <helia_aot/helia_aot.h>

#include "compile.h"
#include "plugin/load.h"

struct HeliaSession {
    HeliaArena *arena; /* holds this struct only */
    HeliaArena *work;  /* everything else; NULL after running out of memory */
    HeliaDiagSink sink;
    void *user;
    HeliaDiag *diag;
    const char *config_path;
    ConfigFlags flags;
    HELIA_VEC(HeliaCustomizer) customizers;
    HELIA_VEC(void *) users;
    ConfigPlugins plugins;
    bool allow_override, has_run;
    Plugins loaded;
    Compile compile;
};

/* A step of a session; what can fail for want of memory happens inside one. */
typedef void (*SessionStep)(HeliaSession *s, void *arguments);
HeliaStatus session_guard(HeliaSession *s, SessionStep step, void *arguments);

#endif
