// SPDX-License-Identifier: GPL-2.0-only
#ifndef VIA_FEATURE_H
#define VIA_FEATURE_H

#include "ns3/flow-port-table.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/switch-feature.h"
#include "ns3/via-plan.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Base class of routing that is not minimal: the switch at which a packet enters the network
 * may send it by way of another switch, the via.
 *
 * The decision is made once, for packets of all kinds that come from a host, or once more
 * where the plan says so (ViaPlan::MayChooseAgain()). Up to where ViaPlan ends the first part,
 * FabricPacketItem::dst is the via, and forwarding knows no difference. Without a plan the feature
 * does nothing.
 */
class ViaFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    ViaFeature();

    /**
     * @brief Set what the topology says.
     * @param plan the same at all switches
     */
    void SetPlan(std::shared_ptr<const ViaPlan> plan)
    {
        m_plan = std::move(plan);
    }

    // from SwitchFeature
    uint32_t GetHooks() const override
    {
        return RECEIVE;
    }

    const char* GetClash() const override;
    Effects GetEffects() const override;
    Counters GetCounters() const override;
    void Attach(FabricSwitch* sw, uint32_t number) override;
    int64_t AssignStreams(int64_t stream) override;
    bool OnReceive(FabricNetDevice& ingress, FabricPacketItem& item) override;

  protected:
    /**
     * @param port of this switch
     * @return address of the switch at its other end, or ViaPlan::NONE
     */
    uint32_t GetPeer(uint16_t port) const
    {
        return m_peers[port];
    }

    /**
     * @param item a packet that enters the network here
     * @param via by way of which it may go; there is a way
     * @return true if it shall
     */
    virtual bool TakesVia(const FabricPacketItem& item, uint32_t via) const = 0;

    /**
     * @param address of a receiver or a via
     * @param item the packet
     * @return the port by which it would leave this switch now; FabricPacketItem::NO_PORT if there
     * is none that is up
     */
    uint16_t FindPort(uint32_t address, const FabricPacketItem& item) const;

    std::shared_ptr<const ViaPlan> m_plan; //!< of the network

  private:
    /// @return the via for a packet that chooses here; ViaPlan::NONE: straight
    uint32_t Choose(const FabricPacketItem& item);
    /// @return a via for a packet, whatever its flow took before
    uint32_t ChooseAnew(const FabricPacketItem& item);

    /// What is decided of packets that come by a port.
    enum class Choice : uint8_t
    {
        NONE,  //!< they keep their ways
        FIRST, //!< a host is at the other end
        AGAIN  //!< what came straight from there may get a via
    };

    std::vector<Choice> m_choices;       //!< by port
    std::vector<uint32_t> m_peers;       //!< by port: address of a switch, or ViaPlan::NONE
    Ptr<UniformRandomVariable> m_random; //!< for Draw()
    Time m_flowletGap;                   //!< pause after which a flow may change between ways
    FlowPortTable m_flows;               //!< via of the present flowlet of each
    uint64_t m_minimalPackets{0};        //!< that went straight
    uint64_t m_nonMinimalPackets{0};     //!< that went via another switch
    uint64_t m_divertedPackets{0};       //!< that went straight at first, and via another from here
};

/**
 * @ingroup dcfabric
 * @brief Valiant routing: every packet goes by way of a switch that is drawn, if there is one for
 * its destination. Any traffic then loads the network as evenly as uniform traffic, at twice the
 * hops.
 */
class ValiantFeature : public ViaFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    bool TakesVia(const FabricPacketItem& item, uint32_t via) const override;
};

/**
 * @ingroup dcfabric
 * @brief UGAL-L (Singh, 2005; Kim et al., ISCA 2008): of the minimal way and one by way of a switch
 * that is drawn a packet takes the one that promises less delay, judged by the queues of this
 * switch.
 *
 * The minimal way is taken if q_min H_min <= q_via H_via + Bias: q is the time that what waits for
 * the first port of a way takes on the wire, H its number of links between switches. UGAL-G would
 * look at the queues of the global links themselves, which no switch knows of another.
 */
class UgalFeature : public ViaFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    Effects GetEffects() const override;

  protected:
    bool TakesVia(const FabricPacketItem& item, uint32_t via) const override;

  private:
    /// @return time in ps that what waits for a port takes on the wire
    int64_t GetWaitPs(uint16_t port) const;

    /// Wait times links by which the minimal way may be worse and is taken nevertheless
    Time m_bias;
};

} // namespace ns3

#endif /* VIA_FEATURE_H */
