# Installs what was built in a small form: without debugging information and local names, and the archive with one
# object for what every program needs and one for each part that few need, which hold each inline function once. In the
# form in which it was built, the archive alone would have 90 MB.
#
# The component `debug` has the debugging information of programs and shared objects, in folders `.debug` beside them,
# where debuggers look:
#
#   cmake --install build/release --prefix DIR --component debug
option(SHOAL_STRIP "Install without debugging information; component `debug` has it" ON)

# Addresses that the dynamic linker adjusts take two bits each instead of 24 bytes. glibc 2.36 can read that.
include(CheckCXXSourceCompiles)
include(CheckLinkerFlag)
check_cxx_source_compiles("
  #include <features.h>
  #if !__GLIBC_PREREQ(2, 36)
  #error
  #endif
  int main() {}" SHOAL_HAS_GLIBC_2_36)
check_linker_flag(CXX LINKER:-z,pack-relative-relocs SHOAL_HAS_PACKED_RELOCATIONS)

# How the objects of the archive are merged, see archive.ld.
set(shoal_merge_options "")
check_linker_flag(CXX LINKER:--force-group-allocation SHOAL_HAS_FORCED_GROUPS)
if(SHOAL_HAS_FORCED_GROUPS)
  set(shoal_merge_options "-Wl,--force-group-allocation" "-Wl,-T,${CMAKE_CURRENT_LIST_DIR}/archive.ld")
endif()

# shoal_install_code(FUNCTION TARGET DESTINATION [arguments of install(CODE)...]): when an installation runs, calls
# FUNCTION of install_small.cmake for the file of TARGET in DESTINATION.
function(shoal_install_code function target destination)
  cmake_path(ABSOLUTE_PATH destination BASE_DIRECTORY "\${CMAKE_INSTALL_PREFIX}")
  install(CODE "
    set(BUILT \"$<TARGET_FILE:${target}>\")
    set(FOLDER \"\$ENV{DESTDIR}${destination}\")
    set(KEEP \"${PROJECT_BINARY_DIR}/installed\")
    set(STRIP \"${CMAKE_STRIP}\")
    set(OBJCOPY \"${CMAKE_OBJCOPY}\")
    set(AR \"${CMAKE_AR}\")
    set(NM \"${CMAKE_NM}\")
    set(MERGE \"${shoal_merge_options}\")
    set(COMPILER \"${CMAKE_CXX_COMPILER}\")
    include(\"${PROJECT_SOURCE_DIR}/cmake/install_small.cmake\")
    ${function}" ${ARGN})
endfunction()

function(shoal_can_strip out)
  if(SHOAL_STRIP AND CMAKE_STRIP AND CMAKE_OBJCOPY)
    set(${out} TRUE PARENT_SCOPE)
  else()
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

# shoal_install(TARGET DESTINATION [arguments of install(TARGETS)...]): a program, shared library or module.
function(shoal_install target destination)
  install(TARGETS ${target} ${ARGN})
  if(SHOAL_HAS_GLIBC_2_36 AND SHOAL_HAS_PACKED_RELOCATIONS)
    target_link_options(${target} PRIVATE LINKER:-z,pack-relative-relocs)
  endif()
  shoal_can_strip(strips)
  if(strips)
    shoal_install_code("shoal_strip_installed()" ${target} "${destination}")
    shoal_install_code("shoal_install_debug()" ${target} "${destination}" COMPONENT debug EXCLUDE_FROM_ALL)
  endif()
endfunction()

# shoal_install_archive(TARGET DESTINATION LAYERS layers... [arguments of install(TARGETS)...])
function(shoal_install_archive target destination)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LAYERS")
  install(TARGETS ${target} ${arg_UNPARSED_ARGUMENTS})
  shoal_can_strip(strips)
  if(NOT strips)
    return()
  endif()
  # Every program needs most of these: what shoal::internal::run_from_environment needs. Of the rest, programs need the
  # parts that they use.
  set(core base codec control substrate conveyor actor)
  set(entry _ZN5shoal8internal20run_from_environmentENS0_12program_bodyE)
  set(parts "conveyor/kinds/|conveyor/[a-z_]*conveyor.cpp" "array|piece_stream" "background|started_collectives"
    "record_mailbox|encoding")
  list(TRANSFORM core REPLACE "(.+)" "$<TARGET_OBJECTS:shoal_\\1>" OUTPUT_VARIABLE objects)
  set(calls "shoal_begin_archive()\n    shoal_add_core_to_archive(${entry} \"${parts}\" \"${objects}\")\n")
  list(REMOVE_ITEM arg_LAYERS ${core})
  foreach(layer IN LISTS arg_LAYERS)
    string(APPEND calls "    shoal_add_to_archive(${layer} \"$<TARGET_OBJECTS:shoal_${layer}>\")\n")
  endforeach()
  shoal_install_code("${calls}    shoal_end_archive()" ${target} "${destination}")
endfunction()
