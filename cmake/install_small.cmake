# What shoal_install.cmake does when an installation runs. Wants BUILT, the file in the build tree; FOLDER, where it is
# installed; KEEP, a folder of the build; the programs STRIP, OBJCOPY, AR, NM and COMPILER; and MERGE, options of the
# linker with which the objects of the archive are merged.

function(shoal_run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Sets <out> to the file with the debugging information of BUILT.
function(shoal_debug_of_built out)
  cmake_path(GET BUILT FILENAME name)
  set(debug "${KEEP}/${name}.debug")
  if("${BUILT}" IS_NEWER_THAN "${debug}")
    file(MAKE_DIRECTORY "${KEEP}")
    shoal_run("${OBJCOPY}" --only-keep-debug --compress-debug-sections "${BUILT}" "${debug}")
  endif()
  set(${out} "${debug}" PARENT_SCOPE)
endfunction()

function(shoal_strip_installed)
  cmake_path(GET BUILT FILENAME name)
  shoal_debug_of_built(debug)
  set(installed "${FOLDER}/${name}")
  shoal_run("${STRIP}" --strip-all --remove-section=.gnu_debuglink "${installed}")
  # Names the file and its checksum, not its folder.
  shoal_run("${OBJCOPY}" --add-gnu-debuglink "${debug}" "${installed}")
endfunction()

function(shoal_install_debug)
  shoal_debug_of_built(debug)
  file(INSTALL "${debug}" DESTINATION "${FOLDER}/.debug")
endfunction()

function(shoal_begin_archive)
  file(REMOVE_RECURSE "${KEEP}/archive")
  file(MAKE_DIRECTORY "${KEEP}/archive")
endfunction()

# Makes one object of several. Of an inline function that several have, the linker takes one. If MERGE leaves none of
# their groups, what GCC makes unique would clash with a program's, hence is weak like other inline variables.
function(shoal_add_to_archive name objects)
  set(whole "${KEEP}/archive/shoal_${name}.o")
  shoal_run("${COMPILER}" -r -nostdlib ${MERGE} -o "${whole}" ${objects})
  execute_process(COMMAND "${NM}" --defined-only "${whole}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL " u [^\n]+" unique "${symbols}")
  list(TRANSFORM unique REPLACE " u " "--weaken-symbol=")
  shoal_run("${OBJCOPY}" --strip-unneeded --remove-section=.comment ${unique} "${whole}")
endfunction()

# Makes one object of those of `objects` that every program needs: the one with `entry`, a symbol, and all that it needs
# in turn. The others are not in it, so a program gets them only if it uses them. Those whose paths match one of
# `parts`, an expression, are used together and make one object; each other one stays alone.
function(shoal_add_core_to_archive entry parts objects)
  set(all "${KEEP}/all.a")
  file(REMOVE "${all}")
  shoal_run("${AR}" crsT "${all}" ${objects})
  execute_process(
    COMMAND "${COMPILER}" -r -nostdlib -Wl,--strip-debug -Wl,--trace -Wl,-u,${entry} -o "${KEEP}/needed.o" "${all}"
    OUTPUT_VARIABLE linked ERROR_VARIABLE linked COMMAND_ERROR_IS_FATAL ANY)
  set(needed "")
  foreach(object IN LISTS objects)
    string(FIND "${linked}" "${object}" place)
    if(NOT place EQUAL -1)
      list(APPEND needed "${object}")
    endif()
  endforeach()
  if(NOT needed)
    message(FATAL_ERROR "No object of the library has ${entry}, with which programs start")
  endif()
  shoal_add_to_archive(core "${needed}")
  list(REMOVE_ITEM objects ${needed})
  while(objects)
    list(GET objects 0 first)
    set(part "${first}")
    foreach(name IN LISTS parts)
      set(pattern "/shoal_[a-z]+\\.dir/.*(${name})")
      if(first MATCHES "${pattern}")
        set(part "${objects}")
        list(FILTER part INCLUDE REGEX "${pattern}")
        break()
      endif()
    endforeach()
    list(REMOVE_ITEM objects ${part})
    # ".../shoal_actor.dir/shoal/actor/when.cpp.o"
    string(REGEX REPLACE "^.*/shoal_([a-z]+)\\.dir/(\\./)?(.*)\\.o$" "\\1/\\3" name "${first}")
    string(REPLACE "/" "_" name "${name}")
    shoal_add_to_archive("${name}" "${part}")
  endwhile()
endfunction()

function(shoal_end_archive)
  cmake_path(GET BUILT FILENAME name)
  file(GLOB objects "${KEEP}/archive/*.o")
  file(REMOVE "${FOLDER}/${name}")
  shoal_run("${AR}" crs "${FOLDER}/${name}" ${objects})
endfunction()
