# shoal_translate(TARGET [options of shoal-translate...]): compiles the C++ sources of a target as shoal-translate writes
# them. Call it when the target has all its sources. What stays as it is, is said while it builds.
find_program(SHOAL_TRANSLATE shoal-translate HINTS "${PACKAGE_PREFIX_DIR}/bin" DOC "Makes closures messages of selectors")

function(shoal_translate target)
  if(NOT SHOAL_TRANSLATE)
    message(FATAL_ERROR "shoal_translate(${target}): no program shoal-translate, which needs Clang 19 libraries when Shoal "
      "is built (Debian: libclang-19-dev, llvm-19-dev); set SHOAL_TRANSLATE to it")
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(into "${CMAKE_CURRENT_BINARY_DIR}/translated/${target}")
  file(MAKE_DIRECTORY "${into}")
  # As they are when all is configured, with those of the libraries.
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(translated "")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}" NORMALIZE)
    cmake_path(GET source EXTENSION LAST_ONLY kind)
    if(NOT kind MATCHES "^\\.(cpp|cc|cxx)$")
      list(APPEND translated "${source}")
      continue()
    endif()
    cmake_path(GET source FILENAME name)
    if("${into}/${name}" IN_LIST translated)
      message(FATAL_ERROR "shoal_translate(${target}): two sources are called ${name}")
    endif()
    add_custom_command(OUTPUT "${into}/${name}"
      COMMAND "${SHOAL_TRANSLATE}" "${source}" -o "${into}/${name}" ${ARGN} --
        "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>" "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
      DEPENDS "${source}" "${SHOAL_TRANSLATE}"
      COMMENT "Translating ${name}" VERBATIM COMMAND_EXPAND_LISTS)
    list(APPEND translated "${into}/${name}")
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${translated}")
  target_include_directories(${target} PRIVATE "${folder}")  # for headers beside the sources
endfunction()
