# SPDX-License-Identifier: GPL-2.0-only
#
# Builds the module outside an ns-3 tree, against an installed ns-3 or the Python wheel "ns3" (3.44):
#
#   cmake -G Ninja -S . -B build -Dns3_DIR=<site-packages>/ns3/lib64/cmake/ns3
#   cmake --build build && ctest --test-dir build
#
# gives build/libdcfabric.so, build/libdcfabric-backend.so, build/examples/dcfabric-* and build/dcfabric-test-runner with all suites.
# "cmake --install build --prefix DIR" puts program, library and headers there, with the libraries of ns-3 that they
# need, so that DIR can be moved: that is how the Python package is made (pyproject.toml).
# It offers the two commands of ns-3 that the lists of files are written for, build_lib and
# build_lib_example, and the variables of ns-3 that they use: ${libcore} and so on, NS3_VER, and
# ns3-all-enabled-modules.

find_package(ns3 CONFIG)
if(NOT ns3_FOUND)
  message(
    FATAL_ERROR
      "dcfabric is a module of ns-3 and no ns-3 was found. Either\n"
      " - put (or link) this directory to contrib/dcfabric of an ns-3 tree and run "
      "'./ns3 configure --enable-examples --enable-tests && ./ns3 build' there, or\n"
      " - pip install 'ns3==3.44.*' and pass -Dns3_DIR=<site-packages>/ns3/lib64/cmake/ns3, or\n"
      " - run ./quickstart here, which does all of it."
  )
endif()
set(NS3_VER ${ns3_VERSION})
message(STATUS "dcfabric: stand-alone build against ns-3 ${NS3_VER} (${ns3_DIR})")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()
option(DCFABRIC_TESTS "Build the test suites" ON)
option(DCFABRIC_PRECOMPILE "Read ns-3's headers once only" ON)
# The standard that this ns-3 has its headers in.
if(NOT CMAKE_CXX_STANDARD)
  set(CMAKE_CXX_STANDARD 17)
  if(NS3_VER VERSION_GREATER_EQUAL 3.46)
    set(CMAKE_CXX_STANDARD 23)
  elseif(NS3_VER VERSION_GREATER_EQUAL 3.41)
    set(CMAKE_CXX_STANDARD 20)
  endif()
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# What -O3 adds is not worth its time here, and NDEBUG means nothing to ns-3.
if(CMAKE_CXX_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELEASE "-O2")
endif()
# The wheel says that it checks its assertions. As in ns-3's own release profile the module does not: a packet-hop
# would cost 5 % more. Debug and RelWithDebInfo do.
add_compile_options($<$<CONFIG:Release>:-UNS3_ASSERT_ENABLE>)
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
# What is installed does not tell where it was built; all builds, so that ccache knows pip's compilations from others.
add_compile_options(-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)

# GCC collects its garbage from 256 MB on: up to a gigabyte that takes longer than it is worth.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)
# The library calls its own functions (see -Bsymbolic-functions below), which the compiler may rely on and inline.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
# GCC 12 warns of standard containers where nothing is wrong, more so when it inlines for C++20.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict)
endif()

# --- ns-3 ------------------------------------------------------------------------------------------
# Its imported targets carry paths of the machine on which it was built. Of those, only its own folder
# of headers and its own libraries are kept.
get_filename_component(ns3_prefix "${ns3_DIR}/../../.." ABSOLUTE)
if(NOT EXISTS "${ns3_prefix}/include/ns3/core-module.h")
  message(FATAL_ERROR "dcfabric: ns-3's headers are missing: ${ns3_prefix}/include/ns3")
endif()
# The wheel brings the headers of Boost along.
list(APPEND CMAKE_INCLUDE_PATH "${ns3_prefix}/include")
get_property(ns3_targets DIRECTORY PROPERTY IMPORTED_TARGETS)
list(FILTER ns3_targets INCLUDE REGEX "^ns3::")
set(ns3-all-enabled-modules "")
foreach(target ${ns3_targets})
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "SHARED_LIBRARY" AND NOT type STREQUAL "STATIC_LIBRARY")
    continue()
  endif()
  string(REGEX REPLACE "^ns3::(lib)?" "" module ${target})
  list(APPEND ns3-all-enabled-modules ${module})
  set(lib${module} ${target})
  get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
  list(FILTER libraries INCLUDE REGEX "^ns3::")
  set_target_properties(
    ${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${ns3_prefix}/include"
                         INTERFACE_LINK_LIBRARIES "${libraries}"
  )
endforeach()

# --- commands --------------------------------------------------------------------------------------

# One folder of headers in which all lie flat, as ns3/NAME.h.
function(dcfabric_stage_headers)
  set(stage ${CMAKE_BINARY_DIR}/include/ns3)
  file(REMOVE_RECURSE ${stage})
  file(MAKE_DIRECTORY ${stage})
  foreach(header ${ARGN})
    get_filename_component(name ${header} NAME)
    file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${header} ${stage}/${name} SYMBOLIC)
  endforeach()
