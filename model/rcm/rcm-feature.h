// SPDX-License-Identifier: GPL-2.0-only
#ifndef RCM_FEATURE_H
#define RCM_FEATURE_H

#include "rcm-parameters.h"
#include "rcm-region.h"
#include "rcm-window.h"

#include "ns3/detour-table.h"
#include "ns3/output-filter.h"
#include "ns3/phantom-queue.h"
#include "ns3/random-variable-stream.h"
#include "ns3/switch-feature.h"
#include "ns3/wire-format.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class LogComponent;

/**
 * @ingroup dcfabric
 * @brief Regional congestion mitigation on a switch with virtual output queues ([RCM]): wires its
 * parts to the ports, for the class of data.
 *
 * At each output: detectors of the output queue and of each input queue of it (QcnCongestionPoint),
 * the place in the region with the harmful flows (RcmRegion), the window (RcmWindow). At a sample
 * the region learns the degree, the window is cut, and the neighbor behind the input is told
 * (NOTICE). What a neighbor tells concerns the output that leads to it. Heads of harmful flows
 * whose window is used up stay in their input queues (OutputFilter). Hosts are not told: they would
 * not know what to do, and flow control stops them. While it is known who does harm at an output
 * its queue marks these flows only: to it packets of others are not ECN-capable.
 */
class RcmFeature : public SwitchFeature, private OutputFilter
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RcmFeature();
    ~RcmFeature() override;

    uint32_t GetHooks() const override;
    const char* GetClash() const override;
    Effects GetEffects() const override;
    Counters GetCounters() const override;
    /// @copydoc SwitchFeature::Attach @throws FabricError also if the memory has no input queues
    void Attach(FabricSwitch* sw, uint32_t number) override;
    int64_t AssignStreams(int64_t stream) override;
    bool OnConsume(FabricNetDevice& ingress, FabricPacketItem& item) override;
    void OnChoosePath(const PortGroup& group, FabricPacketItem& item, uint16_t& port) override;
    void OnAdmit(FabricNetDevice& ingress,
                 FabricNetDevice& egress,
                 FabricPacketItem& item) override;
    void OnEnqueue(FabricNetDevice& egress, FabricPacketItem& item) override;
    void OnDequeue(FabricNetDevice& egress, FabricPacketItem& item) override;
    void OnDrop(FabricPacketItem& item, DropReason reason, const FabricNetDevice* egress) override;
    void OnLinkChange(FabricNetDevice& port) override;
    void OnTimer(int64_t nowPs) override;

    /**
     * @param port output
     * @return its place in the region
     */
    const RcmRegion& GetRegion(uint16_t port) const;

    /**
     * @param port output
     * @return its window
     */
    const RcmWindow& GetWindow(uint16_t port) const;

  protected:
    void DoDispose() override;

  private:
    static LogComponent g_log; //!< of this class

    /// An output.
    struct Output;

    // from OutputFilter
    bool MayPass(uint16_t output, const FabricPacketItem& head) override;
    int64_t GetRetryPs(uint16_t output) const override;

    /**
     * @param item any
     * @return true if it belongs to a flow of the class
     */
    bool IsRegional(const FabricPacketItem& item) const
    {
        return item.GetPriority() == m_dataClass && !item.IsControl();
    }

    /// @brief A random number that decided on a sample is not to decide again.
    void Renew();

    /**
     * @param input port
     * @param port output
     * @return bytes in the queue of an input
     */
    uint64_t GetInputBytes(uint16_t input, uint16_t port) const;

    /**
     * @param port output
     * @return bytes that wait for it, wherever in the switch
     */
    uint64_t GetWaitingBytes(uint16_t port) const;

    /**
     * @param port output
     * @param bytes any
     * @return time that they take on its line, in ps
     */
    int64_t GetLinePs(uint16_t port, uint64_t bytes) const;

    /**
     * @brief A packet has left a queue of an output that is congested.
     * @param port output
     * @param queue number among its queues
     * @param bytes in it now
     */
    void OnLeft(uint16_t port, uint16_t queue, uint64_t bytes);

    /**
     * @brief A sample of a queue of an output is due: detect, control, tell.
     * @param port output
     * @param queue number among its queues
     * @param bytes in it now
     */
    void Sample(uint16_t port, uint16_t queue, uint64_t bytes);

    /**
     * @brief Tell the neighbor at an input.
     * @param input port
     * @param port output for which its packets wait
     * @param degree of their queue; 0: over
     */
    void Tell(uint16_t input, uint16_t port, double degree);

    /**
     * @brief Send a notification.
     * @param input port, behind which there is a switch
     * @param notification all but its class
     */
    void Send(uint16_t input, HopCongestionNotification& notification);

    /**
     * @brief The state of an output was looked at: begin, go on with or end control.
     * @param port which
     * @param degree congestion degree to cut by; 0: none
     */
    void Cut(uint16_t port, double degree);

    /**
     * @brief A flow whose output calls for detours may move.
     * @param group its ways
     * @param flow which
     * @param present where it is
     * @return where it is to go
     */
    uint16_t ChooseAnother(const PortGroup& group, const FlowKey& flow, uint16_t present);

    /**
     * @param port output
     * @return true if flows are to leave it
     */
    bool CallsForDetours(uint16_t port) const;

    Ptr<RcmParameters> m_parameters;     //!< what all parts read
    Ptr<WireFormat> m_wire;              //!< sizes on the wire
    uint8_t m_dataClass{3};              //!< class that is controlled
    uint8_t m_controlClass{6};           //!< class of the notifications
    bool m_control{true};                //!< harmful flows are held back (RCC)
    bool m_detour{true};                 //!< other flows are led around congestion (SAR)
    bool m_markHarmfulOnly{true};        //!< in the region output queues mark harmful flows only
    Ptr<UniformRandomVariable> m_random; //!< draws
    double m_draw{0};                    //!< the next one
    std::vector<std::unique_ptr<Output>> m_outputs; //!< by port
    std::vector<uint64_t> m_rates;                  //!< of the lines by port, bit/s
    std::unique_ptr<DetourTable> m_detours;         //!< flows that go another way
    std::vector<DetourTable::Path> m_paths;         //!< scratch
    const FabricPacketItem* m_routedItem{nullptr};  //!< packet whose path was chosen last
    uint16_t m_routedPort{0};                       //!< port that it had before
    DetourTable::Settling m_settling{};             //!< of its move
    uint64_t m_notifications{0};                    //!< sent
    uint64_t m_detouredPackets{0};                  //!< that went another way
};

} // namespace ns3

#endif /* RCM_FEATURE_H */
