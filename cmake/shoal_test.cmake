# Makes tests from sources. Comment lines at the top of a source say what it needs (`#` in a script):
#
#   // pes: 1 2 3 4 7      run under the launcher, once per number of PEs; without this line: one process
#   // labels: long        more ctest labels, besides the folders of the source
#   // timeout: 500        seconds (default 300; four times as many under a sanitizer)
#   // processors: 2       cores that the test keeps busy (default 1; with pes: 2 for two PEs and more); 0: mostly waits
#   // env: A=1 B=2        environment
#   // programs: shoalrun  targets that a script runs (default all_tools)
#
# Every test finds SHOAL_BIN (folder of the programs), SHOAL_SOURCE (root of the sources) and SHOAL_BUILD in its
# environment, and is skipped if it ends with status 77.

# What `make test` runs with the address sanitizer, label `asan`: the layers that manage memory and threads. For the
# others, it would find nothing that is worth its build time.
set(SHOAL_ASAN_AREAS base codec substrate control conveyor actor task dataflow graph pgas)

# gold links in half the time.
find_program(SHOAL_GOLD ld.gold)
if(SHOAL_GOLD)
  # Programs only: in a shared library it leaves one more segment than liboshmem can hold.
  add_link_options("$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-fuse-ld=gold>")
endif()

set(SHOAL_LAUNCHER "$<TARGET_FILE:shoalrun>;-n" CACHE STRING "Starts tests on PEs; a number follows")

# The thread sanitizer of GCC 12 rejects kernels that randomise more address bits than it knows.
set(test_prefix "")
if(SHOAL_SANITIZE MATCHES "thread")
  execute_process(COMMAND setarch -R true RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    set(test_prefix setarch -R)
  endif()
endif()

# tests_<label> builds what the tests with this label need, for presets that run only some of them. all_but_once builds
# what `make test` needs beside the tests that it runs with the address sanitizer alone.
add_custom_target(all_tests)
add_custom_target(all_but_once)
add_custom_target(tests_asan)
foreach(label ${SHOAL_ASAN_AREAS} contract kernels tools package layering threads suite network)
  add_custom_target(tests_${label})
endforeach()
foreach(area ${SHOAL_ASAN_AREAS})
  add_dependencies(tests_asan tests_${area})
endforeach()

# What builds of tests do to a program: with SHOAL_PRECOMPILE, programs share the public face, compiled once.
function(shoal_hasten_program target)
  if(NOT SHOAL_PRECOMPILE)
    return()
  endif()
  if(NOT TARGET shoal_precompiled_face)
    add_library(shoal_precompiled_face OBJECT "${PROJECT_SOURCE_DIR}/cmake/empty.cpp")
    shoal_public(shoal_precompiled_face)
    target_compile_options(shoal_precompiled_face PRIVATE -fPIE)  # as programs
    target_precompile_headers(shoal_precompiled_face PRIVATE "${PROJECT_SOURCE_DIR}/src/shoal/shoal.hpp")
  endif()
  target_precompile_headers(${target} REUSE_FROM shoal_precompiled_face)
endfunction()

# Appends the requests at the top of SOURCE to <prefix>_PES, <prefix>_LABELS, … of the caller.
function(shoal_read_wishes source prefix)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  set(pattern "^(//|#) (pes|labels|timeout|processors|env|programs): +([^;]+)$")
  file(STRINGS "${source}" lines LIMIT_INPUT 2000 REGEX "${pattern}")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "${pattern}" line "${line}")
    string(TOUPPER "${CMAKE_MATCH_2}" key)
    separate_arguments(values UNIX_COMMAND "${CMAKE_MATCH_3}")
    set(${prefix}_${key} ${${prefix}_${key}} ${values} PARENT_SCOPE)
  endforeach()
endfunction()

# How many cores a test keeps busy; 0: it mostly waits. ctest is told half cores, so that on two cores a test that waits
# fits beside two that need one. Two cores count five, so that nothing runs beside: PEs that share a core hand it on each
# time they wait, and a busy process of another test keeps it for a time slice each time. Those that need more start
# first: ctest starts whatever fits, so they would else be left for the end, one by one.
function(shoal_set_processors test n)
  math(EXPR half_cores "2 * ${n}")
  if(n EQUAL 0)
    set(half_cores 1)
  elseif(n GREATER 1)
    math(EXPR half_cores "2 * ${n} + 1")
  endif()
  # So do scripts and the simulator, which take longest: else one of them runs alone at the end.
  set(cost ${half_cores})
  if(n EQUAL 1 AND test MATCHES "sim|\\.(py|sh)$")
    set(cost 3)
  endif()
  set_tests_properties(${test} PROPERTIES PROCESSORS ${half_cores} COST ${cost})
