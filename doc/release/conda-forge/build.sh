#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# ns-3 with the modules that dcfabric uses, then the Python package, which takes the libraries of ns-3 along.
set -euo pipefail

# shellcheck disable=SC2086 # conda gives several options in one variable
cmake -G Ninja -S ns-3 -B ns-3-build ${CMAKE_ARGS:-} \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$SRC_DIR/ns-3-prefix" -DCMAKE_INSTALL_LIBDIR=lib \
    "-DNS3_ENABLED_MODULES=core;network;internet;traffic-control" \
    -DNS3_EXAMPLES=OFF -DNS3_TESTS=OFF -DNS3_PYTHON_BINDINGS=OFF -DNS3_GSL=OFF -DNS3_SQLITE=OFF -DNS3_GTK3=OFF \
    -DNS3_NATIVE_OPTIMIZATIONS=OFF -DNS3_PRECOMPILE_HEADERS=OFF
cmake --build ns-3-build --parallel "${CPU_COUNT:-2}"
cmake --install ns-3-build
"$PYTHON" -m pip install . --no-deps --no-build-isolation -v \
    -C "cmake.define.ns3_DIR=$SRC_DIR/ns-3-prefix/lib/cmake/ns3"
