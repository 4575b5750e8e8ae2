# The least versions of compilers that build Shoal and programs that use it. README.md names them, too.
#
#   GCC 11     its library does not order floating-point numbers (std::strong_order)
#   Clang 15   does not compile the ranges of GCC's library
set(SHOAL_LEAST_GNU 12)
set(SHOAL_LEAST_Clang 16)

# shoal_compiler_fault(OUT): one line if the C++ compiler is too old, else an empty string. Other compilers are let
# through. CMake would break the line if it did not begin with a space.
function(shoal_compiler_fault out)
  set(least "${SHOAL_LEAST_${CMAKE_CXX_COMPILER_ID}}")
  set(line "")
  if(least AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS least)
    string(REPLACE GNU GCC name "${CMAKE_CXX_COMPILER_ID}")
    string(CONCAT line " ${CMAKE_CXX_COMPILER} is ${name} ${CMAKE_CXX_COMPILER_VERSION}, and Shoal needs GCC "
      "${SHOAL_LEAST_GNU} or Clang ${SHOAL_LEAST_Clang}; choose a newer compiler, for example "
      "-DCMAKE_CXX_COMPILER=g++-${SHOAL_LEAST_GNU}")
  endif()
  set(${out} "${line}" PARENT_SCOPE)
endfunction()