endfunction()

# What most files include is read once only. Off, a missing include is seen.
function(dcfabric_precompile target)
  if(DCFABRIC_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${CMAKE_SOURCE_DIR}/.ci/stand-alone.h)
    # Without it ccache does not know the compilations again.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  endif()
endfunction()

# What a packet does not pass through takes longer to optimize than that saves.
function(dcfabric_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
endfunction()

# The runner of all suites, and a CTest test for each suite it knows.
function(dcfabric_test_runner)
  set(main ${CMAKE_BINARY_DIR}/test-runner.cc)
  file(CONFIGURE OUTPUT ${main} CONTENT
"#include \"ns3/test.h\"

int
main(int argc, char** argv)
{
    return ns3::TestRunner::Run(argc, argv);
}
")
  add_executable(dcfabric-test-runner ${main} ${ARGN})
  target_link_libraries(dcfabric-test-runner PRIVATE dcfabric)
  dcfabric_precompile(dcfabric-test-runner)
  set(list ${CMAKE_BINARY_DIR}/dcfabric-suites.cmake)
  add_custom_command(
    TARGET dcfabric-test-runner
    POST_BUILD
    COMMAND ${CMAKE_COMMAND} -DRUNNER=$<TARGET_FILE:dcfabric-test-runner> -DLIST=${list} -P
            ${CMAKE_SOURCE_DIR}/.ci/list-suites.cmake
  )
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${list})
endfunction()

macro(build_lib)
  cmake_parse_arguments(
    LIB "" "LIBNAME" "SOURCE_FILES;HEADER_FILES;LIBRARIES_TO_LINK;TEST_SOURCES" ${ARGN}
  )
  dcfabric_stage_headers(${LIB_HEADER_FILES})
  set(dcfabric_headers ${LIB_HEADER_FILES})
  # What a packet passes, and walks over all links for all destinations.
  set(passed "^model/|^helper/fabric/(path-latency|routing-builder)|^helper/analysis/(allowed-paths|[a-z]*-walk|channel-)")
  set(hot ${LIB_SOURCE_FILES})
  list(FILTER hot INCLUDE REGEX ${passed})
  set(cold ${LIB_SOURCE_FILES})
  list(FILTER cold EXCLUDE REGEX ${passed})
  add_library(dcfabric-model OBJECT ${hot})
  add_library(dcfabric-helper OBJECT ${cold})
  # Of a template that both have, the linker keeps the first, which is the faster one here; and the library
  # calls its own, not that of a program.
  add_library(dcfabric SHARED $<TARGET_OBJECTS:dcfabric-model> $<TARGET_OBJECTS:dcfabric-helper>)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(dcfabric PRIVATE LINKER:-Bsymbolic-functions)
  endif()
  foreach(target dcfabric dcfabric-model dcfabric-helper)
    target_include_directories(${target} PUBLIC ${CMAKE_BINARY_DIR}/include)
    target_include_directories(${target} SYSTEM PUBLIC ${DCFABRIC_BOOST_INCLUDE})
    target_link_libraries(${target} PUBLIC ${LIB_LIBRARIES_TO_LINK})
  endforeach()
  foreach(target dcfabric-model dcfabric-helper)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    # Large units read the headers a few times only: less than it takes to compile them beforehand.
    if(NOT DCFABRIC_UNITY)
      dcfabric_precompile(${target})
    endif()
  endforeach()
  dcfabric_cold(dcfabric-helper)
  # Each unit reads the headers again. Two for what is hot and two for what is cold keep two cores busy to the end.
  foreach(target dcfabric-model dcfabric-helper)
    get_target_property(files ${target} SOURCES)
    list(LENGTH files count)
    math(EXPR half "(${count} + 1) / 2")
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${half})
  endforeach()
  if(DCFABRIC_TESTS)
    enable_testing()
    dcfabric_test_runner(${LIB_TEST_SOURCES})
  endif()
  add_subdirectory(examples)
  if(DCFABRIC_BACKEND)
    add_subdirectory(backend)
  endif()
  dcfabric_install()
