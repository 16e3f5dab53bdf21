# The functions of the package HeliaAot.

# helia_aot_add_model(TARGET MODEL FILE.tflite [CONFIG FILE.yaml] [PREFIX NAME] [PLATFORM NAME] [PLUGINS FILE.so|TARGET...]
#                     [PLUGIN_ALLOW_OVERRIDE] [DEPENDS FILE...] [OPTIONS FLAG...])
#
# A library TARGET to link, with the generated headers. The model is converted as part of the build, and again when the
# model, the configuration, a plug-in, a file of DEPENDS or the compiler changes; the module is then built with this
# project's C compiler, flags and toolchain file. The module's name is TARGET as a C identifier ("kws-model" is
# kws_model); its prefix too, unless PREFIX or the configuration says otherwise. OPTIONS are further flags of
# `helia-aot convert`.
function(helia_aot_add_model target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "PLUGIN_ALLOW_OVERRIDE" "MODEL;CONFIG;PREFIX;PLATFORM"
        "PLUGINS;DEPENDS;OPTIONS")
    if(arg_UNPARSED_ARGUMENTS OR NOT arg_MODEL)
        message(FATAL_ERROR "helia_aot_add_model(${target}): MODEL FILE.tflite is needed; unknown arguments: "
            "\"${arg_UNPARSED_ARGUMENTS}\"")
    endif()
    _helia_aot_module_name(name "${target}")
    if(arg_PREFIX AND NOT arg_PREFIX MATCHES "^[A-Za-z][A-Za-z0-9_]*$")
        message(FATAL_ERROR "helia_aot_add_model(${target}): PREFIX is \"${arg_PREFIX}\"; accepted: a C identifier")
    endif()
    get_filename_component(model "${arg_MODEL}" ABSOLUTE)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/helia_aot/${target}")
    set(module "${folder}/${name}")
    set(library "${folder}/lib/${CMAKE_STATIC_LIBRARY_PREFIX}${name}${CMAKE_STATIC_LIBRARY_SUFFIX}")
    set(inputs "${model}" ${arg_DEPENDS})
    set(flags "--model.path=${model}" "--module.path=${folder}" "--module.name=${name}" --module.type=cmake --force)
    if(arg_CONFIG)
        get_filename_component(config "${arg_CONFIG}" ABSOLUTE)
        list(APPEND inputs "${config}")
        list(APPEND flags "--path=${config}")
    endif()
    if(arg_PREFIX)
        list(APPEND flags "--module.prefix=${arg_PREFIX}")
    elseif(NOT arg_CONFIG)
        list(APPEND flags "--module.prefix=${name}")
    endif()
    if(arg_PLATFORM)
        list(APPEND flags "--platform.name=${arg_PLATFORM}")
    endif()
    foreach(plugin IN LISTS arg_PLUGINS)
        if(TARGET ${plugin})
            get_target_property(kernels ${plugin} HELIA_AOT_KERNELS)
            if(NOT kernels)
                set(kernels "")
            endif()
            list(APPEND inputs ${plugin} ${kernels})
            list(APPEND flags "--plugin=$<TARGET_FILE:${plugin}>")
        else()
            get_filename_component(plugin "${plugin}" ABSOLUTE)
            list(APPEND inputs "${plugin}")
            list(APPEND flags "--plugin=${plugin}")
        endif()
    endforeach()
    if(arg_PLUGIN_ALLOW_OVERRIDE)
        list(APPEND flags --plugin-allow-override)
    endif()
    add_custom_command(OUTPUT "${module}/CMakeLists.txt"
        COMMAND HeliaAot::helia-aot convert ${flags} ${arg_OPTIONS}
        DEPENDS ${inputs} HeliaAot::helia-aot "$<TARGET_FILE:HeliaAot::helia-aot>"
        COMMENT "Converting ${arg_MODEL} to the module ${name}" VERBATIM)

    # The module is a project of its own, as which files it has is known only after the conversion.
    _helia_aot_write_cache("${folder}/cache.cmake" "${folder}/lib")
    if(CMAKE_GENERATOR STREQUAL "Unix Makefiles")
        set(build "$(MAKE)" -C "${folder}/build" ${name}) # so that make shares its jobs
    else()
        set(build "${CMAKE_COMMAND}" --build "${folder}/build" --config $<IF:$<BOOL:$<CONFIG>>,$<CONFIG>,Release>
            --target ${name})
    endif()
    add_custom_command(OUTPUT "${library}"
        COMMAND "${CMAKE_COMMAND}" -G "${CMAKE_GENERATOR}" -C "${folder}/cache.cmake" -S "${module}" -B "${folder}/build"
        COMMAND ${build}
        COMMAND "${CMAKE_COMMAND}" -E touch "${library}"
        DEPENDS "${module}/CMakeLists.txt" "${folder}/cache.cmake"
        COMMENT "Building the module ${name}" VERBATIM)
    add_custom_target(${target}_module DEPENDS "${library}")

    file(MAKE_DIRECTORY "${module}/includes-api")
    add_library(${target} STATIC IMPORTED GLOBAL)
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION "${library}"
        INTERFACE_INCLUDE_DIRECTORIES "${module}/includes-api")
    if(NOT WIN32)
        set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "-lm")
    endif()
    add_dependencies(${target} ${target}_module)
