# The tree for programs of other systems, which own `main` and include shmem.h: headers, an archive and commands. It lies
# in <build>/compat, and installed in <libdir>/shoal/compat. Nothing else of Shoal includes or links it.

# Files that define the functions of one header repeat names of macros, so each is compiled by itself.
set_target_properties(shoal_compat PROPERTIES UNITY_BUILD OFF CXX_VISIBILITY_PRESET hidden)

set(compat_tree "${PROJECT_BINARY_DIR}/compat")
add_library(shoal_compat_archive STATIC $<TARGET_OBJECTS:shoal_compat>)
# The names are OpenSHMEM's. Programs do not export them, so that a real library, below a module, keeps its own calls.
set_target_properties(shoal_compat_archive PROPERTIES OUTPUT_NAME shoal_compat LINKER_LANGUAGE CXX
  ARCHIVE_OUTPUT_DIRECTORY "${compat_tree}/lib")
target_link_libraries(shoal_compat_archive INTERFACE shoal)
target_include_directories(shoal_compat_archive INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}/shoal/compat/include")

# Functions that take the place of the archive's in programs that are linked with -lshoal_aggregated. One object file, which a
# linker takes wherever the option stands; were it after the archive's functions, the linker would say that they are there twice.
file(GLOB aggregated_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/shoal/compat/aggregated/*.cpp")
add_library(shoal_aggregated OBJECT ${aggregated_sources} shoal/compat/shmem/transfer.cpp shoal/compat/shmem/atomics.cpp)
shoal_public(shoal_aggregated)
target_compile_definitions(shoal_aggregated PRIVATE SHOAL_AGGREGATED=1)
set_target_properties(shoal_aggregated PROPERTIES CXX_VISIBILITY_PRESET hidden)
add_dependencies(shoal_aggregated shoal_version)
set(aggregated_object "${compat_tree}/lib/shoal_aggregated.o")
add_custom_command(OUTPUT "${aggregated_object}"
  COMMAND "${CMAKE_CXX_COMPILER}" -r -nostdlib -o "${aggregated_object}" $<TARGET_OBJECTS:shoal_aggregated>
  DEPENDS $<TARGET_OBJECTS:shoal_aggregated> COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(shoal_aggregated_object ALL DEPENDS "${aggregated_object}")
add_dependencies(shoal_compat_archive shoal_aggregated_object)

# shoal_compat_commands(FOLDER LAUNCHER): writes the commands, which find the launcher from their own folder.
function(shoal_compat_commands folder LAUNCHER)
  set(MORE_LIBRARIES "$<$<BOOL:${ZLIB_FOUND}>: -lz>$<$<BOOL:${have_zstd}>: -lzstd>")
  set(SANITIZER "")
  if(SHOAL_SANITIZE)
    set(SANITIZER " -fsanitize=${SHOAL_SANITIZE}")
  endif()
  set(executable OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  foreach(row "oshcc;OSHCC_COMPILER;cc" "oshc++;OSHCXX_COMPILER;c++" "oshCC;OSHCXX_COMPILER;c++")
    list(GET row 0 NAME)
    list(GET row 1 VARIABLE)
    list(GET row 2 COMPILER)
    configure_file("${PROJECT_SOURCE_DIR}/cmake/compat/compiler.in" "${folder}/${NAME}.configured" @ONLY)
    file(GENERATE OUTPUT "${folder}/${NAME}" INPUT "${folder}/${NAME}.configured" FILE_PERMISSIONS ${executable})
  endforeach()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/compat/oshrun.in" "${folder}/oshrun" @ONLY FILE_PERMISSIONS ${executable})
endfunction()

# What Makefiles of bale's programs name. Scripts for the linker, so that any compiler can link a program with them.
file(MAKE_DIRECTORY "${compat_tree}/bin" "${compat_tree}/lib")
file(CREATE_LINK "${CMAKE_CURRENT_BINARY_DIR}/libshoal.a" "${compat_tree}/lib/libshoal.a" SYMBOLIC)
set(libraries "-lshoal_compat libshoal.a -lstdc++ -lm -lpthread -ldl")
foreach(name z zstd)
  if((name STREQUAL "z" AND ZLIB_FOUND) OR (name STREQUAL "zstd" AND have_zstd))
    string(APPEND libraries " -l${name}")
  endif()
endforeach()
set(names convey exstack libgetput spmat std_options hclib hclib_bale_actor)
foreach(name IN LISTS names)
  file(WRITE "${compat_tree}/lib/lib${name}.a" "INPUT(${libraries})\n")
endforeach()
file(WRITE "${compat_tree}/lib/libshoal_aggregated.a" "INPUT(shoal_aggregated.o ${libraries})\n")
# Those which configure scripts of bale's programs ask pkg-config for.
set(pkg_config_names std_options spmat convey exstack libgetput)
foreach(NAME IN LISTS pkg_config_names)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/compat/bale.pc.in" "${compat_tree}/lib/pkgconfig/${NAME}.pc" @ONLY)
endforeach()

set(TREE "${compat_tree}")
include("${PROJECT_SOURCE_DIR}/cmake/compat/hclib_places.cmake")

file(RELATIVE_PATH launcher_from_commands "${compat_tree}/bin" "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/shoalrun")
shoal_compat_commands("${compat_tree}/bin" "${launcher_from_commands}")
# Headers of the sources, so that none is out of date.
file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}/shoal/compat/include" "${compat_tree}/include" SYMBOLIC)

# Installed, they find what they need relative to themselves, so that the tree can be moved.
set(compat_folder "${CMAKE_INSTALL_LIBDIR}/shoal/compat")
set(installed_commands "${PROJECT_BINARY_DIR}/installed/compat")
file(RELATIVE_PATH launcher_from_commands "${CMAKE_INSTALL_FULL_LIBDIR}/shoal/compat/bin"
  "${CMAKE_INSTALL_FULL_BINDIR}/shoalrun")
shoal_compat_commands("${installed_commands}" "${launcher_from_commands}")
install(PROGRAMS "${installed_commands}/oshcc" "${installed_commands}/oshc++" "${installed_commands}/oshCC"
  "${installed_commands}/oshrun" DESTINATION "${compat_folder}/bin")
install(DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/shoal/compat/include" DESTINATION "${compat_folder}")
foreach(name IN LISTS names)
  install(FILES "${compat_tree}/lib/lib${name}.a" DESTINATION "${compat_folder}/lib")
endforeach()
install(FILES "${compat_tree}/lib/libshoal_aggregated.a" "${aggregated_object}" DESTINATION "${compat_folder}/lib")
install(DIRECTORY "${compat_tree}/lib/pkgconfig" DESTINATION "${compat_folder}/lib")
install(CODE "set(TREE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${compat_folder}\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/compat/hclib_places.cmake\")")
install(CODE "file(CREATE_LINK ../../../libshoal.a
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${compat_folder}/lib/libshoal.a\" SYMBOLIC)")
install(TARGETS shoal_compat_archive ARCHIVE DESTINATION "${compat_folder}/lib")
shoal_can_strip(strips)
if(strips)
  shoal_install_code("shoal_run(\"\${STRIP}\" --strip-debug \"\${FOLDER}/libshoal_compat.a\" \"\${FOLDER}/shoal_aggregated.o\")"
    shoal_compat_archive "${compat_folder}/lib")
endif()

# Prints what a shell has to know.
function(shoal_compat_exports file TREE MODULES)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/compat/shoal-compat.in" "${file}" @ONLY FILE_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()
shoal_compat_exports("${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/shoal-compat" ../compat ../lib/shoal)
file(RELATIVE_PATH modules_from_programs "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}/shoal")
shoal_compat_exports("${installed_commands}/shoal-compat" "${modules_from_programs}/compat" "${modules_from_programs}")
install(PROGRAMS "${installed_commands}/shoal-compat" DESTINATION "${CMAKE_INSTALL_BINDIR}")
