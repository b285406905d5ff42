# SPDX-License-Identifier: GPL-2.0-only
#
# Compiles the files of ns-3's own modules several at a time in the builds of ./run-tests, where nobody changes
# them: -DCMAKE_PROJECT_INCLUDE=<this file>. Each file has a static g_log and may have a macro
# NS_LOG_APPEND_CONTEXT; here their names are kept apart. Modules in which simulations spend little time are not
# optimized, which takes half as long to compile, and ns-3's own suites are left out. Tried with ns-3.37.

# As in stand-alone.cmake: a compilation takes a seventh less.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)

set(CODE_BEFORE
"#define DCFABRIC_JOIN_(a, b) a##b
#define DCFABRIC_JOIN(a, b) DCFABRIC_JOIN_(a, b)
#define g_log DCFABRIC_JOIN(g_log_, DCFABRIC_FILE)"
)
set(CODE_AFTER
"#undef g_log
#undef NS_LOG_APPEND_CONTEXT
#define NS_LOG_APPEND_CONTEXT
#undef NS_LOG_CONDITION
#define NS_LOG_CONDITION"
)
# What defines names that others define, too.
set(ALONE
    network/utils/mac48-address.cc
    network/utils/mac64-address.cc
    stats/model/sqlite-output.cc
    traffic-control/model/codel-queue-disc.cc
)

set(HOT core network)

function(dcfabric_unity)
  foreach(module applications bridge core csma internet mpi network point-to-point stats traffic-control)
    set(target lib${module}-obj)
    if(TARGET ${target})
      set_target_properties(
        ${target}
        PROPERTIES UNITY_BUILD ON
                   UNITY_BUILD_BATCH_SIZE 16
                   UNITY_BUILD_UNIQUE_ID DCFABRIC_FILE
                   UNITY_BUILD_CODE_BEFORE_INCLUDE "${CODE_BEFORE}"
                   UNITY_BUILD_CODE_AFTER_INCLUDE "${CODE_AFTER}"
      )
      target_compile_options(${target} PRIVATE -w)
      if(NOT module IN_LIST HOT)
        target_compile_options(${target} PRIVATE -O0)
      endif()
    endif()
  endforeach()
endfunction()

# The module "test" of ns-3 has suites of whole networks of other modules; the runner links it.
function(dcfabric_no_system_tests)
  if(TARGET libtest)
    set(empty ${CMAKE_BINARY_DIR}/no-system-tests.cc)
    file(WRITE ${empty} "")
    set_target_properties(libtest PROPERTIES SOURCES ${empty})
  endif()
endfunction()

function(dcfabric_alone)
  foreach(file ${ALONE})
    string(REGEX REPLACE "/.*" "" module ${file})
    if(TARGET lib${module}-obj)
      set_source_files_properties(
        ${CMAKE_SOURCE_DIR}/src/${file} DIRECTORY ${CMAKE_SOURCE_DIR}/src/${module}
        PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
      )
    endif()
  endforeach()
endfunction()

cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL dcfabric_unity)
cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL dcfabric_alone)
cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL dcfabric_no_system_tests)
