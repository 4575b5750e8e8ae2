# cmake -D SOURCE= -D FACE= -D COMPILER= -D INCLUDES= -P expect_compile_error.cmake
# Succeeds if the compiler rejects SOURCE with a message that matches its first line, `// expect: <regex>`. The compiler
# reads header FACE first, since it may be precompiled.

file(STRINGS "${SOURCE}" first_line LIMIT_COUNT 1)
if(NOT first_line MATCHES "^// expect: (.+)$")
  message(FATAL_ERROR "${SOURCE}:1: must be `// expect: <regex>`, found: ${first_line}")
endif()
set(expected "${CMAKE_MATCH_1}")

list(TRANSFORM INCLUDES PREPEND "-I")
set(ENV{LC_ALL} C)
execute_process(
  COMMAND "${COMPILER}" -std=c++20 -fsyntax-only -fdiagnostics-color=never -DSHOAL_CHECKED=1
    ${INCLUDES} -include "${FACE}" "${SOURCE}"
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
if(status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles, but must be refused with: ${expected}")
endif()
if(NOT output MATCHES "${expected}")
  message(FATAL_ERROR "${SOURCE} is refused, but not with: ${expected}\n${output}")
endif()
