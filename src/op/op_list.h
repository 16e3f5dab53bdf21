/* The registration function of every file in src/ops; the list is made from the folder at build time. */
#ifndef OP_OP_LIST_H
#define OP_OP_LIST_H

#include <helia_aot/registry.h>

#define OP(name) bool op_##name##_register(HeliaRegistryContext *r);
#include "op_list.inc"
#undef OP

#endif
