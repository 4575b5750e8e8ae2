# In the folder TREE: the places where Makefiles of HClib's programs look for headers, libraries and parts of Makefiles. Links within
# the tree, so that it can be moved.
foreach(place hclib/include hclib/lib modules/bale_actor/inc modules/bale_actor/lib modules/system/inc modules/system/lib)
  get_filename_component(folder "${TREE}/${place}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  file(RELATIVE_PATH up "${folder}" "${TREE}")
  if(place MATCHES "lib$")
    file(CREATE_LINK "${up}lib" "${TREE}/${place}" SYMBOLIC)
  else()
    file(CREATE_LINK "${up}include" "${TREE}/${place}" SYMBOLIC)
  endif()
endforeach()
