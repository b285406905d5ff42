// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Policies of one's own in a shared library, which dcfabric-sim loads: the option `library`.
 *
 * The library has classes as the module has them, derived from CongestionControl and others, which
 * options then choose by TypeId, as `--cc=ns3::MyCongestionControl`. One of its files has
 * DCFABRIC_POLICY_LIBRARY.
 */
#ifndef POLICY_LIBRARY_H
#define POLICY_LIBRARY_H

#include "ns3/congestion-control.h"
#include "ns3/dcfabric-version.h"
#include "ns3/load-balancer.h"
#include "ns3/path-selector.h"
#include "ns3/switch-feature.h"

#include <cstddef>
#include <cstdint>
#include <string>

#if __has_include("ns3/version-defines.h")
#include "ns3/version-defines.h"
#endif

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a library was compiled against. It is read from the file before any of its code runs.
 */
struct PolicyLibraryStamp
{
    static constexpr std::size_t TEXT = 16; //!< bytes of a text with its end

    char magic[2 * TEXT];   //!< see MakePolicyLibraryStamp()
    char version[TEXT];     //!< of this module
    char ns3Version[TEXT];  //!< empty: its headers do not tell
    uint32_t stringAbi;     //!< of the standard library: _GLIBCXX_USE_CXX11_ABI
    uint32_t classBytes[5]; //!< sizes of classes that policies derive from
};

/**
 * @ingroup dcfabric
 * @param ns3Version what is known of it
 * @return the stamp of what is compiled now
 */
constexpr PolicyLibraryStamp
MakePolicyLibraryStamp(const char* ns3Version)
{
    PolicyLibraryStamp stamp{};
    const auto copy = [](const char* from, char* to, std::size_t most) {
        for (std::size_t i = 0; i + 1 < most && from[i] != '\0'; ++i)
        {
            to[i] = from[i];
        }
    };
    copy("dcfabric policy library\n1", stamp.magic, sizeof(stamp.magic));
    copy(DCFABRIC_VERSION, stamp.version, sizeof(stamp.version));
    copy(ns3Version, stamp.ns3Version, sizeof(stamp.ns3Version));
#ifdef _GLIBCXX_USE_CXX11_ABI
    stamp.stringAbi = _GLIBCXX_USE_CXX11_ABI;
#endif
    stamp.classBytes[0] = sizeof(Object);
    stamp.classBytes[1] = sizeof(CongestionControl);
    stamp.classBytes[2] = sizeof(LoadBalancer);
    stamp.classBytes[3] = sizeof(PathSelector);
    stamp.classBytes[4] = sizeof(SwitchFeature);
    return stamp;
}

#if defined(DCFABRIC_NS3_VERSION)
/// Version of ns-3 as the build knows it.
#define DCFABRIC_COMPILED_NS3 DCFABRIC_NS3_VERSION
#elif defined(NS3_VERSION_TAG)
#define DCFABRIC_COMPILED_NS3 NS3_VERSION_TAG
#else
#define DCFABRIC_COMPILED_NS3 ""
#endif

/// Stands once in a library of policies, outside of functions and namespaces.
#define DCFABRIC_POLICY_LIBRARY                                                                    \
    [[gnu::used]] static constexpr ::ns3::PolicyLibraryStamp g_dcfabricPolicyLibrary =             \
        ::ns3::MakePolicyLibraryStamp(DCFABRIC_COMPILED_NS3)

/**
 * @ingroup dcfabric
 * @param load value of the option `load`
 * @return true if it is the path of a library and no number: it ends with `.so` or has a slash
 */
bool IsPolicyLibraryPath(const std::string& load);

/**
 * @ingroup dcfabric
 * @brief Load a library of policies, unless it is loaded; it stays until the process ends.
 * @param path of the file
 * @throws FabricError if it cannot be read or loaded, has no DCFABRIC_POLICY_LIBRARY, or was
 * compiled against another version
 */
void LoadPolicyLibrary(const std::string& path);

} // namespace ns3

#endif /* POLICY_LIBRARY_H */
