# Writes the version script of libshoal.so, which exports what installed headers declare:
# - of namespace shoal, all that sources define, also templates that they instantiate for a header;
# - of internal namespaces, what sources define whose header is installed.
# It hides all else.
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

# shoal_symbols(OUT OBJECTS...): lines "NAME KIND ADDRESS SIZE".
function(shoal_symbols out)
  execute_process(COMMAND "${NM}" --extern-only --format=posix ${ARGN}
    OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${symbols}" PARENT_SCOPE)
endfunction()
shoal_symbols(of_all ${objects})
shoal_symbols(of_exporting ${exporting})

string(REGEX MATCHALL "_ZN[VK]*5shoal[^\n]+ [TDBRS] " lines "${of_all}")
list(FILTER lines EXCLUDE REGEX "^_ZN[VK]*5shoal8internal")
# Weak symbols are templates and inline functions, which each user has, but for two: what describes classes, since the
# users of a class with a virtual function out of line have none of it, and what no user instantiates.
string(REGEX MATCHALL "[^\n]+ [TDBRS] |_ZT[VIS]N5shoal[^\n]+ V " more "${of_exporting}")
list(APPEND lines ${more})
foreach(header IN LISTS headers)
  file(STRINGS "${SOURCE}/${header}" instances REGEX "^extern template class ")
  foreach(instance IN LISTS instances)
    string(REGEX MATCH "class ([a-z_]+)<" name "${instance}")
    string(REGEX MATCHALL "_ZN[VK]*5shoal[0-9]+${CMAKE_MATCH_1}I[^\n]+ W " more "${of_all}")
    list(APPEND lines ${more})
  endforeach()
endforeach()
list(TRANSFORM lines REPLACE " .*$" "" OUTPUT_VARIABLE exported)
list(REMOVE_DUPLICATES exported)
list(SORT exported)

list(JOIN exported ";\n    " exported)
file(WRITE "${OUTPUT}" "SHOAL_${VERSION} {\n  global:\n    ${exported};\n  local:\n    *;\n};\n")
