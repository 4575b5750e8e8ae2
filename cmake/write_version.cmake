# cmake -D SOURCE_DIR= -D VERSION= -D INPUT= -D OUTPUT= -P write_version.cmake
# Writes OUTPUT from INPUT with VERSION extended by the commit, as the build metadata of semantic versioning; NUMBERS
# are those of the version alone.
string(REPLACE "." "_" NUMBERS "${VERSION}")

# Only our own repository counts, not one that happens to contain an unpacked release.
if(EXISTS "${SOURCE_DIR}/.git")
  execute_process(COMMAND git describe --always --dirty=.dirty --abbrev=10 --exclude=*
    WORKING_DIRECTORY "${SOURCE_DIR}" OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0)
    string(APPEND VERSION "+g${commit}")
  endif()
endif()
configure_file("${INPUT}" "${OUTPUT}" @ONLY)  # leaves an equal file untouched
