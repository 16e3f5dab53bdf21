/* What must hold of a file before dlopen() maps it: the system's loader trusts the headers of a shared object, and where
 * they point behind the end of the file, the process dies of it. */
#ifndef PLUGIN_ELF_H
#define PLUGIN_ELF_H

#include <helia_aot/support.h>

/* Why the bytes are no whole ELF shared object for this machine; NULL: they are one. */
const char *elf_fault(HeliaArena *arena, const uint8_t *bytes, size_t size);

#endif
