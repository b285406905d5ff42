# SPDX-License-Identifier: GPL-2.0-only
#
# find_package(dcfabric-backend): the target dcfabric::backend, for simulators that take dcfabric for their network. They
# need nothing of ns-3.

if(NOT TARGET dcfabric::backend)
  get_filename_component(prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
  add_library(dcfabric::backend SHARED IMPORTED)
  set_target_properties(
    dcfabric::backend PROPERTIES IMPORTED_LOCATION "${prefix}/lib/libdcfabric-backend.so"
                                 INTERFACE_INCLUDE_DIRECTORIES "${prefix}/include/dcfabric"
  )
endif()
