# Writes the version script of libshoal.so: it exports what sources define whose header is installed, and hides all else.
#
# Wants SOURCE, the folder of shoal/; OBJECTS, the file with the paths of all object files, a line each; NM; VERSION;
# OUTPUT.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/internal_headers.cmake")
file(GLOB_RECURSE headers RELATIVE "${SOURCE}" "${SOURCE}/shoal/*.hpp")
list(FILTER headers EXCLUDE REGEX "/internal/")
shoal_internal_headers("${SOURCE}" internal)
file(STRINGS "${OBJECTS}" objects)
set(exporting "")
foreach(object IN LISTS objects)
  # ".../shoal_actor.dir/shoal/actor/run.cpp.o", or ".../shoal_actor.dir/Unity/unity_exporting_0_cxx.cxx.o" of
  # shoal_batch_exports; the version's source is generated.
  string(REGEX REPLACE "^.*\\.dir/(\\./)?(.*)\\.cpp\\.o(bj)?$" "\\2.hpp" header "${object}")
  if(header IN_LIST headers OR header IN_LIST internal OR object MATCHES "/generated/version\\.cpp|/unity_exporting_")
    list(APPEND exporting "${object}")
  endif()
endforeach()
execute_process(COMMAND "${NM}" --defined-only --extern-only --format=posix ${exporting}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
# Weak symbols are templates and inline functions, which each user has, but for what describes classes: the users of a
# class with a virtual function out of line have none of it.
string(REGEX MATCHALL "[^\n]+ [TDBRS] |_ZT[VIS]N5shoal[^\n]+ V " lines "${symbols}")
list(TRANSFORM lines REPLACE " .*$" "")
list(REMOVE_DUPLICATES lines)
list(SORT lines)
list(JOIN lines ";\n    " exported)
file(WRITE "${OUTPUT}" "SHOAL_${VERSION} {\n  global:\n    ${exported};\n  local:\n    *;\n};\n")
