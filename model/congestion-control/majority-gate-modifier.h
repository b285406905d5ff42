// SPDX-License-Identifier: GPL-2.0-only
#ifndef MAJORITY_GATE_MODIFIER_H
#define MAJORITY_GATE_MODIFIER_H

#include "gate-modifier.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Lets reductions take hold only while enough of the connection's paths are congested
 * ([Patent] (109) to (119)).
 *
 * The connection spreads its packets over a small set of paths, told apart by entropy. Each has an
 * exponential average of Signal of its own and is congested while that is at least PathThreshold.
 * An ACK tells of the path of the packet that triggered it and of no other: each packet has to have
 * its own (FabricNic::AckEvery 1). A notification of a queue counts for the path of its packet.
 * Reductions because of a loss or time-out are not withheld.
 */
class MajorityGateModifier : public GateModifier
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& /* network */) const override
    {
        return PolicyDefault::WhereMarksAreRead();
    }

    bool NeedsPathSet() const override
    {
        return true;
    }

    bool NeedsEachAck() const override
    {
        return true;
    }

    /// @copydoc CongestionModifier::Start It cannot if there are no small number of paths, or fewer
    /// than Majority.
    void Start(const PathInfo& path) override;
    void OnAck(const AckInfo& ack) override;
    void OnBts(const BtsNotice& notice) override;

    bool IsOpen() const override
    {
        return m_congested >= m_majority;
    }

    /// @return paths that are congested
    uint32_t GetNCongested() const
    {
        return m_congested;
    }

    /// @return how many have to be for a reduction to take hold
    uint32_t GetMajority() const
    {
        return m_majority;
    }

  private:
    /// A path.
    struct Path
    {
        uint16_t entropy;      //!< names it
        SignalAverage average; //!< over its packets
    };

    /// @return a path, new if it was not known
    Path& Find(uint16_t entropy);

    /// @return true if a path is congested
    bool IsCongested(const Path& path) const
    {
        return path.average.Get() >= m_pathThreshold;
    }

    /// A path has been congested or not, and may have changed.
    void Count(bool before, bool after);

    double m_pathThreshold;       //!< attribute
    uint32_t m_majorityAttribute; //!< attribute
    uint32_t m_majority{1};       //!< that many or more let reductions take hold
    uint32_t m_congested{0};      //!< paths that are
    std::vector<Path> m_paths;    //!< of which an ACK came
};

} // namespace ns3

#endif /* MAJORITY_GATE_MODIFIER_H */
