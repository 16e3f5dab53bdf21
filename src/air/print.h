/* Lines of the graph's text one by one, for messages. */
#ifndef AIR_PRINT_H
#define AIR_PRINT_H

#include <helia_aot/registry.h>

/* As air_print() writes them, without the line's end. */
const char *air_print_tensor(HeliaArena *arena, const AirTensor *tensor);
const char *air_print_node(HeliaArena *arena, const AirNode *node, const HeliaRegistryContext *registry);

#endif
