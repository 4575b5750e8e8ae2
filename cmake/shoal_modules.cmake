# How the folders that need a communication library become modules: shared objects opened at run time, so that one
# binary serves every library and runs without any. docs/design/modules-and-substrate-choice.md says why.

option(SHOAL_MODULES "Build a module for each of Open MPI, MPICH and OpenSHMEM that is found" ON)

# Validators of find_program: which library a wrapper compiler belongs to. Plain `mpicc` may be either's; MPICH and
# its relatives do not know -showme.
function(shoal_is_openmpi_wrapper result wrapper)
  execute_process(COMMAND "${wrapper}" -showme RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(NOT status EQUAL 0)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()
function(shoal_is_mpich_wrapper result wrapper)
  set(is_openmpi TRUE)
  shoal_is_openmpi_wrapper(is_openmpi "${wrapper}")
  execute_process(COMMAND "${wrapper}" -show RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(is_openmpi OR NOT status EQUAL 0)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# shoal_wrapper_flags(WRAPPER OUT_INCLUDES OUT_COMPILE OUT_LINK): what WRAPPER adds to a compiler's command line.
function(shoal_wrapper_flags wrapper out_includes out_compile out_link)
  execute_process(COMMAND "${wrapper}" -show OUTPUT_VARIABLE line OUTPUT_STRIP_TRAILING_WHITESPACE)
  separate_arguments(words UNIX_COMMAND "${line}")
  list(TRANSFORM words STRIP)
  foreach(kind includes compile link)
    set(${kind} ${words})
  endforeach()
  list(FILTER includes INCLUDE REGEX "^-I")
  list(TRANSFORM includes REPLACE "^-I" "")
  list(FILTER compile INCLUDE REGEX "^-D")
  list(FILTER link INCLUDE REGEX "^-(L|l|Wl,)")
  set(${out_includes} "${includes}" PARENT_SCOPE)
  set(${out_compile} "${compile}" PARENT_SCOPE)
  set(${out_link} "${link}" PARENT_SCOPE)
endfunction()

# shoal_module(openmpi|mpich|shmem FOLDER [libraries...])
# Declares module shoal-NAME.so of the sources in FOLDER, target shoal_module_NAME, if the library's wrapper compiler
# and header are there, and says so if not.
function(shoal_module name folder)
  if(NOT SHOAL_MODULES)
    return()
  endif()
  if(SHOAL_SANITIZE)
    message(STATUS "Module ${name} is left out: its library would have to be built with the sanitizer too")
    return()
  endif()
  set(wrappers_openmpi NAMES mpicc.openmpi mpicc mpicxx VALIDATOR shoal_is_openmpi_wrapper)
  set(wrappers_mpich NAMES mpicc.mpich mpicc mpicxx VALIDATOR shoal_is_mpich_wrapper)
  set(wrappers_shmem NAMES oshcc)
  set(packages_openmpi "libopenmpi-dev openmpi-bin")
  set(packages_mpich "libmpich-dev mpich")
  set(packages_shmem "libopenmpi-dev openmpi-bin")
  set(header_openmpi mpi.h)
  set(header_mpich mpi.h)
  set(header_shmem shmem.h)

  string(TOUPPER ${name} upper)
  find_program(SHOAL_${upper}_WRAPPER ${wrappers_${name}} DOC "Wrapper compiler of module ${name}")
  mark_as_advanced(SHOAL_${upper}_WRAPPER)
  set(wrapper "${SHOAL_${upper}_WRAPPER}")
  if(NOT wrapper)
    message(STATUS "Module ${name} is left out: no wrapper compiler (Debian: ${packages_${name}})")
    return()
  endif()
  shoal_wrapper_flags("${wrapper}" includes compile link)
  find_path(header_folder ${header_${name}} HINTS ${includes} NO_CACHE)
  if(NOT header_folder)
    message(STATUS "Module ${name} is left out: ${wrapper} knows no ${header_${name}} (Debian: ${packages_${name}})")
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp")
  if(NOT sources)
    message(STATUS "Module ${name} is left out: no sources in ${folder}")
    return()
  endif()

  # It knows its version by itself, since nothing of libshoal is in it.
  set(target shoal_module_${name})
  add_library(${target} MODULE ${sources} "${PROJECT_BINARY_DIR}/generated/version.cpp")
  add_dependencies(${target} shoal_version)
  shoal_public(${target})
  target_include_directories(${target} SYSTEM PRIVATE ${includes})
  target_compile_options(${target} PRIVATE ${compile})
  # We use the C interface; the old C++ one would need a library of its own.
  target_compile_definitions(${target} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_libraries(${target} PRIVATE ${ARGN} ${link})
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME shoal-${name} SUFFIX .so
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/shoal"
    INSTALL_RPATH_USE_LINK_PATH ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_link_options(${target} PRIVATE -Wl,--no-undefined)
  install(TARGETS ${target} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/shoal")
  # A module refuses programs of another commit, so it is built whenever the library is.
  add_dependencies(shoal ${target})
  message(STATUS "Module ${name}: ${wrapper}")
endfunction()