endmacro()

# Program, library, its headers, and what they need of ns-3, in a folder that can be moved.
function(dcfabric_install)
  set_target_properties(dcfabric PROPERTIES INSTALL_RPATH "$ORIGIN:$ORIGIN/.ns3")
  set_target_properties(dcfabric-sim PROPERTIES INSTALL_RPATH "$ORIGIN/../lib:$ORIGIN/../lib/.ns3")
  install(
    TARGETS dcfabric dcfabric-sim
    RUNTIME_DEPENDENCY_SET dcfabric-needs
    LIBRARY DESTINATION lib COMPONENT dcfabric
    RUNTIME DESTINATION bin COMPONENT dcfabric
  )
  add_custom_target(dcfabric-package DEPENDS dcfabric-sim) # what is installed
  if(TARGET dcfabric-backend)
    add_dependencies(dcfabric-package dcfabric-backend)
    set_target_properties(dcfabric-backend PROPERTIES INSTALL_RPATH "$ORIGIN:$ORIGIN/.ns3")
    install(TARGETS dcfabric-backend LIBRARY DESTINATION lib COMPONENT dcfabric)
    install(
      FILES ${CMAKE_SOURCE_DIR}/backend/dcfabric-backend.h
            ${CMAKE_SOURCE_DIR}/backend/dcfabric-astra.h
            ${CMAKE_SOURCE_DIR}/backend/dcfabric-simai.h
      DESTINATION include/dcfabric
      COMPONENT dcfabric
    )
    install(
      FILES ${CMAKE_SOURCE_DIR}/backend/dcfabric-backend-config.cmake
      DESTINATION lib/cmake/dcfabric-backend
      COMPONENT dcfabric
    )
  endif()
  install(
    RUNTIME_DEPENDENCY_SET dcfabric-needs
    DIRECTORIES "${ns3_DIR}/../.."
    # What each system has, and what is this system's.
    PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|dl|gcc_s|m|pthread|rt|stdc[+][+]|z)[.]so"
    POST_EXCLUDE_REGEXES "^/(usr/)?lib"
    # Hidden: ns-3's bindings look for libraries of ns-3 below the current folder, where an environment may lie, and
    # refuse to find a module twice.
    LIBRARY DESTINATION lib/.ns3 COMPONENT dcfabric
  )
  find_program(DCFABRIC_PATCHELF patchelf)
  if(DCFABRIC_PATCHELF)
    install(
      CODE "set(FOLDER \"\${CMAKE_INSTALL_PREFIX}/lib/.ns3\")
            set(NM \"${CMAKE_NM}\")
            set(PATCHELF \"${DCFABRIC_PATCHELF}\")"
      COMPONENT dcfabric
    )
    install(SCRIPT ${CMAKE_SOURCE_DIR}/.ci/drop-unused.cmake COMPONENT dcfabric)
  endif()
  install(
    FILES ${dcfabric_headers}
    DESTINATION include/ns3
    COMPONENT dcfabric
  )
  # find_package(dcfabric) for programs of others
  configure_file(
    ${CMAKE_SOURCE_DIR}/.ci/dcfabric-config.cmake.in ${CMAKE_BINARY_DIR}/dcfabric-config.cmake @ONLY
  )
  install(
    FILES ${CMAKE_BINARY_DIR}/dcfabric-config.cmake
    DESTINATION lib/cmake/dcfabric
    COMPONENT dcfabric
  )
endfunction()

function(build_lib_example)
  cmake_parse_arguments(EXAMPLE "" "NAME" "SOURCE_FILES;LIBRARIES_TO_LINK" ${ARGN})
  add_executable(${EXAMPLE_NAME} ${EXAMPLE_SOURCE_FILES})
  target_link_libraries(${EXAMPLE_NAME} PRIVATE dcfabric ${EXAMPLE_LIBRARIES_TO_LINK})
  dcfabric_cold(${EXAMPLE_NAME})
endfunction()
