// SPDX-License-Identifier: GPL-2.0-only
#include "policy-library.h"

#include "scenario-version.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <system_error>

namespace ns3
{

namespace
{

/// @return the bytes of a file
std::string
ReadBytes(const std::string& path, const FabricText& where)
{
    std::error_code error;
    std::ifstream file(path, std::ios::binary);
    if (!std::filesystem::is_regular_file(path, error) || !file)
    {
        throw FabricError(where + ": cannot be read; name the file of a library, as "
                                  "build/libmine.so");
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

/// @return the stamp in a library; none if there is none
std::optional<PolicyLibraryStamp>
FindStamp(const std::string& bytes, const PolicyLibraryStamp& ours)
{
    const std::string magic(ours.magic, sizeof(ours.magic));
    const std::size_t at = bytes.find(magic);
    if (at == std::string::npos || bytes.size() - at < sizeof(ours))
    {
        return std::nullopt;
    }
    PolicyLibraryStamp theirs;
    std::memcpy(&theirs, bytes.data() + at, sizeof(theirs));
    theirs.version[PolicyLibraryStamp::TEXT - 1] = '\0';
    theirs.ns3Version[PolicyLibraryStamp::TEXT - 1] = '\0';
    return theirs;
}

/// @return what a stamp says for people
std::string
Describe(const PolicyLibraryStamp& stamp)
{
    const std::string ns3 = *stamp.ns3Version ? stamp.ns3Version : "an unknown version";
    return std::string("dcfabric ") + stamp.version + " and ns-3 " + ns3;
}

/// @return true if two versions are the same, or one is not known
bool
IsSame(const char* a, const char* b)
{
    return std::strcmp(a, b) == 0 || *a == '\0' || *b == '\0';
}

} // namespace

bool
IsPolicyLibraryPath(const std::string& load)
{
    const std::string end = ".so";
    return load.find('/') != std::string::npos ||
           (load.size() > end.size() &&
            load.compare(load.size() - end.size(), end.size(), end) == 0);
}

void
LoadPolicyLibrary(const std::string& path)
{
    static std::set<std::string> loaded;
    const std::string full = std::filesystem::absolute(path).lexically_normal().string();
    if (loaded.count(full) != 0)
    {
        return;
    }
    const FabricText where = FabricTerm::Option("library", path);
    const std::string version = GetNs3Version();
    const PolicyLibraryStamp ours =
        MakePolicyLibraryStamp(version == "unknown" ? "" : version.c_str());
    const auto theirs = FindStamp(ReadBytes(full, where), ours);
    if (!theirs)
    {
        throw FabricError(where + ": is no library of policies; 'dcfabric build' makes one of a "
                                  "folder of sources, of which one has DCFABRIC_POLICY_LIBRARY; "
                                  "(ns3/policy-library.h)");
    }
    if (std::strcmp(theirs->version, ours.version) != 0 ||
        !IsSame(theirs->ns3Version, ours.ns3Version))
    {
        throw FabricError(where + ": was compiled for " + Describe(*theirs) + ", this program is " +
                          Describe(ours) + "; compile it again");
    }
    if (theirs->stringAbi != ours.stringAbi ||
        !std::equal(std::begin(ours.classBytes), std::end(ours.classBytes), theirs->classBytes))
    {
        throw FabricError(where + ": was compiled with other settings than this program, whose "
                                  "classes have other sizes; compile it again with the same");
    }
    if (!dlopen(full.c_str(), RTLD_NOW | RTLD_LOCAL))
    {
        const char* reason = dlerror();
        throw FabricError(where + ": cannot be loaded: " +
                          EscapeFabricText(reason ? reason : "no reason given", 400));
    }
    loaded.insert(full);
}

} // namespace ns3