endfunction()

# The target's name as module.name: a C identifier that does not begin with an underscore.
function(_helia_aot_module_name out target)
    if(target MATCHES "[^A-Za-z0-9_.+-]")
        message(FATAL_ERROR "helia_aot_add_model(${target}): accepted in the target's name: letters, digits, _ . + -")
    endif()
    string(MAKE_C_IDENTIFIER "${target}" name)
    if(name MATCHES "^_")
        set(name "model${name}")
    endif()
    set(${out} "${name}" PARENT_SCOPE)
endfunction()

# What this project is built with, as a cache for the module's project.
function(_helia_aot_write_cache file archives)
    set(text "set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY \"${archives}$<0:>\" CACHE PATH \"\")\n")
    set(names CMAKE_TOOLCHAIN_FILE CMAKE_MAKE_PROGRAM CMAKE_BUILD_TYPE CMAKE_C_COMPILER CMAKE_C_FLAGS CMAKE_SYSROOT
        CMAKE_TRY_COMPILE_TARGET_TYPE CMAKE_POSITION_INDEPENDENT_CODE CMAKE_OSX_ARCHITECTURES)
    if(CMAKE_CROSSCOMPILING)
        list(APPEND names CMAKE_SYSTEM_NAME CMAKE_SYSTEM_PROCESSOR)
    endif()
    foreach(name IN LISTS names)
        if(DEFINED ${name} AND NOT "${${name}}" STREQUAL "")
            string(APPEND text "set(${name} [==[${${name}}]==] CACHE STRING \"\")\n")
        endif()
    endforeach()
    set(before "")
    if(EXISTS "${file}")
        file(READ "${file}" before)
    endif()
    if(NOT "${before}" STREQUAL "${text}")
        file(WRITE "${file}" "${text}")
        # A project cannot change its compiler: it begins again.
        get_filename_component(folder "${file}" DIRECTORY)
        file(REMOVE_RECURSE "${folder}/build")
    endif()
endfunction()

# helia_aot_add_plugin(TARGET SOURCE... [KERNELS FILE...])
#
# A plug-in for this machine, as TARGET.so in a folder of its own. KERNELS are the files that it registers with
# helia_register_kernel_file: they are copied beside it, and conversions with the plug-in depend on them. Those that the
# plug-in calls itself, for evaluation, are a SOURCE too. The headers of helia-aot and those of the runtime's kernels are
# found.
function(helia_aot_add_plugin target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "KERNELS")
    if(CMAKE_CROSSCOMPILING)
        message(FATAL_ERROR "helia_aot_add_plugin(${target}): helia-aot loads plug-ins on the build machine, and this "
            "project is built for another one; build the plug-in in a project of its own and give the file in PLUGINS")
    endif()
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/helia_aot/${target}")
    file(GLOB runtime LIST_DIRECTORIES true "${HeliaAot_RUNTIME_DIR}/kernels/*")
    add_library(${target} MODULE ${arg_UNPARSED_ARGUMENTS})
    target_compile_features(${target} PRIVATE c_std_11)
    target_include_directories(${target} PRIVATE "${HeliaAot_INCLUDE_DIR}" "${HeliaAot_RUNTIME_DIR}/include" ${runtime})
    set_target_properties(${target} PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden
        LIBRARY_OUTPUT_DIRECTORY "${folder}$<0:>")
    set(copies "")
    foreach(kernel IN LISTS arg_KERNELS)
        get_filename_component(source "${kernel}" ABSOLUTE)
        get_filename_component(name "${kernel}" NAME)
        add_custom_command(OUTPUT "${folder}/${name}" COMMAND "${CMAKE_COMMAND}" -E copy "${source}" "${folder}/${name}"
            DEPENDS "${source}" COMMENT "Copying ${name} beside the plug-in ${target}" VERBATIM)
        list(APPEND copies "${folder}/${name}")
    endforeach()
    if(copies)
        add_custom_target(${target}_kernels DEPENDS ${copies})
        add_dependencies(${target} ${target}_kernels)
        set_target_properties(${target} PROPERTIES HELIA_AOT_KERNELS "${copies}")
    endif()
endfunction()
