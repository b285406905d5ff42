# SPDX-License-Identifier: GPL-2.0-only
#
# Wings: parts of the module that a build can leave out (doc/design.rst, "Wings"). Each is an option of CMake
# that is on by default, such as -DDCFABRIC_RCM=OFF.
#
# The table below is the one place that knows them; .ci/check-rooms and .ci/update-sources read it, too. A wing
# is the files of its rooms, which are folders, with its tests; a program among the examples is named without
# its suffix. What lies elsewhere includes none of its headers, unless it is of a wing that NEEDS it; that one is
# off where what it needs is off. A room may be of several wings, without any of which it is left out. What
# users write to have something of a wing is refused by a build without it (model/packet/closed-wings.h): its
# classes, which are found in its files, and the WORDS, such as --faults for an option and topology=topo for a
# value of one.

# dcfabric_wing(NAME "title" ROOMS folder ... [NEEDS wing ...] [WORDS word ...])
macro(dcfabric_wing name title)
  cmake_parse_arguments(WING "" "" "ROOMS;NEEDS;WORDS" ${ARGN})
  option(DCFABRIC_${name} "Build ${title}" ON)
  foreach(need ${WING_NEEDS})
    if(DCFABRIC_${name} AND NOT DCFABRIC_${need})
      message(STATUS "dcfabric: DCFABRIC_${name} is off, because it needs DCFABRIC_${need}")
      set(DCFABRIC_${name} OFF)
    endif()
  endforeach()
  if(NOT DCFABRIC_${name})
    message(STATUS "dcfabric: without ${title} (DCFABRIC_${name})")
    dcfabric_close_wing(${name})
  endif()
endmacro()

# Take the files of WING_ROOMS out of all lists, and note the names that users could ask for.
macro(dcfabric_close_wing name)
  set(names ${WING_WORDS})
  foreach(room ${WING_ROOMS})
    foreach(file ${source_files})
      if(file MATCHES "^${room}/")
        file(READ "${CMAKE_CURRENT_LIST_DIR}/${file}" text)
        string(REGEX MATCHALL "TypeId\\([ \n]*\"ns3::[A-Za-z0-9]+" found "${text}")
        list(TRANSFORM found REPLACE ".*\"" "")
        list(APPEND names ${found})
      endif()
    endforeach()
    foreach(list source_files header_files test_sources)
      list(FILTER ${list} EXCLUDE REGEX "^${room}/")
    endforeach()
  endforeach()
  foreach(closed ${names})
    string(APPEND dcfabric_closed "${closed}=${name},")
  endforeach()
endmacro()

set(dcfabric_closed "")
dcfabric_wing(
  RCM "regional congestion mitigation" ROOMS model/rcm helper/rcm test/rcm test/rcm-faults
  WORDS features=rcm preset=rcm17
)
dcfabric_wing(
  CCM "coordinated congestion management"
  ROOMS model/coordination helper/coordination test/ccm test/ccm-faults WORDS coordination=ccm
)
dcfabric_wing(
  DIRECT "direct networks: dragonflies, torus, HyperX"
  ROOMS model/direct helper/direct test/direct
  WORDS topology=dragonfly
        topology=dragonfly-plus
        topology=torus
        topology=hyperx
        routing=minimal
        routing=valiant
        routing=ugal
        routing=par
        routing=piggyback
        routing=par-piggyback
        routing=dimension-order
        routing=minimal-adaptive
        routing=hyperx-valiant
        routing=hyperx-ugal
        routing=hyperx-par
        routing=hyperx-piggyback
        routing=hyperx-par-piggyback
)
dcfabric_wing(
  PFT "proactive flow throttling" ROOMS model/pft helper/pft test/pft test/pft-faults
  WORDS throttle=pft
)
dcfabric_wing(
  FAULTS "faults of links, switches and hosts"
  ROOMS helper/faults test/faults test/ccm-faults test/pft-faults test/rcm-faults test/file-fuzz
  WORDS --faults --link-down --convergence
)
dcfabric_wing(
  ANALYSIS "ideal times, and what proves and finds deadlocks" ROOMS helper/analysis test/analysis
  WORDS ideal-times
)
dcfabric_wing(
  PROGRAMS "programs of ranks"
  ROOMS model/reduction helper/reduction helper/program test/programs test/reduction
  WORDS --only --alone workload=program trace=computations
)
dcfabric_wing(BACKEND "the library for other simulators" ROOMS backend helper/backend test/backend)
dcfabric_wing(
  MPI "several processes for one simulation, and head starts of nodes"
  ROOMS helper/mpi helper/cores test/mpi test/cores test/file-fuzz
  WORDS --partition --cores --head-start
)
dcfabric_wing(
  FORMATS "files of other simulators" ROOMS helper/formats test/formats test/file-fuzz
  WORDS --config topology=topo workload=cm export=hpcc-fct
)
dcfabric_wing(ENGINE "the engine and the scheduler that look ahead" ROOMS model/engine test/engine)
dcfabric_wing(
  MATCHING "messages that are matched with receives"
  ROOMS model/matching helper/matching test/matching examples/dcfabric-messages
  WORDS --messages --post-delay --match-table trace=messages
)

if(dcfabric_closed)
  set_source_files_properties(
    model/packet/closed-wings.cc PROPERTIES COMPILE_DEFINITIONS
                                            "DCFABRIC_CLOSED_WINGS=\"${dcfabric_closed}\""
  )
endif()
