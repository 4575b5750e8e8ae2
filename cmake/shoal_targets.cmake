# Makes targets from folders: shoal_layer for a layer of the library, shoal_program for a program.
#
# Sources are globbed, so adding a file to a folder adds it to the target. CONFIGURE_DEPENDS makes the build look again
# each time, which costs milliseconds and avoids forgotten list entries.

# What every source needs that includes a header of Shoal.
function(shoal_public target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  # Always defined as 0 or 1: inlined code of the user and compiled code of the library must agree.
  target_compile_definitions(${target} PUBLIC SHOAL_CHECKED=$<BOOL:${SHOAL_CHECKED}>)
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>"
    "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>")
  target_link_libraries(${target} PUBLIC Threads::Threads)
endfunction()

# What builds of tests do to an object library, and a release does not, where each source must name all that it uses.
# With SHOAL_UNITY, eight sources are compiled as one, which takes about half the time: so sources of a library give what
# they keep to themselves names that differ. With SHOAL_PRECOMPILE, they share one precompiled header.
function(shoal_hasten target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD "${SHOAL_UNITY}")
  if(NOT SHOAL_PRECOMPILE)
    return()
  endif()
  if(NOT TARGET shoal_precompiled)
    add_library(shoal_precompiled OBJECT "${PROJECT_SOURCE_DIR}/cmake/empty.cpp")
    shoal_public(shoal_precompiled)
    target_precompile_headers(shoal_precompiled PRIVATE
      <algorithm> <array> <atomic> <bit> <chrono> <cstdint> <cstring> <functional> <memory> <optional> <span> <string>
      <string_view> <utility> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM shoal_precompiled)
endfunction()

# shoal_small(PATTERNS...): optimised builds compile these sources for size. For what runs once or prints, and takes much
# room. Not with SHOAL_UNITY: a source with options of its own would be compiled alone.
function(shoal_small)
  if(SHOAL_SANITIZE OR SHOAL_UNITY)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
  # The precompiled header was compiled for speed.
  set_source_files_properties(${sources} PROPERTIES
    COMPILE_OPTIONS "$<$<CONFIG:Release,RelWithDebInfo>:-Os>" SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# shoal_layer(NAME FOLDER [layers and libraries to its left...] [WITHOUT folder...])
# Declares the object library shoal_NAME of all sources in and below FOLDER, except in the subfolders named by WITHOUT.
function(shoal_layer name folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "WITHOUT")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp")
  foreach(left_out IN LISTS arg_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "/${folder}/${left_out}/")
  endforeach()
  if(NOT sources)
    # Headers only, or nothing yet: still a target like the others.
    set(sources "${PROJECT_SOURCE_DIR}/cmake/empty.cpp")
  endif()
  add_library(shoal_${name} OBJECT ${sources})
  shoal_hasten(shoal_${name})
  shoal_public(shoal_${name})
  target_link_libraries(shoal_${name} PUBLIC ${arg_UNPARSED_ARGUMENTS})
endfunction()

# shoal_program(TARGET NAME FOLDER [libraries...] [WITH folder...])
# Declares program NAME from FOLDER/main.cpp, and the object library TARGET_parts from the other sources there and in
# the folders WITH, so that tests can call them.
function(shoal_program target name folder)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "WITH")
  list(TRANSFORM arg_WITH PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  list(TRANSFORM arg_WITH APPEND "/*.cpp")
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp" ${arg_WITH})
  set(main "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/main.cpp")
  if(NOT main IN_LIST sources)
    message(STATUS "${name} is left out: no ${folder}/main.cpp")
    return()
  endif()
  list(REMOVE_ITEM sources "${main}")
  if(NOT sources)
    set(sources "${PROJECT_SOURCE_DIR}/cmake/empty.cpp")
  endif()
  add_library(${target}_parts OBJECT ${sources})
  shoal_hasten(${target}_parts)
  target_include_directories(${target}_parts PUBLIC "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target}_parts PUBLIC ${arg_UNPARSED_ARGUMENTS})
  add_executable(${target} "${main}")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name})
  # Object libraries pass on their objects to direct users only, hence the repeated libraries.
  target_link_libraries(${target} PRIVATE ${target}_parts ${arg_UNPARSED_ARGUMENTS})
endfunction()
