include(internal_headers)

# shoal_batch_exports(layers...): with SHOAL_UNITY, sources that define what libshoal.so exports are compiled with each
# other, eight at a time, and the others as well. exported_symbols.cmake knows the batches by their names.
function(shoal_batch_exports)
  file(GLOB_RECURSE installed RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/shoal/*.hpp")
  list(FILTER installed EXCLUDE REGEX "/internal/")
  shoal_internal_headers("${CMAKE_CURRENT_SOURCE_DIR}" internal)
  foreach(layer IN LISTS ARGN)
    get_target_property(sources shoal_${layer} SOURCES)
    set(n_exporting 0)
    set(n_hidden 0)
    foreach(source IN LISTS sources)
      file(RELATIVE_PATH header "${CMAKE_CURRENT_SOURCE_DIR}" "${source}")
      if(header MATCHES "^\\.\\.")
        continue()  # generated: compiled alone
      endif()
      string(REGEX REPLACE "\\.cpp$" ".hpp" header "${header}")
      set(kind hidden)
      if(header IN_LIST installed OR header IN_LIST internal)
        set(kind exporting)
      endif()
      math(EXPR batch "${n_${kind}} / 8")
      math(EXPR n_${kind} "${n_${kind}} + 1")
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${kind}_${batch})
    endforeach()
    set_target_properties(shoal_${layer} PROPERTIES UNITY_BUILD_MODE GROUP)
  endforeach()
endfunction()

# shoal_shared_library(layers...): target shoal_shared, libshoal.so, of the objects that the archive has.
#
# The objects are position independent and compiled without interposition in any case, so the archive loses nothing.
function(shoal_shared_library)
  add_library(shoal_shared SHARED)
  add_library(shoal::shared ALIAS shoal_shared)
  shoal_public(shoal_shared)
  set(objects "")
  foreach(layer IN LISTS ARGN)
    list(APPEND objects $<TARGET_OBJECTS:shoal_${layer}>)
  endforeach()
  target_sources(shoal_shared PRIVATE ${objects})
  shoal_link_libraries(shoal_shared)

  set(list "${CMAKE_CURRENT_BINARY_DIR}/shoal_shared_objects.txt")
  set(script "${CMAKE_CURRENT_BINARY_DIR}/shoal_shared.map")
  file(GENERATE OUTPUT "${list}" CONTENT "$<JOIN:${objects},\n>\n")
  add_custom_command(OUTPUT "${script}"
    COMMAND "${CMAKE_COMMAND}" -D "SOURCE=${CMAKE_CURRENT_SOURCE_DIR}" -D "OBJECTS=${list}" -D "NM=${CMAKE_NM}"
      -D "VERSION=${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}" -D "OUTPUT=${script}"
      -P "${PROJECT_SOURCE_DIR}/cmake/exported_symbols.cmake"
    DEPENDS ${objects} "${PROJECT_SOURCE_DIR}/cmake/exported_symbols.cmake"
      "${PROJECT_SOURCE_DIR}/cmake/internal_headers.cmake"
    COMMENT "Choosing what libshoal.so exports" VERBATIM)
  add_custom_target(shoal_shared_exports DEPENDS "${script}")
  add_dependencies(shoal_shared shoal_shared_exports)
  target_link_options(shoal_shared PRIVATE "LINKER:--version-script=${script}" LINKER:--no-undefined)
  # Before 1.0 every minor version may change what classes hold.
  set_target_properties(shoal_shared PROPERTIES
    LINKER_LANGUAGE CXX OUTPUT_NAME shoal EXPORT_NAME shared LINK_DEPENDS "${script}"
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib"  # modules are in `shoal` beside it, as in an installation
    VERSION "${PROJECT_VERSION}" SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
  target_sources(shoal_shared PUBLIC FILE_SET HEADERS
    BASE_DIRS "${CMAKE_CURRENT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/generated")
endfunction()
