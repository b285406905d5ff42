// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONWEAVE_FEATURE_H
#define CONWEAVE_FEATURE_H

#include "conweave-receiver.h"
#include "conweave-sender.h"
#include "edge-path-feature.h"

#include "ns3/conweave-packet.h"
#include "ns3/flow-key.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/wire-format.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace ns3
{

class LogComponent;

/**
 * @ingroup dcfabric
 * @brief ConWeave ([CONWEAVE]_) on a switch: a flow changes its way when a packet is slow, and the
 * last switch puts what overtakes in order again.
 *
 * ConweaveSender and ConweaveReceiver decide for each flow of data; this class tags packets, draws
 * ways, holds and releases packets, and exchanges control packets (ConweaveFields). A way that the
 * last switch has reported as marked is bad for a while and not drawn; two ways are drawn for each
 * packet. Packets that are held take no room of the switch's buffer.
 */
class ConweaveFeature : public EdgePathFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    ConweaveFeature();

    // from SwitchFeature
    uint32_t GetHooks() const override;
    Effects GetEffects() const override;
    Counters GetCounters() const override;
    /// @copydoc SwitchFeature::Attach @throws FabricError also for a buffer that holds packets
    void Attach(FabricSwitch* sw, uint32_t number) override;
    int64_t AssignStreams(int64_t stream) override;
    bool OnReceive(FabricNetDevice& ingress, FabricPacketItem& item) override;
    bool OnConsume(FabricNetDevice& ingress, FabricPacketItem& item) override;
    void OnTimer(int64_t nowPs) override;

    /**
     * @param flow of a host here
     * @return what is known of it; null: nothing
     */
    const ConweaveSender* FindSender(const FlowKey& flow) const;

    /**
     * @param flow to a host here
     * @return what is known of it; null: nothing
     */
    const ConweaveReceiver* FindReceiver(const FlowKey& flow) const;

    /**
     * @param edge another edge switch
     * @param path a way to it
     * @return true if it has been reported as marked, not long ago
     */
    bool IsBad(uint32_t edge, uint32_t path) const;

  protected:
    void DoDispose() override;

  private:
    static LogComponent g_log; //!< of this class

    /// @return times of flows that end here
    ConweaveReceiver::Times GetTimes() const;
    /// A data packet enters the network here.
    void Send(FabricPacketItem& item);
    /// @return a way to a host that is usable and not bad, EdgePath::NONE if two draws find none
    uint32_t DrawPath(const Edge& ways, uint32_t edge, uint32_t host);
    /// A data packet leaves the network here. @return true if it is held
    bool Arrive(FabricPacketItem& item);
    /// Send what is held of a flow.
    void Release(uint64_t flow, ConweaveReceiver& receiver);
    /// Have a flow released at its time.
    void Plan(uint64_t flow, int64_t formerPs, int64_t timePs);
    /// Tell the switch from which a packet came something about its flow.
    void Reply(const FabricPacketItem& data, ConweaveFields::Kind kind);
    /// Forget flows that have paused for long.
    void Prune(int64_t nowPs);

    Time m_baseRtt;                      //!< between edge switches; 0: as in the plan
    Time m_replyExtra;                   //!< by which a reply may take longer
    Time m_flushExtra;                   //!< by which a tail may take longer
    Time m_defaultWait;                  //!< for a tail of which nothing is known
    Time m_expiry;                       //!< pause after which nothing of a flow is on its way
    Time m_pathPause;                    //!< for which a way is bad
    Ptr<WireFormat> m_wire;              //!< sizes
    uint8_t m_controlClass{0};           //!< of control packets
    Ptr<UniformRandomVariable> m_random; //!< of this switch

    std::unordered_map<uint64_t, ConweaveSender> m_senders;      //!< by flow
    std::unordered_map<uint64_t, ConweaveReceiver> m_receivers;  //!< by flow
    std::set<std::pair<int64_t, uint64_t>> m_releases;           //!< when, which flow
    std::map<std::pair<uint32_t, uint32_t>, int64_t> m_badUntil; //!< by edge switch and way
    std::map<std::pair<uint32_t, uint32_t>, int64_t> m_toldAt;   //!< likewise: NOTIFY sent
    std::size_t m_pruneAt{1024};                                 //!< flows at which to look for old
    uint64_t m_nEpochs{0};                                       //!< that began here
    uint64_t m_nMoves{0};                                        //!< tails that were sent here
    uint64_t m_nHeld{0};                                         //!< packets that were held here
    uint64_t m_nNotified{0};                                     //!< NOTIFY sent
};

} // namespace ns3

#endif /* CONWEAVE_FEATURE_H */
