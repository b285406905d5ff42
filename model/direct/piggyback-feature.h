// SPDX-License-Identifier: GPL-2.0-only
#ifndef PIGGYBACK_FEATURE_H
#define PIGGYBACK_FEATURE_H

#include "group-links.h"
#include "link-use.h"
#include "via-feature.h"

#include "ns3/wire-format.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Choice between the minimal way and one by way of another group by what the switches of a
 * group tell one another of their links to other groups: the knowledge of UGAL-G, in packets (PB of
 * Jiang, Kim and Dally, ISCA 2009).
 *
 * Of each port to a switch this one knows the *use*: bytes that came for it in the last window
 * (LinkUse), and those that wait for it, over what it can send in a window. A congestion control
 * keeps queues short, but not the use of the link that holds its flows back. A way is used as much
 * as the more used of its first link and of the link by which it leaves the group; the packet goes
 * by way of another group if the minimal way is used by more than `LeastUse` and
 * use_min H_min > use_via H_via, H the number of links between switches.
 *
 * What the neighbors believe of a link ages as its use does without packets. Once the use is more
 * than `Step` above that they are told (LinkUseNotice), of all links at once; so without traffic
 * nothing is sent.
 */
class PiggybackFeature : public ViaFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Set what the topology says, before Attach().
     * @param links the same at all switches
     */
    void SetLinks(std::shared_ptr<const GroupLinks> links)
    {
        m_links = std::move(links);
    }

    /// What is known of a way.
    struct Way
    {
        double use;    //!< of the more used of its links
        uint32_t hops; //!< links between switches
    };

    /**
     * @brief The rule.
     * @param minimal way
     * @param via the way by way of another group
     * @param leastUse see `LeastUse`
     * @return true if the packet goes by way of another group
     */
    static bool PrefersVia(const Way& minimal, const Way& via, double leastUse)
    {
        return minimal.use > leastUse && minimal.use * minimal.hops > via.use * via.hops;
    }

    // from SwitchFeature
    uint32_t GetHooks() const override;
    Effects GetEffects() const override;
    Counters GetCounters() const override;
    void Attach(FabricSwitch* sw, uint32_t number) override;
    bool OnConsume(FabricNetDevice& ingress, FabricPacketItem& item) override;
    void OnEnqueue(FabricNetDevice& egress, FabricPacketItem& item) override;
    void OnLinkChange(FabricNetDevice& port) override;

  protected:
    bool TakesVia(const FabricPacketItem& item, uint32_t via) const override;
    void DoDispose() override;

  private:
    static constexpr uint16_t NO_GLOBAL = 0xffff; //!< the port leads to no other group
    static constexpr double DOWN = 1e6;           //!< use of a link that is down

    /// A switch of the group at the other end of a port.
    struct Neighbor
    {
        uint32_t address{0};      //!< of it
        std::vector<double> uses; //!< of its links to other groups, as it told
        int64_t toldPs{0};        //!< when
    };

    /// @return use of a port, or DOWN
    double GetUse(uint16_t port) const;
    /// @return use of the way by a port to an address, as far as it is known
    double GetUse(uint16_t port, uint32_t address) const;
    /// @return what was told at a time, now
    double Recall(double use, int64_t toldPs) const;
    /// Tell the switches of the group of all links to other groups.
    void Tell();

    std::shared_ptr<const GroupLinks> m_links; //!< of the network
    std::vector<GroupLinks::Global> m_globals; //!< of this switch
    std::vector<uint16_t> m_globalOf;          //!< by port: place in m_globals, or NO_GLOBAL
    std::vector<LinkUse> m_uses;               //!< by port
    std::vector<std::unique_ptr<Neighbor>> m_neighbors; //!< by port; null: none of the group
    std::vector<double> m_told; //!< what others were told, by place in m_globals
    int64_t m_toldPs{0};        //!< when
    int64_t m_windowPs{0};      //!< see LinkUse
    Ptr<WireFormat> m_wire;     //!< sizes on the wire
    uint8_t m_controlClass;     //!< class of notices
    Time m_window;              //!< attribute
    double m_leastUse;          //!< up to which the minimal way is good enough
    double m_step;              //!< more use than told that is told
    uint64_t m_notices{0};      //!< sent
};

} // namespace ns3

#endif /* PIGGYBACK_FEATURE_H */
