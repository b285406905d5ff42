// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief By how much the cuts of a connection are scaled.
 */
#ifndef CUT_RATIO_H
#define CUT_RATIO_H

#include "congestion-modifier.h"

#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The ratio, 0 to 1, by which RatioCutModifier scales a cut ([Patent] (88)). A function of
 * one's own is a class with a TypeId.
 *
 * One instance may serve many PDCs: it has no state.
 */
class CutRatio : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param proposal with window and rate in force
     * @param path the connection
     * @param maxWindow Wmax in bytes
     * @return the ratio; what lies beyond 0 and 1 counts as these
     */
    virtual double Get(const CongestionProposal& proposal,
                       const PathInfo& path,
                       uint64_t maxWindow) const = 0;
};

/**
 * @ingroup dcfabric
 * @brief Rate over line rate.
 */
class RateCutRatio : public CutRatio
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param proposal with the rate in force
     * @param path the connection
     * @return the ratio
     */
    static double Of(const CongestionProposal& proposal, const PathInfo& path)
    {
        return proposal.oldRate / static_cast<double>(path.lineRateBps);
    }

    double Get(const CongestionProposal& proposal,
               const PathInfo& path,
               uint64_t /* maxWindow */) const override
    {
        return Of(proposal, path);
    }
};

/**
 * @ingroup dcfabric
 * @brief Window over Wmax; 1 without a window.
 */
class WindowCutRatio : public CutRatio
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param proposal with the window in force
     * @param maxWindow Wmax in bytes
     * @return the ratio
     */
    static double Of(const CongestionProposal& proposal, uint64_t maxWindow);

    double Get(const CongestionProposal& proposal,
               const PathInfo& /* path */,
               uint64_t maxWindow) const override
    {
        return Of(proposal, maxWindow);
    }
};

/**
 * @ingroup dcfabric
 * @brief The product of both.
 */
class ProductCutRatio : public CutRatio
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    double Get(const CongestionProposal& proposal,
               const PathInfo& path,
               uint64_t maxWindow) const override;
};

} // namespace ns3

#endif /* CUT_RATIO_H */
