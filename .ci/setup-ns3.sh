# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# From a machine with next to nothing to an ns-3 that has this module built: shared by quickstart,
# run-tests and .ci/run, which source this file. Everything downloaded or built lies below $CACHE;
# neither the system's apt configuration nor a given ns-3 tree is changed.
#
#   parse_common "$1" "$2"    the options all commands share
#   prepare_tools             compiler, CMake, Ninja, Boost headers, Python
#   find_ns3                  sets NS3_SRC, NS3_VERSION and says where they are from
#   prepare_tree PROFILE      sets TREE, a tree of links with contrib/dcfabric in it, configured
#   prepare_mpi               Open MPI: mpiexec and what programs are compiled with
#   find_wheel                sets WHEEL and WHEEL_PYTHON, the Python wheel of ns-3, if it can be had
#   prepare_wheel_tree        sets TREE, a stand-alone build against the wheel, configured; for an
#                             other profile: its name and options of CMake
#   prepare_quickest          sets TREE by given sources, the wheel or fetched sources, optimized
#   build TARGET...           builds in TREE
#   prepare_plotting_meanwhile  begins with prepare_plotting in the background
#   prepare_plotting          sets PLOT_PYTHON, a Python with matplotlib, numpy and pandas
#   prepare_docs              sets SPHINX, which builds the documentation, and looks for Doxygen
#   prepare_protobuf PYTHON   lets that Python read Chakra traces
#   prepare_notebooks         lets PLOT_PYTHON read Parquet, run notebooks and write pages of plotly

set -euo pipefail

ROOT_AS_CALLED=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
ROOT=$(cd -P "$ROOT_AS_CALLED" && pwd)
CACHE=${DCFABRIC_CACHE:-${HOME:-/tmp}/.cache/dcfabric}
NS3_GIVEN=""
SECONDS=0

# Compilations are found again in any build folder below the cache: other checkouts, trees that were moved or
# made anew. ns-3 tells its files where its sources lie; none of those that are compiled here asks. Files that
# are compiled together know themselves (__FILE__) by names that do not tell the tree: see no_tree_names.
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime CCACHE_NOHASHDIR=1 CCACHE_BASEDIR=$CACHE
export CCACHE_IGNOREOPTIONS='-DPROJECT_SOURCE_PATH=* -fmacro-prefix-map=*'
export NINJA_STATUS="  [%f/%t %es] "
export PYTHONDONTWRITEBYTECODE=1
# ./ns3 sets it; were it not set when ninja runs CMake again, all flags would change.
export CLICOLOR=1

step() { printf '[%3ds] %s\n' "$SECONDS" "$*"; }
note() { printf '       %s\n' "$*"; }
die() {
    printf '%s: error: %s\n' "${0##*/}" "$*" >&2
    exit 2
}
have() { command -v "$1" >/dev/null 2>&1; }
indent() { sed -u 's/^/       | /'; }

# parse_common OPTION VALUE: 0 if the option was one of ours and its value is taken.
parse_common() {
    case $1 in
    --ns3)
        [ -n "${2:-}" ] || die "--ns3 needs a folder"
        is_ns3 "$2" || die "--ns3 $2: not an ns-3 tree (3.37 or later)"
        NS3_GIVEN=$2
        ;;
    *) return 1 ;;
    esac
}

# One set-up at a time in one cache; a second one waits.
lock_cache() {
    mkdir -p "$CACHE"
    CACHE=$(cd -P "$CACHE" && pwd)
    export CCACHE_BASEDIR=$CACHE
    exec 9>"$CACHE/lock"
    if ! flock -n 9; then
        step "Waiting for another run that uses $CACHE"
        flock 9
    fi
}

