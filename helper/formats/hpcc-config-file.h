// SPDX-License-Identifier: GPL-2.0-only
#ifndef HPCC_CONFIG_FILE_H
#define HPCC_CONFIG_FILE_H

#include "ns3/fabric-text.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @brief Configuration files (`config.txt`) of the HPCC and ConWeave simulators.
 *
 * A line is a key and its values, separated by white space. What begins with `{` is an explanation,
 * as in the `config_doc.txt` of the former; a key that begins with `#` is not read, as there. Keys
 * that neither simulator knows, repeated ones, missing values and wrong numbers are refused, where
 * those programs go on with what they have.
 */

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The keys and values of a configuration file, checked.
 *
 * What they mean for a simulation is not known here.
 */
class HpccConfigFile
{
  public:
    /// By rate of a link in bit/s: a threshold in bytes, or a probability.
    template <typename T>
    using RateMap = std::map<uint64_t, T>;

    /// LINK_DOWN.
    struct LinkDown
    {
        int64_t timePs; //!< after the begin of the flows, in ps; 0: no link goes down
        uint32_t a;     //!< one end
        uint32_t b;     //!< other end
    };

    /**
     * @brief Read a file.
     * @param path of the file
     * @throws FabricError with file and line
     */
    explicit HpccConfigFile(const std::string& path);

    /// @return the file as given
    const std::string& GetPath() const
    {
        return m_path;
    }

    /// @return true if the file is for ConWeave, which alone has LB_MODE and FLOWGEN_...
    bool IsConWeave() const
    {
        return Has("LB_MODE") || Has("FLOWGEN_START_TIME") || Has("FLOWGEN_STOP_TIME");
    }

    /**
     * @param key its name
     * @return true if the file has a key
     */
    bool Has(const std::string& key) const
    {
        return m_entries.count(key) != 0;
    }

    /**
     * @param key its name
     * @return file and line of a key that the file has
     */
    const std::string& GetPlace(const std::string& key) const
    {
        return m_entries.at(key).place;
    }

    /**
     * @param key a key that the file has
     * @return the first value as written
     */
    const std::string& GetText(const std::string& key) const
    {
        return m_entries.at(key).values.front();
    }

    /**
     * @param key a key that the file has
     * @return a whole number
     */
    uint64_t GetUint(const std::string& key) const;

    /**
     * @param key a key that the file has
     * @return a number
     */
    double GetDouble(const std::string& key) const;

    /**
     * @param key a key that the file has
     * @return a rate in bit/s
     */
    uint64_t GetRateBps(const std::string& key) const;

    /**
     * @param key a key that the file has
     * @return a time in ps
     */
    int64_t GetTimePs(const std::string& key) const;

    /// @return LINK_DOWN, which the file has
    LinkDown GetLinkDown() const;

    /**
     * @param key KMIN_MAP or KMAX_MAP, which the file has
     * @return thresholds in bytes by rate
     */
    RateMap<uint64_t> GetThresholds(const std::string& key) const;

    /**
     * @param key KMIN_MAP, KMAX_MAP or PMAX_MAP, which the file has
     * @return true if more values follow than its count promises; they are not read, as there
     */
    bool HasSurplus(const std::string& key) const;

    /// @return PMAX_MAP, which the file has
    RateMap<double> GetProbabilities() const;

    /**
     * @param key a key that the file has
     * @param message what is wrong with its value, and what would be right
     * @throws FabricError always, with file, line and key
     */
    [[noreturn]] void Refuse(const std::string& key, const FabricText& message) const;

    /// @return all keys that a file may have
    static std::vector<std::string> ListKeys();

  private:
    /// What stands on a line.
    struct Entry
    {
        std::vector<std::string> values; //!< behind the key, at least one
        std::string place;               //!< file and line
    };

    /// Check the values of a key by its kind.
    void Check(const std::string& key) const;

    /// @return pairs of rate and text
    std::vector<std::pair<uint64_t, std::string>> ReadMap(const std::string& key) const;

    /// @return where a value is, for messages
    std::string Where(const std::string& key) const
    {
        return GetPlace(key) + ": " + key;
    }

    std::string m_path;                     //!< as given
    std::map<std::string, Entry> m_entries; //!< by key
};

} // namespace ns3

#endif /* HPCC_CONFIG_FILE_H */
