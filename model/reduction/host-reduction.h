// SPDX-License-Identifier: GPL-2.0-only
#ifndef HOST_REDUCTION_H
#define HOST_REDUCTION_H

#include "reduction-lane.h"

#include "ns3/host-protocol.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class FabricNic;

/**
 * @ingroup dcfabric
 * @brief The host's part in in-network reduction (doc/reduction.rst): sends its vectors, packet by
 * packet, into the trees that it is in, and repairs what is lost.
 */
class HostReduction : public HostProtocol
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    HostReduction();
    ~HostReduction() override;

    /**
     * @brief Serve a NIC.
     * @param nic outlives this object
     */
    void Attach(FabricNic& nic);

    /// @return attribute Window: most packets without result of a host in each tree; 0: as many as
    /// keep the links of the tree busy
    uint32_t GetWindow() const
    {
        return m_window;
    }

    /**
     * @brief Take part in a tree.
     * @param settings of it; its port is one of the NIC
     * @return the host's lane, which lives as long as this object
     */
    ReductionLane& AddLane(const ReductionLane::Settings& settings);

    /**
     * @brief Send what a lane has got to send.
     * @param lane one of this host
     */
    void Activate(const ReductionLane& lane);

    /// @return lanes, in the order of adding
    const std::vector<std::unique_ptr<ReductionLane>>& GetLanes() const
    {
        return m_lanes;
    }

    /// @return how long a lane waits for a result, in ps. @param rttPs round trip in its tree
    int64_t GetTimeoutPs(int64_t rttPs) const;

    // from HostProtocol
    bool Takes(FabricPacketType type) const override;
    bool HasPacket(const FabricNetDevice& port) const override;
    Ptr<FabricPacketItem> Take(FabricNetDevice& port) override;
    void OnPacket(FabricNetDevice& port, const FabricPacketItem& item) override;
    void OnTimer(int64_t nowPs) override;

  protected:
    void DoDispose() override;

  private:
    /// Have OnTimer() called, at the latest at a time.
    void ArmFor(int64_t atPs);

    uint32_t m_window;                                   //!< attribute
    Time m_timeout;                                      //!< attribute
    FabricNic* m_nic{nullptr};                           //!< the NIC
    std::vector<std::unique_ptr<ReductionLane>> m_lanes; //!< in the order of adding
    std::vector<std::vector<ReductionLane*>> m_ofPort;   //!< by port
    std::vector<std::size_t> m_turn;                     //!< by port: which of its lanes is next
    int64_t m_armedPs;                                   //!< when OnTimer() is called next
};

} // namespace ns3

#endif /* HOST_REDUCTION_H */
