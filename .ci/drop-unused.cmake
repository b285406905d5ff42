# SPDX-License-Identifier: GPL-2.0-only
#
# Run when the libraries of ns-3 have been installed into FOLDER. The wheel of ns-3 links each of its libraries with the
# GNU Scientific Library, but only those that are not used here call it. It is under GPL-3, with which ns-3 (GPL-2 only)
# should not be given away in one package: unless something calls it, it is left out.

set(folder "$ENV{DESTDIR}${FOLDER}")
file(GLOB libraries "${folder}/*.so*")
set(unused ${libraries})
list(FILTER unused INCLUDE REGEX "/libgsl[^/]*$")
if(NOT unused)
  return()
endif()
list(REMOVE_ITEM libraries ${unused})
foreach(library ${libraries})
  execute_process(
    COMMAND ${NM} --dynamic --undefined-only ${library}
    OUTPUT_VARIABLE symbols
    RESULT_VARIABLE status
  )
  if(status OR symbols MATCHES " (gsl|cblas)_")
    message(STATUS "dcfabric: ${library} may call the GNU Scientific Library, which is kept")
    return()
  endif()
endforeach()
foreach(name ${unused})
  get_filename_component(name ${name} NAME)
  list(APPEND needed --remove-needed ${name})
endforeach()
foreach(library ${libraries})
  execute_process(
    COMMAND ${PATCHELF} ${needed} ${library}
    RESULT_VARIABLE status
  )
  if(status)
    message(FATAL_ERROR "dcfabric: ${PATCHELF} could not change ${library}")
  endif()
endforeach()
file(REMOVE ${unused})
