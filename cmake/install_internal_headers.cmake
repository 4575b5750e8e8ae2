# Installs the internal headers that public ones include, because templates need them, and no others. They are looked
# for when the install runs: an edited header configures nothing anew.
#
# Wants SOURCE, the folder of shoal/, and DESTINATION, where public headers go, below the prefix.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/internal_headers.cmake")
shoal_internal_headers("${SOURCE}" internal)
foreach(name IN LISTS internal)
  get_filename_component(folder "${name}" DIRECTORY)
  file(INSTALL "${SOURCE}/${name}" DESTINATION "${CMAKE_INSTALL_PREFIX}/${DESTINATION}/${folder}")
endforeach()
