# Targets for developers of Shoal: format, tidy, headers.

set(patterns "")
foreach(folder src kernels applications tools examples benchmarks test)
  list(APPEND patterns "${PROJECT_SOURCE_DIR}/${folder}/*.hpp" "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
endforeach()
file(GLOB_RECURSE all_sources CONFIGURE_DEPENDS ${patterns})

# The version is part of the name, because other versions format differently.
add_custom_target(format COMMAND clang-format-19 -i ${all_sources} VERBATIM)

# Reads compile_commands.json. clang-tidy does not know the compiler's own warning options.
add_custom_target(tidy COMMAND run-clang-tidy-19 -quiet -p "${PROJECT_BINARY_DIR}"
  -extra-arg=-Wno-unknown-warning-option "${PROJECT_SOURCE_DIR}/(src|kernels|applications|tools|examples)/"
  VERBATIM USES_TERMINAL)

# Compiles each public header alone.
add_custom_target(headers)
add_dependencies(headers shoal_verify_interface_header_sets)
