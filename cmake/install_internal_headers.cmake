# Installs the internal headers that public ones include, because templates need them, and no others. They are looked
# for when the install runs: an edited header configures nothing anew.
#
# Wants SOURCE, the folder of shoal/, and DESTINATION, where public headers go, below the prefix.
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE unread "${SOURCE}/shoal/*.hpp")
list(FILTER unread EXCLUDE REGEX "/internal/")
set(internal "")
while(unread)
  list(POP_FRONT unread header)
  file(STRINGS "${header}" includes REGEX "^#include \"shoal/.*/internal/")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" name "${include}")
    if(NOT name IN_LIST internal)
      list(APPEND internal "${name}")
      list(APPEND unread "${SOURCE}/${name}")
    endif()
  endforeach()
endwhile()
foreach(name IN LISTS internal)
  get_filename_component(folder "${name}" DIRECTORY)
  file(INSTALL "${SOURCE}/${name}" DESTINATION "${CMAKE_INSTALL_PREFIX}/${DESTINATION}/${folder}")
endforeach()
