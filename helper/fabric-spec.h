// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_SPEC_H
#define FABRIC_SPEC_H

#include "ns3/fabric-text.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A choice with parameters as written on the command line: `name`,
 * `name:key=value,key=value` or `name:PATH`.
 *
 * Usage: construct, look at GetName(), then either GetArgument() for names that take a path, or
 * ExpectKeys() once and the typed getters. Everything that cannot be understood throws FabricError;
 * nothing is skipped.
 */
class FabricSpec
{
  public:
    /// Names, and what they stand for.
    using Aliases = std::vector<std::pair<std::string, std::string>>;

    /**
     * @brief Split off the name.
     * @param text what the user wrote
     * @param what what is being chosen, for messages, such as `topology`
     * @throws FabricError if the name is empty, or if nothing follows the colon
     */
    FabricSpec(const std::string& text, const std::string& what);

    /// @return the part before the first colon
    const std::string& GetName() const
    {
        return m_name;
    }

    /**
     * @param meaning what is expected after the colon, for messages, such as `PATH`
     * @return everything after the first colon, unparsed
     * @throws FabricError if there is nothing
     */
    const std::string& GetArgument(const std::string& meaning) const;

    /**
     * @brief Parse `key=value` pairs; must precede the getters below.
     * @param known keys that this name understands, possibly none
     * @param aliases other names of keys, each with its key
     * @throws FabricError for a pair without `=`, an empty value, an unknown or a repeated key
     */
    void ExpectKeys(const std::vector<std::string>& known, const Aliases& aliases = {});

    /**
     * @param key a key
     * @return true if the user gave it
     */
    bool Has(const std::string& key) const
    {
        return Find(key) != nullptr;
    }

    /**
     * @param key a key
     * @param fallback value if the key was not given
     * @return the text of the value
     */
    std::string GetString(const std::string& key, const std::string& fallback) const;

    /**
     * @param key a key
     * @param fallback value if the key was not given
     * @param min least value accepted
     * @param max largest value accepted
     * @return a whole number
     */
    uint64_t GetUint(const std::string& key, uint64_t fallback, uint64_t min, uint64_t max) const;

    /**
     * @param key a key
     * @param fallback value if the key was not given
     * @param min least value accepted
     * @param max largest value accepted
     * @return a real number
     */
    double GetDouble(const std::string& key, double fallback, double min, double max) const;

    /**
     * @param key a key
     * @param fallback value if the key was not given, bytes
     * @param max largest value accepted
     * @return a size in bytes, at least 1; written with B, kB, KB, MB, GB (decimal), KiB, MiB, GiB
     * or no unit
     */
    uint64_t GetSizeBytes(const std::string& key,
                          uint64_t fallback,
                          uint64_t max = UINT64_MAX) const;

    /**
     * @param key a key
     * @param fallback value if the key was not given, in ps
     * @param max largest value accepted, in ps
     * @return a time with a unit, at least 0, in ps
     */
    int64_t GetTimePs(const std::string& key, int64_t fallback, int64_t max = INT64_MAX) const;

  private:
    /// @return its value, or nullptr if it was not given
    const std::string* Find(const std::string& key) const;

    /// @return place for messages, such as `topology 'fat-tree:k=x', key k`
    FabricText Where(const std::string& key) const;

    std::string m_text;                                        //!< as written
    std::string m_what;                                        //!< what is chosen
    std::string m_name;                                        //!< before the colon
    std::string m_argument;                                    //!< after it
    std::vector<std::pair<std::string, std::string>> m_values; //!< in the order written
};

/**
 * @ingroup dcfabric
 * @param names some names
 * @return `a, b, c`, for messages
 */
std::string JoinFabricNames(const std::vector<std::string>& names);

/**
 * @ingroup dcfabric
 * @param name what a user wrote
 * @param known names that exist, at least one
 * @return the known name to which the fewest letters have to be added, taken away, changed or
 * swapped, where the missing end of a name counts for two at most; the first of several
 */
std::string FindNearestFabricName(const std::string& name, const std::vector<std::string>& known);

/**
 * @ingroup dcfabric
 * @param name what a user wrote and does not exist
 * @param known names that exist, at least one
 * @return `known: a, b, c; the nearest is a`, for messages
 */
std::string ListFabricNames(const std::string& name, const std::vector<std::string>& known);

/**
 * @ingroup dcfabric
 * @brief Refuse a name that does not exist.
 * @param name what a user wrote
 * @param known names that exist, at least one
 * @param what what is being chosen, such as `topology`
 * @throws FabricError always
 */
[[noreturn]] void RefuseFabricName(const std::string& name,
                                   const std::vector<std::string>& known,
                                   const FabricText& what);

/**
 * @ingroup dcfabric
 * @param table entries with a member `name`, at least one
 * @param name what a user wrote
 * @param what what is being chosen, for messages
 * @return the entry of that name
 * @throws FabricError if there is none, listing the known ones
 */
template <typename Table>
const auto&
FindFabricName(const Table& table, const std::string& name, const FabricText& what)
{
    for (const auto& entry : table)
    {
        if (entry.name == name)
        {
            return entry;
        }
    }
    std::vector<std::string> known;
    for (const auto& entry : table)
    {
        known.emplace_back(entry.name);
    }
    RefuseFabricName(name, known, what);
}

} // namespace ns3

#endif /* FABRIC_SPEC_H */
