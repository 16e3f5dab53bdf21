# The functions of the package HeliaAot.

# helia_aot_add_model(TARGET MODEL FILE.tflite [CONFIG FILE.yaml] [PREFIX NAME] [PLATFORM NAME] [PLUGINS FILE.so|TARGET...]
#                     [PLUGIN_ALLOW_OVERRIDE] [DEPENDS FILE...] [OPTIONS FLAG...])
#
# A library TARGET to link, with the generated headers. The model is converted as part of the build, and again when the
# model, the configuration, a plug-in, a file of DEPENDS or the compiler changes; the module is then built with this
# project's C compiler, flags and toolchain file. The module's name is TARGET; its prefix too, unless PREFIX or the
# configuration says otherwise. OPTIONS are further flags of `helia-aot convert`.
function(helia_aot_add_model target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "PLUGIN_ALLOW_OVERRIDE" "MODEL;CONFIG;PREFIX;PLATFORM"
        "PLUGINS;DEPENDS;OPTIONS")
    if(arg_UNPARSED_ARGUMENTS OR NOT arg_MODEL)
        message(FATAL_ERROR "helia_aot_add_model(${target}): MODEL FILE.tflite is needed; unknown arguments: "
            "\"${arg_UNPARSED_ARGUMENTS}\"")
    endif()
    get_filename_component(model "${arg_MODEL}" ABSOLUTE)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/helia_aot/${target}")
    set(module "${folder}/${target}")
    set(library "${folder}/lib/${CMAKE_STATIC_LIBRARY_PREFIX}${target}${CMAKE_STATIC_LIBRARY_SUFFIX}")
    set(inputs "${model}" ${arg_DEPENDS})
    set(flags "--model.path=${model}" "--module.path=${folder}" "--module.name=${target}" --module.type=cmake --force)
    if(arg_CONFIG)
        get_filename_component(config "${arg_CONFIG}" ABSOLUTE)
        list(APPEND inputs "${config}")
        list(APPEND flags "--path=${config}")
    endif()
    if(arg_PREFIX)
        list(APPEND flags "--module.prefix=${arg_PREFIX}")
    elseif(NOT arg_CONFIG)
        list(APPEND flags "--module.prefix=${target}")
    endif()
    if(arg_PLATFORM)
        list(APPEND flags "--platform.name=${arg_PLATFORM}")
    endif()
    foreach(plugin IN LISTS arg_PLUGINS)
        if(TARGET ${plugin})
            list(APPEND inputs ${plugin})
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
        COMMENT "Converting ${arg_MODEL} to the module ${target}" VERBATIM)

    # The module is a project of its own, as which files it has is known only after the conversion.
    _helia_aot_write_cache("${folder}/cache.cmake" "${folder}/lib")
    add_custom_command(OUTPUT "${library}"
        COMMAND "${CMAKE_COMMAND}" -G "${CMAKE_GENERATOR}" -C "${folder}/cache.cmake" -S "${module}" -B "${folder}/build"
        COMMAND "${CMAKE_COMMAND}" --build "${folder}/build" --config $<IF:$<BOOL:$<CONFIG>>,$<CONFIG>,Release>
            --target ${target}
        COMMAND "${CMAKE_COMMAND}" -E touch "${library}"
        DEPENDS "${module}/CMakeLists.txt" "${folder}/cache.cmake"
        COMMENT "Building the module ${target}" VERBATIM)
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

# helia_aot_add_plugin(TARGET SOURCE...): a plug-in for this machine, as TARGET.so.
function(helia_aot_add_plugin target)
    add_library(${target} MODULE ${ARGN})
    target_include_directories(${target} PRIVATE "${HeliaAot_INCLUDE_DIR}")
    set_target_properties(${target} PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden)
endfunction()