# When the commit was made, in tens of minutes of the hour, 0 to 5: what not every run of CI does goes by it.
turn_of_commit() {
    local minute
    minute=$(git -C "$ROOT" log -1 --format=%cd --date=format:%M 2>/dev/null || date +%M)
    echo $((10#$minute / 10))
}

# sources PATTERN...: files of the tree by name; without git, whatever lies here.
sources() {
    local pattern
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files -- "$@" | while IFS= read -r pattern; do [ ! -f "$pattern" ] || echo "$pattern"; done
    else
        for pattern in "$@"; do
            find . \( -name .git -o -name results \) -prune -o -name "${pattern##*/}" -type f -print
        done
    fi
}

# --- tools ---------------------------------------------------------------------------------------

# Sets SUDO to what makes a command run as root, or fails.
find_root() {
    SUDO=()
    have apt-get || return 1
    [ "$(id -u)" -eq 0 ] && return 0
    have sudo || return 1
    SUDO=(sudo -n)
    sudo -n true 2>/dev/null && return 0
    # A person at a terminal may type the password.
    SUDO=(sudo)
    [ -t 0 ] && [ -t 2 ] && sudo -v
}

# What matters of apt's long output; all of it is in $CACHE/apt.log.
apt_lines() {
    tee -a "$CACHE/apt.log" | awk '
        /^(Need to get|Fetched|Err:|E:|W:)/ {print "       | " $0; fflush()}
        /^Setting up / && ++n % 10 == 0 {print "       | " n " packages set up"; fflush()}'
}

# apt_install PACKAGE...
apt_install() {
    find_root || return 1
    step "Installing with apt: $*"
    # another apt-get may be at work
    local apt=("${SUDO[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0
        -o DPkg::Lock::Timeout=600)
    if ! "${apt[@]}" install -y --no-install-recommends "$@" 2>&1 | apt_lines; then
        note "Package lists may be missing or old: updating them"
        "${apt[@]}" update 2>&1 | apt_lines
        "${apt[@]}" install -y --no-install-recommends "$@" 2>&1 | apt_lines
    fi
}

# A private Python environment for what apt cannot install.
venv_install() {
    local venv=$CACHE/python
    if [ ! -x "$venv/bin/pip" ]; then
        rm -rf "$venv" "$venv.tmp"
        python3 -m venv "$venv" 2>&1 | indent || return 1
    fi
    step "Installing into $venv: $*"
    "$venv/bin/pip" install --disable-pip-version-check -q "$@" 2>&1 | indent
}

has_boost() {
    echo '#include <boost/circular_buffer.hpp>' | "${CXX:-c++}" -E -x c++ - >/dev/null 2>&1
}

# Boost headers without root: the package, unpacked into the cache.
fetch_boost_privately() {
    local dir=$CACHE/boost
    if [ ! -d "$dir" ]; then
        have apt-get || return 1
        rm -rf "$dir.tmp" && mkdir -p "$dir.tmp"
        local real
        real=$(apt-cache depends libboost-dev | sed -n 's/ *Depends: *\(libboost[0-9.]*-dev\)$/\1/p')
        [ -n "$real" ] || return 1
        step "Fetching the Boost headers ($real) into $dir"
        (cd "$dir.tmp" && apt-get -q download "$real" && dpkg-deb -x ./*.deb . && rm ./*.deb) 2>&1 |
            indent || return 1
        mv "$dir.tmp" "$dir"
    fi
    export CPLUS_INCLUDE_PATH=$dir/usr/include${CPLUS_INCLUDE_PATH:+:$CPLUS_INCLUDE_PATH}
    export CMAKE_INCLUDE_PATH=$dir/usr/include
}

prepare_tools() {
    local packages=()
    have python3 || packages+=(python3)
    have "${CXX:-c++}" || packages+=(g++)
    have cmake || packages+=(cmake)
    have ninja || packages+=(ninja-build)
    if ! have "${CXX:-c++}" || ! has_boost; then packages+=(libboost-dev); fi
    # Not needed, but it makes every later build quick.
    local wished=()
    have ccache || wished+=(ccache)

    if [ ${#packages[@]} -gt 0 ] && ! apt_install "${packages[@]}" "${wished[@]}"; then
        note "apt is not usable here without root: looking for private copies"
        have python3 || die "python3 is missing and cannot be installed without root"
        have "${CXX:-c++}" || die "a C++ compiler is missing and cannot be installed without root (Debian package g++)"
        export PATH=$CACHE/python/bin:$PATH
        local wheels=()
        have cmake || wheels+=("cmake<4")
        have ninja || wheels+=(ninja)
        [ ${#wheels[@]} -eq 0 ] || venv_install "${wheels[@]}" || true
        has_boost || fetch_boost_privately || true
    fi
    local tool
    for tool in python3 "${CXX:-c++}" cmake ninja; do
        have "$tool" || die "$tool is missing and could not be installed"
    done
    has_boost || die "the Boost headers are missing and could not be installed (Debian package libboost-dev)"
}

can_plot() { "$1" -c 'import matplotlib, numpy, pandas' >/dev/null 2>&1; }

# shellcheck disable=SC2034 # PLOT_PYTHON is for the caller
# Figures need matplotlib, numpy and pandas: any Python that has them will do.
prepare_plotting() {
    local python
    for python in python3 /usr/bin/python3 "$CACHE/python/bin/python3"; do
        if have "$python" && can_plot "$python"; then
            PLOT_PYTHON=$python
            return 0
        fi
    done
    if apt_install python3-matplotlib python3-numpy python3-pandas && can_plot /usr/bin/python3; then
        PLOT_PYTHON=/usr/bin/python3
        return 0
    fi
    if venv_install matplotlib numpy pandas && can_plot "$CACHE/python/bin/python3"; then
        PLOT_PYTHON=$CACHE/python/bin/python3
        return 0
    fi
    return 1
}

# prepare_protobuf PYTHON: the package that reads Chakra traces, into the Python that prepare_plotting found.
prepare_protobuf() {
    "$1" -c 'import google.protobuf' >/dev/null 2>&1 && return 0
    case $1 in
    "$CACHE/python/bin/python3") venv_install protobuf ;;
    *) [ "$(command -v "$1")" = /usr/bin/python3 ] && apt_install python3-protobuf ;;
    esac && "$1" -c 'import google.protobuf' >/dev/null 2>&1
}

# shellcheck disable=SC2034 # PLOT_PYTHON is for the caller
# prepare_notebooks: sets PLOT_PYTHON to one that reads Parquet, runs notebooks and writes pages of plotly too, and has
# what the one that prepare_plotting found has. Debian has no pyarrow, and pip leaves the system's Python alone.
prepare_notebooks() {
    local python=$CACHE/notebook/bin/python3 packages=(pyarrow nbclient ipykernel plotly)
    runs_notebooks "$PLOT_PYTHON" && return 0
    if [ "$PLOT_PYTHON" = "$CACHE/python/bin/python3" ]; then
        venv_install "${packages[@]}"
        runs_notebooks "$PLOT_PYTHON"
        return
    fi
    if ! runs_notebooks "$python"; then
        "$PLOT_PYTHON" -c 'import ensurepip, venv' 2>/dev/null || apt_install python3-venv || return 1
        # later versions need NumPy 2, and a matplotlib of that time
        "$PLOT_PYTHON" -c 'import numpy; raise SystemExit(numpy.__version__ >= "2")' &&
            packages=('pyarrow<22' nbclient ipykernel 'matplotlib-inline<0.2' plotly)
        step "Installing into $CACHE/notebook: ${packages[*]}"
        rm -rf "$CACHE/notebook"
        "$PLOT_PYTHON" -m venv --system-site-packages "$CACHE/notebook" 2>&1 | indent || return 1
        "$python" -m pip install --disable-pip-version-check --retries 2 -q "${packages[@]}" 2>&1 | indent || return 1
    fi
    runs_notebooks "$python" && PLOT_PYTHON=$python
}

runs_notebooks() { can_plot "$1" && "$1" -c 'import matplotlib_inline.backend_inline, pyarrow, nbclient, ipykernel, plotly' >/dev/null 2>&1; }

# shellcheck disable=SC2034 # SPHINX is for the caller
# Sphinx with the theme of the site, in an environment of its own, and Doxygen if it can be had.
prepare_docs() {
    local venv=$CACHE/docs
    have doxygen || apt_install doxygen || true
    python3 -c 'import ensurepip, venv' 2>/dev/null || apt_install python3-venv || return 1
    SPHINX=$venv/bin/sphinx-build
    if ! cmp -s "$ROOT/doc/requirements.txt" "$venv/.complete"; then
        step "Installing Sphinx into $venv"
        rm -rf "$venv"
        { python3 -m venv "$venv" && "$venv/bin/pip" install --disable-pip-version-check --retries 2 -q \
            -r "$ROOT/doc/requirements.txt"; } >"$CACHE/docs.log" 2>&1 || {
            tail -n 2 "$CACHE/docs.log" | indent
            return 1
        }
        cp "$ROOT/doc/requirements.txt" "$venv/.complete"
    fi
}

# prepare_plotting_meanwhile: begins with it in the background, where a password is not asked for. Whether it
# came to anything is told by prepare_plotting, after wait.
prepare_plotting_meanwhile() {
    find_root || true
    step "Preparing matplotlib, numpy and pandas meanwhile (see $CACHE/plotting.log)"
    prepare_plotting </dev/null >"$CACHE/plotting.log" 2>&1 9>&- &
}

# --- ns-3 ----------------------------------------------------------------------------------------

is_ns3() { [ -f "$1/ns3" ] && [ -f "$1/VERSION" ] && [ -d "$1/src/core" ] && [ -d "$1/build-support" ]; }

use_ns3() {
    NS3_SRC=$(cd -P "$1" && pwd)
    NS3_VERSION=$(tr -d ' \n' <"$NS3_SRC/VERSION")
    step "Using ns-3 $NS3_VERSION: $2 ($NS3_SRC)"
    case $NS3_VERSION in
    3.[0-9] | 3.[12][0-9] | 3.3[0-6] | 3.3[0-6].*)
        die "ns-3 $NS3_VERSION is too old, 3.37 or later is needed" ;;
    esac
}

# unpack_ns3 ARCHIVE: into the cache; a half-written folder never gets the final name.
unpack_ns3() {
    local sources=$CACHE/sources
    mkdir -p "$sources"
    python3 "$ROOT/.ci/unpack" "$1" "$sources"
}

lies_in_ns3() { is_ns3 "$ROOT_AS_CALLED/../.." && [ "$(basename "$(dirname "$ROOT_AS_CALLED")")" = contrib ]; }

# find_given_ns3: the sources of ns-3 that were named or that lie around this module, if any.
find_given_ns3() {
    if [ -n "$NS3_GIVEN" ]; then
        use_ns3 "$NS3_GIVEN" "the tree given with --ns3"
    elif [ -n "${NS3_DIR:-}" ]; then
        is_ns3 "$NS3_DIR" || die "NS3_DIR=$NS3_DIR: not an ns-3 tree (3.37 or later)"
        use_ns3 "$NS3_DIR" "the tree in NS3_DIR"
    elif lies_in_ns3; then
        use_ns3 "$ROOT_AS_CALLED/../.." "the tree this module lies in"
    elif [ -n "${NS3_ARCHIVE:-}" ]; then
        [ -f "$NS3_ARCHIVE" ] || die "NS3_ARCHIVE=$NS3_ARCHIVE: no such file"
        step "Unpacking $NS3_ARCHIVE"
        local dir
        dir=$(unpack_ns3 "$NS3_ARCHIVE") || die "$NS3_ARCHIVE: not an archive of ns-3"
        use_ns3 "$dir" "release archive $NS3_ARCHIVE"
    else
        return 1
    fi
}

find_ns3() { find_given_ns3 || find_debian_ns3; }

find_debian_ns3() {
    local stamp=$CACHE/sources/debian dir
    if [ ! -f "$stamp" ] || ! is_ns3 "$(cat "$stamp")"; then
        note "No ns-3 given (--ns3, NS3_DIR, NS3_ARCHIVE) and none around this folder"
        have apt-get || die "no ns-3 and no apt-get: give a tree with --ns3 DIR"
        step "Fetching the Debian source package of ns-3 (about 40 MB)"
        local archive
        # Messages of apt go to the screen by way of file descriptor 3, the answer to us.
        archive=$( { python3 "$ROOT/.ci/fetch-apt-source" ns3 "$CACHE/apt" 2>&1 >&3 | indent >&2; } 3>&1 ) ||
            die "the Debian source package of ns-3 could not be fetched: give a tree with --ns3 DIR"
        step "Unpacking $(basename "$archive")"
        dir=$(unpack_ns3 "$archive") || die "$archive: could not be unpacked"
        echo "$dir" >"$stamp.tmp"
        mv "$stamp.tmp" "$stamp"
        rm -rf "$CACHE/apt"
    fi
    use_ns3 "$(cat "$stamp")" "Debian source package"
}

# --- trees ---------------------------------------------------------------------------------------

# Sets TREES, the folder of what is built from this checkout and from no other, and removes those of checkouts
# that are gone. python/dcfabric/program.py looks there too.
find_trees() {
    local other
    for other in "$CACHE"/trees/*/checkout; do
        if [ -f "$other" ] && [ ! -d "$(cat "$other")" ]; then
            note "Removing what was built from $(cat "$other"), which is gone"
            rm -rf "${other%/checkout}"
        fi
    done
    TREES=$CACHE/trees/$(printf '%s' "$ROOT" | sha256sum | cut -c1-12)
    mkdir -p "$TREES"
    printf '%s' "$ROOT" >"$TREES/checkout"
}

# Options of the compiler that keep the name of TREE out of __FILE__ and of a macro that ns-3 defines and no file
# of it uses; a precompiled header with that macro would be of no use to another tree.
no_tree_names() { echo "-fmacro-prefix-map=$TREE/= -UPROJECT_SOURCE_PATH"; }

# --- the wheel -----------------------------------------------------------------------------------

WHEEL_WANTED=3.44

# wheel_works CMAKE_FOLDER: whether this compiler can build against the wheel, and the result runs.
wheel_works() {
    local prefix dir status=0
    prefix=$(cd "$1/../../.." && pwd) && dir=$(mktemp -d) || return 1
    cat >"$dir/try.cc" <<'EOT'
#include "ns3/queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
int
main()
{
    ns3::Simulator::Destroy();
    return ns3::QueueDisc::GetTypeId().GetUid() == 0;
}
EOT
    "${CXX:-c++}" -std=c++20 -I "$prefix/include" "$dir/try.cc" -o "$dir/try" -L "$prefix/lib64" \
        -Wl,-rpath,"$prefix/lib64" "-lns$WHEEL_WANTED-traffic-control" "-lns$WHEEL_WANTED-network" \
        "-lns$WHEEL_WANTED-core" >>"$CACHE/wheel.log" 2>&1 && "$dir/try" >>"$CACHE/wheel.log" 2>&1 ||
        status=1
    rm -rf "$dir"
    return $status
}

# fetch_wheel VENV: into a Python environment of that name; what is said goes to a log.
fetch_wheel() {
    rm -rf "$1"
    { python3 -m venv "$1" && "$1/bin/python3" -m pip install --disable-pip-version-check --retries 2 --no-deps \
        -q "ns3==$WHEEL_WANTED.*"; } >"$CACHE/wheel.log" 2>&1
}

has_wheel() { "$1/bin/python3" -c '' 2>/dev/null && [ -f "$1/.complete" ]; }

WHEEL_FETCH=

# fetch_wheel_meanwhile: begins with it in the background, where it will be needed and Python can do so. Whether it
# came to anything is found out by find_wheel.
fetch_wheel_meanwhile() {
    if [ -n "$NS3_GIVEN${NS3_DIR:-}${NS3_ARCHIVE:-}" ] || lies_in_ns3 || has_wheel "$CACHE/wheel" ||
        ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
        return 0
    fi
    step "Fetching the Python wheel of ns-3 $WHEEL_WANTED (about 70 MB) meanwhile"
    fetch_wheel "$CACHE/wheel" </dev/null 9>&- &
    WHEEL_FETCH=$!
}

# shellcheck disable=SC2034 # WHEEL_PYTHON is for the caller
# The wheel in a Python environment of its own. Its bindings are not needed to build against it.
find_wheel() {
    local venv=$CACHE/wheel
    WHEEL_PYTHON=$venv/bin/python3
    if [ -n "$WHEEL_FETCH" ] && wait "$WHEEL_FETCH"; then
        : # It is there now, and is tried below.
    elif ! has_wheel "$venv"; then
        step "Fetching the Python wheel of ns-3 $WHEEL_WANTED (about 70 MB)"
        if ! python3 -c 'import ensurepip, venv' 2>/dev/null && ! apt_install python3-venv; then
            note "No wheel: Python's venv is missing and could not be installed"
            return 1
        fi
        if ! fetch_wheel "$venv"; then
            tail -n 2 "$CACHE/wheel.log" | indent
            note "No wheel: it could not be fetched, or there is none for this machine and Python"
            rm -rf "$venv"
            return 1
        fi
    fi
    WHEEL_FETCH=
    WHEEL=$(find "$venv" -path '*/site-packages/ns3/*/cmake/ns3' -type d | head -n 1)
    if [ -z "$WHEEL" ] || { [ ! -f "$venv/.complete" ] && ! wheel_works "$WHEEL"; }; then
        note "No wheel: this compiler cannot build against it (see $CACHE/wheel.log)"
        return 1
    fi
    touch "$venv/.complete"
    step "Using ns-3 $WHEEL_WANTED: Python wheel ($venv)"
}

has_bindings() {
    "$CACHE/wheel/bin/python3" -c 'from importlib.util import find_spec
raise SystemExit(not all(map(find_spec, ("cppyy", "matplotlib", "numpy"))))' >/dev/null 2>&1
}

# The bindings of the wheel, with what scripts draw with; parts of them are compiled here. A tree of ns-3 that is
# configured after that has its own bindings, too, for the same Python.
prepare_bindings() {
    "$WHEEL_PYTHON" -c 'import cppyy, matplotlib, numpy' >/dev/null 2>&1 && return 0
    step "Installing cppyy, numpy and matplotlib into $CACHE/wheel"
    "$WHEEL_PYTHON" -m pip install --disable-pip-version-check --retries 2 -q "ns3==$WHEEL_WANTED.*" \
        numpy matplotlib >>"$CACHE/wheel.log" 2>&1 || {
        tail -n 5 "$CACHE/wheel.log" | indent
        return 1
    }
}

# prepare_wheel_tree [PROFILE OPTION...]: the module on its own, in a build of the given name with the
# given options of CMake; the link keeps compilations findable when the repository moves.
prepare_wheel_tree() {
    find_trees
    TREE=$TREES/wheel-$WHEEL_WANTED-${1:-release}${DCFABRIC_CXX_STANDARD:+-cpp$DCFABRIC_CXX_STANDARD}
    mkdir -p "$TREE"
    ln -sfn "$ROOT" "$TREE/dcfabric"
    [ ! -f "$TREE/cmake-cache/build.ninja" ] || [ $# -gt 0 ] || return 0
    step "Configuring the stand-alone build in $TREE"
    if ! cmake -G Ninja -S "$TREE/dcfabric" -B "$TREE/cmake-cache" -Dns3_DIR="$WHEEL" \
        -DCMAKE_CXX_FLAGS="$(no_tree_names)" ${DCFABRIC_CXX_STANDARD:+-DCMAKE_CXX_STANDARD="$DCFABRIC_CXX_STANDARD"} \
        "${@:2}" >"$TREE/configure.log" 2>&1; then
        tail -n 40 "$TREE/configure.log" | indent >&2
        die "the stand-alone build could not be configured: see $TREE/configure.log"
    fi
}

# --- building ------------------------------------------------------------------------------------

jobs_here() {
    local cores memory
    cores=$(nproc)
    # A compiler may take a gigabyte; a machine that swaps is slower than one with a job less.
    memory=$(awk '/MemAvailable/ {print int($2 / 1000000)}' /proc/meminfo 2>/dev/null || echo "$cores")
    [ "$memory" -ge 1 ] || memory=1
    echo $((cores < memory ? cores : memory))
}

# A tree of our own: links to everything in NS3_SRC but its build results and other contributed
# modules. What the user has configured and built there stays as it is.
link_tree() {
    local entry name
    mkdir -p "$TREE/contrib" "$TREE/scratch"
    for entry in "$NS3_SRC"/* "$NS3_SRC"/.[a-z]*; do
        name=${entry##*/}
        case $name in
        build | cmake-cache | contrib | scratch | testpy-output | results | .git | .lock-ns3* | '*') continue ;;
        '.[a-z]*') continue ;;
        ns3) # newer ones work where the script really lies: a link would configure the given tree
            rm -f "$TREE/ns3"
            cp "$entry" "$TREE/ns3"
            continue
            ;;
        esac
        ln -sfn "$entry" "$TREE/$name"
    done
    ln -sfn "$NS3_SRC/scratch/CMakeLists.txt" "$TREE/scratch/CMakeLists.txt"
    ln -sfn "$ROOT" "$TREE/contrib/dcfabric"
}

