/* Resource variables at import. A variable has a name (container and shared name) and handles: tensors of type RESOURCE
 * that VAR_HANDLE makes. In AIR handles are gone: each variable is one persistent tensor of the graph, which READ_VARIABLE
 * and ASSIGN_VARIABLE name in place of the handle. */
#ifndef AIR_VARIABLES_H
#define AIR_VARIABLES_H

#include <helia_aot/air.h>

typedef struct AirVariable {
    const char *container, *shared_name;
    AirTensor *tensor; /* NULL until a value is read or assigned, which gives the type and the shape */
    bool used;         /* by READ_VARIABLE or ASSIGN_VARIABLE of the graph */
} AirVariable;

typedef struct AirVariables {
    HeliaArena *arena;
    HELIA_VEC(AirVariable *) list;
    AirVariable **by_handle; /* by LiteRT index of the handle in the graph that is converted */
} AirVariables;

AirVariables *air_variables_new(HeliaArena *arena, uint32_t n_tensors);
/* The variable of that name; made where it is new. */
AirVariable *air_variable_named(AirVariables *variables, const char *container, const char *shared_name);
/* Its tensor: made on first use with the type, shape and quantisation of `like`. */
AirTensor *air_variable_tensor(AirGraph *graph, AirVariable *variable, const AirTensor *like);

#endif