endfunction()

# Adds label asan to the list LABELS of the caller if `make test` runs SOURCE with the address sanitizer; and label once
# if it runs it with no other preset. That is so for a test of one process that has no seeds, does not ask for the
# sanitizer and does not run threads at speed: what it finds, it finds with the sanitizer, whose preset checks the same
# contracts and has the same warnings. What needs modules (label modules) would be skipped: that preset builds none.
function(shoal_label_asan source labels)
  set(found ${${labels}})
  set(areas ${found})
  list(REMOVE_ITEM areas ${SHOAL_ASAN_AREAS})
  list(LENGTH areas n_others)
  list(LENGTH found n)
  if(n_others EQUAL n OR "optimized" IN_LIST found OR "long" IN_LIST found OR "modules" IN_LIST found)
    return()
  endif()
  list(APPEND found asan)
  file(STRINGS "${source}" not_once LIMIT_COUNT 1 REGEX "for_seeds|in_sim\\(|SANITIZE")
  if(source MATCHES "\\.cpp$" AND NOT not_once AND NOT "pes" IN_LIST found AND NOT "threads" IN_LIST found)
    list(APPEND found once)
  endif()
  set(${labels} ${found} PARENT_SCOPE)
endfunction()

# shoal_register(NAME SOURCE COMMAND program [arguments...]
#                [PES n...] [LABELS l...] [TIMEOUT s] [PROCESSORS n] [ENV A=1...])
# Declares the ctest tests of SOURCE. The requests at its top are added to the arguments.
function(shoal_register name source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "PES;LABELS;TIMEOUT;PROCESSORS;ENV;PROGRAMS;COMMAND")
  shoal_read_wishes("${source}" arg)

  list(APPEND arg_TIMEOUT 300)  # the first one counts
  list(GET arg_TIMEOUT 0 timeout)
  if(SHOAL_SANITIZE)
    math(EXPR timeout "4 * ${timeout}")
  endif()
  list(APPEND arg_PROCESSORS 1)
  list(GET arg_PROCESSORS 0 processors)

  list(POP_FRONT arg_COMMAND program)
  if(TARGET "${program}")
    set(program "$<TARGET_FILE:${program}>")
  endif()
  set(command "${program}" ${arg_COMMAND})

  set(tests "")
  if(arg_PES)
    list(APPEND arg_LABELS pes)
    # Each number covers other cases of routes and ends, which the other presets run. A sanitizer needs to see all code
    # only once: 4 PEs have routes of three hops, and the simulator has more PEs.
    if(SHOAL_SANITIZE AND 4 IN_LIST arg_PES)
      set(arg_PES 4)
    endif()
    foreach(n_pes IN LISTS arg_PES)
      add_test(NAME ${name}.pes${n_pes} COMMAND ${test_prefix} ${SHOAL_LAUNCHER} ${n_pes} ${command})
      list(APPEND tests ${name}.pes${n_pes})
      if(n_pes GREATER 1 AND processors LESS 2)
        set(processors 2)  # more PEs than cores yield to each other, so two cores are enough for any number
      endif()
      shoal_set_processors(${name}.pes${n_pes} ${processors})
    endforeach()
  else()
    add_test(NAME ${name} COMMAND ${test_prefix} ${command})
    set(tests ${name})
    shoal_set_processors(${name} ${processors})
  endif()

  shoal_label_asan("${source}" arg_LABELS)
  if("asan" IN_LIST arg_LABELS)
    list(APPEND arg_ENV SHOAL_TEST_ASAN=1)
  endif()
  set(environment ${arg_ENV} "SHOAL_BIN=${PROJECT_BINARY_DIR}/bin" "SHOAL_SOURCE=${PROJECT_SOURCE_DIR}"
    "SHOAL_BUILD=${PROJECT_BINARY_DIR}" "CXX=${CMAKE_CXX_COMPILER}")
  set_tests_properties(${tests} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${timeout}
    ENVIRONMENT "${environment}" SKIP_RETURN_CODE 77)
  if("lab" IN_LIST arg_LABELS)
    # Labs name their hosts alike, and Open MPI keeps files in /tmp by the host's name.
    set_tests_properties(${tests} PROPERTIES RESOURCE_LOCK lab)
  endif()
  set(shoal_test_labels "${arg_LABELS}" PARENT_SCOPE)
  set(shoal_test_programs "${arg_PROGRAMS}" PARENT_SCOPE)
endfunction()

function(shoal_build_for_labels target)
  foreach(label IN LISTS ARGN)
    if(NOT TARGET tests_${label})
      add_custom_target(tests_${label})
    endif()
    add_dependencies(tests_${label} ${target})
  endforeach()
  add_dependencies(all_tests ${target})
  if(NOT "once" IN_LIST ARGN)
    add_dependencies(all_but_once ${target})
  endif()