# ns-3 leaves one stub per header in build/include/ns3; one of a header that has moved must go.
drop_stale_stubs() {
    local stub target
    [ -d "$TREE/build/include/ns3" ] || return 0
    grep -ls '/contrib/dcfabric/' "$TREE"/build/include/ns3/*.h 2>/dev/null | while read -r stub; do
        target=$(sed -n 's/^#include "\(.*\)"$/\1/p' "$stub")
        if [ -n "$target" ] && [ ! -e "$target" ]; then
            rm -f "$stub" "$TREE/.configured"
        fi
    done
}

# Open MPI, for runs of several processes. Fails where it is not there and cannot be installed.
prepare_mpi() {
    if have mpiexec && have mpic++; then return 0; fi
    apt_install openmpi-bin libopenmpi-dev && have mpiexec && have mpic++
}

# prepare_tree optimized|default. WITH_MPI=yes adds ns-3's module for MPI to the latter: all files are compiled otherwise
# with it, and a third tree would take minutes.
prepare_tree() {
    local profile=$1 modules='core;network;internet;traffic-control;point-to-point;applications;csma;dcfabric' options id python=python3
    id=$(printf '%s' "$NS3_SRC" | cksum | cut -d' ' -f1)
    find_trees
    TREE=$TREES/ns-$NS3_VERSION-$id-$profile
    link_tree
    options=(-G Ninja --build-profile="$profile" --disable-werror --enable-examples --filter-module-examples-and-tests=dcfabric)
    if [ "$profile-${WITH_MPI:-}" = default-yes ]; then
        options+=(--enable-mpi)
        modules+=';mpi'
    fi
    case $profile in
    optimized) options+=(--disable-tests --enable-modules=dcfabric -- -DCMAKE_CXX_FLAGS="$(no_tree_names)") ;;
    # Debug information, and what -O2 adds, take longer to make than the suites run.
    default) options+=(--enable-tests --enable-asserts --enable-logs --enable-modules="$modules"
        -- -DCMAKE_CXX_FLAGS="$(no_tree_names)" -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O1 -DNDEBUG') ;;
    esac
    # ns-3 copies a file and compiles nothing more
    if [ "$profile" = default ] && has_bindings; then
        python=$CACHE/wheel/bin/python3
        options=(--enable-python-bindings "${options[@]}" -DPython3_EXECUTABLE="$python")
    fi
    case $profile-$NS3_VERSION in
    default-3.37*) options+=(-DCMAKE_PROJECT_INCLUDE="$ROOT/.ci/ns3-unity.cmake") ;;
    esac
    drop_stale_stubs
    if [ ! -f "$TREE/cmake-cache/build.ninja" ] ||
        [ "$(cat "$TREE/.configured" 2>/dev/null)" != "${options[*]}" ]; then
        step "Configuring ns-3 $NS3_VERSION, profile $profile, in $TREE"
        if ! (cd "$TREE" && "$python" ./ns3 configure "${options[@]}") >"$TREE/configure.log" 2>&1; then
            tail -n 40 "$TREE/configure.log" | indent >&2
            die "ns-3 could not be configured: see $TREE/configure.log"
        fi
        echo "${options[*]}" >"$TREE/.configured"
    fi
}

# Where no sources of ns-3 are at hand the wheel is quickest: only this module has to be compiled.
prepare_quickest() {
    if find_given_ns3; then
        prepare_tree optimized
    elif find_wheel; then
        prepare_wheel_tree
    else
        find_debian_ns3
        prepare_tree optimized
    fi
}

build() {
    step "Building $* with $(jobs_here) jobs (profile ${TREE##*-})"
    cmake --build "$TREE/cmake-cache" -j "$(jobs_here)" --target "$@" ||
        die "the build failed: see the messages above"
    step "Built"
}

# program NAME: the path of a built example program.
program() {
    local found=$TREE/cmake-cache/examples/$1
    [ ! -x "$found" ] || {
        echo "$found"
        return
    }
    found=$(find "$TREE/build/contrib/dcfabric/examples" -maxdepth 1 -type f -name "ns3*-$1-*" 2>/dev/null | head -n 1)
    [ -n "$found" ] || found=$(find "$TREE/build/contrib/dcfabric/examples" -maxdepth 1 -type f -name "ns3*-$1" 2>/dev/null | head -n 1)
    [ -n "$found" ] || die "program $1 was not built in $TREE"
    echo "$found"
}
