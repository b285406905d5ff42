// SPDX-License-Identifier: GPL-2.0-only
#ifndef SHIELD_FEATURE_H
#define SHIELD_FEATURE_H

#include "switch-feature.h"

#include "ns3/wire-format.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class LogComponent;

/**
 * @ingroup dcfabric
 * @brief Self-healing: a switch that has lost its last port to destinations tells its neighbors at
 * once, and these use it no longer for them. One that has no other port then tells on.
 *
 * A port is lost for a destination when its link has been down for FabricSwitch::DetectionTime, or
 * when the switch behind it has told so. Packets whose port is lost take another one of their group
 * that is not, by a hash of their flow; where there is none they go on as before. A notice
 * (ShieldNotice) names all that its sender has lost, and replaces the one before; the first after a
 * link has come up replaces all that was told by it. A switch that comes back after it has failed
 * tells all its neighbors what it has lost meanwhile.
 *
 * Ways are those of the tables: notices find no longer ones, so that nothing goes in circles.
 */
class ShieldFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t GetHooks() const override;
    const char* GetClash() const override;
    Counters GetCounters() const override;
    /// @copydoc SwitchFeature::Attach @throws FabricError beside what leads packets by other rules
    void Attach(FabricSwitch* sw, uint32_t number) override;
    bool OnConsume(FabricNetDevice& ingress, FabricPacketItem& item) override;
    void OnChoosePath(const PortGroup& group, FabricPacketItem& item, uint16_t& port) override;
    void OnLinkChange(FabricNetDevice& port) override;
    void OnPower() override;
    void OnTimer(int64_t nowPs) override;

    /**
     * @param address of a host
     * @return true if no port leads there, as far as is known here
     */
    bool HasLost(uint32_t address) const
    {
        return address < m_lost.size() && m_lost[address];
    }

    /**
     * @param port to another switch
     * @param address of a host
     * @return true if that switch has told that it does not reach the host
     */
    bool IsTold(uint16_t port, uint32_t address) const
    {
        return address < m_told[port].size() && m_told[port][address];
    }

  protected:
    void DoDispose() override;

  private:
    static LogComponent g_log; //!< of this class

    /// @return true if a port is of no use for a destination
    bool IsLost(uint16_t port, uint32_t address) const;
    /// Find anew what has been lost, and tell neighbors if that has changed.
    void Update();
    /// Tell the switch behind a port, if there is one, the link is up and this switch may send.
    void Tell(uint16_t port);

    Ptr<WireFormat> m_wire;                //!< sizes
    uint8_t m_controlClass{0};             //!< of notices
    int64_t m_detectionPs{0};              //!< from a link going down until that is known
    std::vector<bool> m_isPeer;            //!< by port: a switch is behind it
    std::vector<bool> m_down;              //!< by port: known to be down
    std::vector<int64_t> m_downPs;         //!< by port: since when its link is down
    std::vector<std::vector<bool>> m_told; //!< by port: what the switch there has lost
    std::vector<bool> m_lost;              //!< by address: no port leads there
    bool m_anyTold{false};                 //!< there is something in m_told
    uint64_t m_notices{0};                 //!< sent
    uint64_t m_moved{0};                   //!< packets that took another port
};

} // namespace ns3

#endif /* SHIELD_FEATURE_H */
