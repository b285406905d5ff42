// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_SIZE_DISTRIBUTION_H
#define FLOW_SIZE_DISTRIBUTION_H

#include "ns3/fabric-text.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief An empirical distribution of flow sizes: knots of the cumulative distribution, linear
 * between.
 */
class FlowSizeDistribution
{
  public:
    /// One knot.
    struct Knot
    {
        double bytes;   //!< size, at least 0
        double percent; //!< share of flows not larger, 0 to 100
    };

    /**
     * @param knots at least two, sizes and percentages non-decreasing, the latter from 0 to 100
     * @param where place for messages
     * @throws FabricError if they are not, or if every size is zero
     */
    explicit FlowSizeDistribution(const std::vector<Knot>& knots,
                                  const FabricText& where = "flow-size distribution");

    /**
     * @brief A distribution that comes with the module, or one from a file.
     * @param name one of GetNames(), or `cdf:PATH`
     * @return the distribution
     * @throws FabricError for an unknown name, listing the known ones, or a malformed file
     */
    static FlowSizeDistribution FromName(const std::string& name);

    /// @return names of the distributions that come with the module
    static std::vector<std::string> GetNames();

    /**
     * @brief Read a file of lines `size_bytes percentile`. Percentiles that end at exactly 1
     * instead of 100 are taken as fractions, with a warning (see WarnFabric()).
     * @param path file to read
     * @return the distribution
     * @throws FabricError with file and line for everything that is not exactly the format
     */
    static FlowSizeDistribution FromFile(const std::string& path);

    /**
     * @brief Write a file that FromFile() reads back the same, digit by digit; it appears whole or
     * not at all.
     * @param path file to write
     * @throws FabricError if it cannot be written
     */
    void WriteFile(const std::string& path) const;

    /// @return mean size, bytes: over the knots, half the sum of neighboring sizes times the share
    /// between them
    double GetMeanBytes() const
    {
        return m_mean;
    }

    /**
     * @brief Invert the distribution.
     * @param p share of flows, 0 to 1 (values outside count as the nearer end)
     * @return the least size that the share p does not exceed, bytes, not rounded
     */
    double GetQuantile(double p) const;

    /**
     * @param p uniform between 0 and 1
     * @return GetQuantile(p) to the nearest byte, at least 1: a flow has something to send
     */
    uint64_t GetSizeBytes(double p) const;

    /// @return the knots
    const std::vector<Knot>& GetKnots() const
    {
        return m_knots;
    }

  private:
    std::vector<Knot> m_knots; //!< see the constructor
    double m_mean;             //!< bytes
};

} // namespace ns3

#endif /* FLOW_SIZE_DISTRIBUTION_H */
