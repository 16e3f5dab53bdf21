/* The table of resource variables that the parsers share. */
#include "air/variables.h"

#include <string.h>

AirVariables *air_variables_new(HeliaArena *arena, uint32_t n_tensors)
{
    AirVariables *v = HELIA_NEW(arena, AirVariables);
    v->arena = arena;
    v->by_handle = HELIA_NEW_N(arena, AirVariable *, n_tensors);
    return v;
}

AirVariable *air_variable_named(AirVariables *variables, const char *container, const char *shared_name)
{
    for (uint32_t i = 0; i < variables->list.len; i++) {
        AirVariable *v = variables->list.at[i];
        if (strcmp(v->container, container) == 0 && strcmp(v->shared_name, shared_name) == 0)
            return v;
    }
    AirVariable *v = HELIA_NEW(variables->arena, AirVariable);
    v->container = helia_strdup(variables->arena, container);
    v->shared_name = helia_strdup(variables->arena, shared_name);
    HELIA_PUSH(variables->arena, &variables->list, v);
    return v;
}

AirTensor *air_variable_tensor(AirGraph *graph, AirVariable *variable, const AirTensor *like)
{
    if (!variable->tensor) {
        variable->tensor = air_tensor_new(graph, variable->shared_name, like->type, like->rank, like->dim);
        variable->tensor->quant = like->quant;
        variable->tensor->is_variable = true;
    }
    return variable->tensor;
}
