# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What this machine, and a tree of ns-3 if one is given, lack, and how to get it: ./quickstart --check. Changes nothing.
# Needs setup-ns3.sh. What is needed and missing makes the check fail; what only some things need is told.

CHECK_MISSING=0

found() { printf '  ok       %-28s %s\n' "$1" "${2:-is there}"; }
# missing WHAT WHY-OR-FOR-WHAT HOW: needed; wanted the same, but not needed for the main job.
missing() {
    CHECK_MISSING=$((CHECK_MISSING + 1))
    printf '  MISSING  %-28s %s\n           get it: %s\n' "$1" "$2" "$3"
}
wanted() { printf '  without  %-28s %s\n           get it: %s\n' "$1" "$2" "$3"; }

# at_least FOUND WANTED: compares versions such as 3.25.1.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

first_version() { grep -Eo '[0-9]+\.[0-9]+(\.[0-9]+)?' | head -n 1 || true; }

check_compiler() {
    local cxx=${CXX:-c++} version
    if ! have "$cxx"; then
        missing "C++ compiler" "GCC 8, Clang 7 or newer" "apt-get install g++"
        return
    fi
    version=$("$cxx" --version 2>/dev/null | head -n 1)
    if echo '#include <charconv>
#include <optional>
std::optional<int> value;' | "$cxx" -std=c++17 -fsyntax-only -x c++ - 2>/dev/null; then
        found "C++ compiler" "$version"
    else
        missing "C++ compiler" "$cxx does not know C++17: $version" "apt-get install g++"
        return
    fi
    if has_boost; then
        found "Boost headers" ""
    else
        missing "Boost headers" "circular_buffer" "apt-get install libboost-dev"
    fi
}

# check_program NAME TITLE LEAST PACKAGE
check_program() {
    local version
    if ! have "$1"; then
        missing "$2" "$3 or newer" "apt-get install $4"
        return
    fi
    version=$("$1" --version 2>/dev/null | first_version)
    if at_least "${version:-0}" "$3"; then
        found "$2" "$version"
    else
        missing "$2" "$version is too old, $3 or newer is needed" "apt-get install $4, or pip install '$5'"
    fi
}

# check_modules TREE: modules of ns-3 that the library needs, and those for tests and for several ranks.
check_modules() {
    local module absent=()
    for module in core network traffic-control; do
        [ -d "$1/src/$module" ] || absent+=("$module")
    done
    if [ ${#absent[@]} -gt 0 ]; then
        missing "modules of ns-3" "${absent[*]}" "take the whole release of ns-3"
    else
        found "modules of ns-3" "core, network, traffic-control"
    fi
    absent=()
    for module in internet point-to-point applications csma; do
        [ -d "$1/src/$module" ] || absent+=("$module")
    done
    [ ${#absent[@]} -eq 0 ] || wanted "modules for tests" "${absent[*]}: ns-3's own TCP over the fabric" \
        "take the whole release of ns-3"
    [ -d "$1/src/mpi" ] || wanted "module mpi" "one simulation on several processes" "take the whole release of ns-3"
}

# check_configured TREE: whether the module is in the tree, and will be built as its users want it.
check_configured() {
    local profile
    if [ -d "$1/contrib/dcfabric" ]; then
        found "contrib/dcfabric" "is there"
    else
        wanted "contrib/dcfabric" "./quickstart --ns3 builds in a tree of its own; ./ns3 needs the module here" \
            "ln -s $ROOT $1/contrib/dcfabric"
    fi
    profile=$(sed -n 's/^CMAKE_BUILD_TYPE:[A-Z]*=//p' "$1/cmake-cache/CMakeCache.txt" 2>/dev/null || true)
    case $profile in
    '' | [Rr]elease) ;;
    *) wanted "speed" "this tree is configured as '$profile'; simulations take several times as long" \
        "cd $1 && ./ns3 configure --build-profile=optimized" ;;
    esac
}

check_ns3() {
    local tree=${1:-${NS3_DIR:-}} version
    if [ -z "$tree" ] && lies_in_ns3; then tree=$ROOT_AS_CALLED/../..; fi
    if [ -z "$tree" ]; then
        if have python3 && python3 -c 'import ensurepip, venv' 2>/dev/null; then
            found "ns-3" "none given: ./quickstart fetches the Python wheel of $WHEEL_WANTED"
        elif have apt-get; then
            found "ns-3" "none given: ./quickstart fetches the Debian source package"
        else
            missing "ns-3" "none given, and neither Python's venv nor apt-get is here" \
                "take a release from www.nsnam.org, and --ns3 DIR"
        fi
        return
    fi
    if [ ! -f "$tree/VERSION" ] || [ ! -d "$tree/src/core" ]; then
        missing "ns-3" "$tree is not a tree of ns-3 (no VERSION, no src/core)" "take a release from www.nsnam.org"
        return
    fi
    version=$(tr -d ' \n' <"$tree/VERSION")
    case $version in
    3.35*) found "ns-3" "$version, with waf: see wscript-compat/README.md" ;;
    3.3[7-9]* | 3.4[0-8] | 3.4[0-8].*) found "ns-3" "$version in $tree" ;;
    3-dev | 3.49* | 3.[5-9][0-9]*) wanted "a known ns-3" "$version is newer than 3.48, the last one that was tried" \
        "ns-3.48, if it does not build" ;;
    *) missing "ns-3" "$version is not supported: 3.35 (with waf) and 3.37 to 3.48 are" "take a release from www.nsnam.org" ;;
    esac
    check_modules "$tree"
    check_configured "$tree"
}

# check_module MODULES FOR-WHAT PACKAGES: of any Python that quickstart would take.
check_python_modules() {
    local python
    for python in python3 /usr/bin/python3 "$CACHE/python/bin/python3"; do
        if have "$python" && "$python" -c 'import sys
from importlib.util import find_spec
sys.exit(not all(map(find_spec, sys.argv[1].split(","))))' "$1" 2>/dev/null; then
            found "$1" "$python"
            return
        fi
    done
    wanted "$1" "$2" "$3"
}

# check_machine TREE: exit status 0 if nothing that is needed is missing, else 2.
check_machine() {
    echo "Needed to build and run:"
    check_compiler
    check_program cmake CMake 3.21 cmake 'cmake<4'
    check_program ninja Ninja 1.8 ninja-build ninja
    check_program python3 Python 3.9 python3 python3
    check_ns3 "$1"
    echo "For more than that:"
    check_python_modules matplotlib,numpy,pandas "figures, and results as data frames" \
        "apt-get install python3-matplotlib python3-numpy python3-pandas, or pip install matplotlib numpy pandas"
    check_python_modules google.protobuf "traces in Chakra's form" "apt-get install python3-protobuf, or pip install protobuf"
    check_python_modules distributed,tqdm "sweeps over a cluster" \
        "apt-get install python3-distributed python3-tqdm, or pip install distributed tqdm"
    if have mpiexec && have mpic++; then
        found "MPI" "$(command -v mpiexec)"
    else
        wanted "MPI" "one simulation on several processes" "apt-get install openmpi-bin libopenmpi-dev"
    fi
    if have ccache; then
        found "ccache" ""
    else
        wanted "ccache" "later builds are quick with it" "apt-get install ccache"
    fi
    if [ "$CHECK_MISSING" -gt 0 ]; then
        echo "Missing: $CHECK_MISSING. As root, or where sudo works, ./quickstart installs what Debian's packages have."
        return 2
    fi
    echo "Nothing that is needed is missing."
}