endfunction()

# "actor/detail/spill.test.cpp" is test actor.detail.spill with labels actor and detail.
function(shoal_name_test file out_name out_labels)
  string(REGEX REPLACE "\\.(test|program)(\\.mpi|\\.shmem)?\\.(cpp|sh|py)$" "" name "${file}")
  cmake_path(GET name PARENT_PATH folders)
  string(REPLACE "/" "." name "${name}")
  string(REPLACE "/" ";" folders "${folders}")
  set(${out_name} "${name}" PARENT_SCOPE)
  set(${out_labels} "${folders}" PARENT_SCOPE)
endfunction()

# Adds a program of GoogleTest sources in FOLDERS. With PEs, support/pes_main.cpp is its main, else support/test_main.cpp.
function(shoal_add_test_program target folders needs_pes)
  add_executable(${target})
  if(needs_pes)
    target_link_libraries(${target} PRIVATE shoal_pes_main)
    add_dependencies(${target} shoalrun)
  else()
    target_link_libraries(${target} PRIVATE shoal_test_main)
  endif()
  target_link_libraries(${target} PRIVATE shoal_test_support)
  target_precompile_headers(${target} REUSE_FROM shoal_test_support)
  if("one_sided" IN_LIST folders)
    target_link_libraries(${target} PRIVATE shoal_one_sided)
  endif()
  if("kernels" IN_LIST folders OR "tools" IN_LIST folders)
    target_link_libraries(${target} PRIVATE shoal_kernels)
  endif()
  if("shallow_water" IN_LIST folders)
    target_link_libraries(${target} PRIVATE shoal_shallow_water)
    if(SHOAL_NETCDF_INCLUDE AND SHOAL_NETCDF_LIBRARY)
      target_link_libraries(${target} PRIVATE "${SHOAL_NETCDF_LIBRARY}")  # the tests read files by themselves
    endif()
  endif()
  if("swe" IN_LIST folders)
    target_link_libraries(${target} PRIVATE shoal_swe)
  endif()
  if("tools" IN_LIST folders)
    foreach(parts shoalrun_parts shoal_cli_parts)
      if(TARGET ${parts})
        target_link_libraries(${target} PRIVATE ${parts})
      endif()
    endforeach()
    add_dependencies(${target} all_tools)
  endif()
endfunction()

# With SHOAL_UNITY, up to eight sources of an area are one program, compiled as one: OUT_TARGET is the program for the
# next source with LABELS, or empty if it gets a program of its own. Sources share a program if the same presets build
# them. Those that run claims do not share: their tests come from another source. Nor do those that suite.test links,
# and those of kernels on PEs: kernels share names.
function(shoal_batch_test name labels out_target)
  set(${out_target} "" PARENT_SCOPE)
  if(NOT SHOAL_UNITY OR "contract" IN_LIST labels OR ("kernels" IN_LIST labels AND "pes" IN_LIST labels)
     OR name IN_LIST SHOAL_SUITE_TESTS)
    return()
  endif()
  list(GET labels 0 batch)
  foreach(label pes threads once)
    if("${label}" IN_LIST labels)
      string(APPEND batch ".${label}")
    endif()
  endforeach()
  get_property(n_sources GLOBAL PROPERTY "shoal_sources_in_${batch}")
  if(NOT n_sources)
    set(n_sources 0)
  endif()
  math(EXPR number "1 + ${n_sources} / 8")
  math(EXPR n_sources "${n_sources} + 1")
  set_property(GLOBAL PROPERTY "shoal_sources_in_${batch}" ${n_sources})
  set(${out_target} "${batch}.batch${number}.test" PARENT_SCOPE)
endfunction()

