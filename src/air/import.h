/* LiteRT to AIR through the parser registry. */
#ifndef AIR_IMPORT_H
#define AIR_IMPORT_H

#include <helia_aot/registry.h>

/* The subgraph becomes model->main. NULL after reporting every unsupported operator and every contradiction. */
AirModel *air_import(HeliaArena *arena, HeliaDiag *diag, const HeliaRegistryContext *registry,
                     const LitertModel *litert, int32_t subgraph);
/* A tensor of a subgraph, added to `graph` with its constant bytes; NULL after reporting. */
AirTensor *air_import_tensor(const LitertModel *litert, const LitertSubgraph *subgraph, uint32_t index,
                             AirGraph *graph);

#endif
