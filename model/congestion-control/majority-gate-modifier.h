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
 * What a path has told counts for a round trip. A connection with few packets under way is on few
 * of its paths: then more than half of these have to be congested, and with Majority that many of
 * all paths, or all of these.
 *
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
        return m_open;
    }

    /// @return paths that are congested
    uint32_t GetNCongested() const
    {
        return m_congested;
    }

    /// @return how many have to be for a reduction to take hold, of all paths
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
        int64_t updatedPs;     //!< when an ACK or a notification told of it last
    };

    /**
     * @param entropy names it
     * @return a path, new if it was not known
     */
    Path& Find(uint16_t entropy);

    /**
     * @brief Count paths that are in use, and open or close.
     * @param nowPs time in ps
     */
    void Count(int64_t nowPs);

    /// @return true if a path is congested
    bool IsCongested(const Path& path) const
    {
        return path.average.Get() >= m_pathThreshold;
    }

    double m_pathThreshold;       //!< average from which on a path is congested
    uint32_t m_majorityAttribute; //!< congested paths from which on reductions take hold
    uint32_t m_majority{1};       //!< that many or more let reductions take hold
    uint32_t m_congested{0};      //!< paths that are
    int64_t m_roundTripPs{0};     //!< of the last ACK, at least the base RTT
    uint32_t m_taken{1};          //!< paths that packets under way can have taken, at most
    bool m_open{false};           //!< reductions take hold
    std::vector<Path> m_paths;    //!< of which an ACK came
};

} // namespace ns3

#endif /* MAJORITY_GATE_MODIFIER_H */