# shoal_test(FILE [PES n...] [LABELS l...] [TIMEOUT s] [PROCESSORS n] [ENV A=1...])
# Declares GoogleTest source FILE, relative to test/.
function(shoal_test file)
  shoal_name_test("${file}" name folders)
  set(source "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  set(wish_PES "")
  set(wish_LABELS ${folders})
  shoal_read_wishes("${source}" wish)
  if(wish_PES)
    list(APPEND wish_LABELS pes)
  endif()
  shoal_label_asan("${source}" wish_LABELS)
  shoal_batch_test(${name} "${wish_LABELS}" target)
  set(environment "")
  if(target)
    set(environment ENV "SHOAL_TEST_SOURCE=test/${file}")
  else()
    set(target ${name}.test)
  endif()
  if(NOT TARGET ${target})
    shoal_add_test_program(${target} "${folders}" "${wish_PES}")
    set_target_properties(${target} PROPERTIES UNITY_BUILD "${SHOAL_UNITY}")
  endif()
  target_sources(${target} PRIVATE "${file}")
  shoal_register(${name} "${source}" LABELS ${folders} ${environment} COMMAND ${target} ${ARGN})
  shoal_build_for_labels(${target} ${shoal_test_labels})
endfunction()

# shoal_script_test(FILE): a shell or Python test, which may use every installed program. Its name keeps the file's
# ending, so that tools/shoalrun.test.cpp and tools/shoalrun.test.sh can coexist.
function(shoal_script_test file)
  shoal_name_test("${file}" name folders)
  cmake_path(GET file EXTENSION LAST_ONLY ending)
  set(interpreter_sh bash)
  set(interpreter_py python3)
  string(SUBSTRING "${ending}" 1 -1 language)
  set(source "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  shoal_register(${name}${ending} "${source}" LABELS ${folders}
    COMMAND ${interpreter_${language}} "${source}")
  # Presets that build a folder's tests for the sanitizers do not need programs for tests that run only on optimised
  # presets.
  if("optimized" IN_LIST shoal_test_labels OR "long" IN_LIST shoal_test_labels)
    set(shoal_test_labels optimized)
  endif()
  if(NOT shoal_test_programs)
    set(shoal_test_programs all_tools)
  endif()
  foreach(program IN LISTS shoal_test_programs)
    shoal_build_for_labels(${program} ${shoal_test_labels})
  endforeach()
endfunction()

# shoal_test_program(FILE): "actor/throws.program.cpp" is program bin/actor.throws. It is not a test; tests run it, for
# example because it misbehaves. Those of contract/ run claims.
function(shoal_test_program file)
  shoal_name_test("${file}" name folders)
  if("contract" IN_LIST folders AND NOT TARGET shoal_test_support)
    return()
  endif()
  add_executable(${name} "${file}")
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE shoal)
  shoal_hasten_program(${name})
  if("contract" IN_LIST folders)
    target_link_libraries(${name} PRIVATE shoal_test_support)
  endif()
  shoal_build_for_labels(${name} ${folders})
endfunction()

# shoal_library_program(FILE LIBRARY): the same for a program that calls openmpi, mpich or shmem itself: FILE
# "network/own_mpi.program.mpi.cpp" is program bin/network.own_mpi-openmpi. Left out if LIBRARY has no module.
function(shoal_library_program file library)
  if(NOT TARGET shoal_module_${library})
    return()
  endif()
  shoal_name_test("${file}" name folders)
  string(TOUPPER ${library} upper)
  shoal_wrapper_flags("${SHOAL_${upper}_WRAPPER}" includes compile link)
  set(target ${name}-${library})
  add_executable(${target} "${file}")
  target_include_directories(${target} SYSTEM PRIVATE ${includes})
  target_compile_options(${target} PRIVATE ${compile})
  target_compile_definitions(${target} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_libraries(${target} PRIVATE shoal ${link})
  shoal_hasten_program(${target})
  # gold does not look into the libraries that liboshmem needs.
  target_link_options(${target} PRIVATE LINKER:--allow-shlib-undefined)
  shoal_build_for_labels(${target} ${folders})
endfunction()

# shoal_compile_fail_test(FILE): passes if FILE does not compile and the compiler's output matches the regex of its
# first line, `// expect: <regex>`. Test compile_fail precompiles the public face first, which saves each a second.
function(shoal_compile_fail_test file)
  set(includes "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/generated" "${PROJECT_SOURCE_DIR}")
  set(face "${CMAKE_CURRENT_BINARY_DIR}/compile_fail/face.hpp")
  if(NOT TEST compile_fail)
    file(WRITE "${face}" "#include \"shoal/shoal.hpp\"\n")
    list(TRANSFORM includes PREPEND "-I" OUTPUT_VARIABLE options)
    add_test(NAME compile_fail COMMAND "${CMAKE_CXX_COMPILER}" -std=c++20 -DSHOAL_CHECKED=1 ${options}
      -x c++-header "${face}" -o "${face}.gch")
    set_tests_properties(compile_fail PROPERTIES LABELS compile_fail TIMEOUT 60 FIXTURES_SETUP face)
  endif()
  cmake_path(GET file STEM name)
  add_test(NAME compile_fail.${name} COMMAND "${CMAKE_COMMAND}" -D "SOURCE=${CMAKE_CURRENT_SOURCE_DIR}/${file}"
    -D "FACE=${face}" -D "COMPILER=${CMAKE_CXX_COMPILER}" -D "INCLUDES=${includes}"
    -P "${PROJECT_SOURCE_DIR}/cmake/expect_compile_error.cmake")
  set_tests_properties(compile_fail.${name} PROPERTIES LABELS compile_fail TIMEOUT 60 FIXTURES_REQUIRED face)
endfunction()
