// SPDX-License-Identifier: GPL-2.0-only
#ifndef PIGGYBACK_FEATURE_H
#define PIGGYBACK_FEATURE_H

#include "link-use.h"
#include "told-links.h"
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
 * @brief Choice between the minimal way and one by way of another switch by what neighbors tell one
 * another of links that are further on: the knowledge of UGAL-G, in packets (PB of Jiang, Kim and
 * Dally, ISCA 2009). Which links, and which neighbors, ToldLinks says.
 *
 * Of each port to a switch this one knows the *use*: bytes that came for it in the last window
 * (LinkUse), and those that wait for it, over what it can send in a window. A congestion control
 * keeps queues short, but not the use of the link that holds its flows back. A way is used as much
 * as the more used of its first link and of the one that follows, if the neighbor tells of it; what
 * goes by way of another switch is PrefersVia().
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
    void SetLinks(std::shared_ptr<const ToldLinks> links)
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
     * @brief The rule: the packet goes by way of another switch if the minimal way is used by more
     * than `LeastUse`, and by more than the other times min(H_via / H_min, 3/2), or by one more
     * than the other.
     *
     * What a packet takes of the network keeps uniform traffic on minimal ways. All of H_via /
     * H_min, which is 4 at the switch that has the link, would let the one link be used four times
     * as much as the others: where a congestion control holds flows back at half the use, or queues
     * grow on all links, that costs more than the detour. Full links differ by 3/2 seldom
     * (GetUsualWindow()). A use above 1 waits, and one window longer than elsewhere, which is a
     * round trip, is more than the detour.
     * @param minimal way
     * @param via the way by way of another switch
     * @param leastUse see `LeastUse`
     * @return true if the packet goes by way of another switch
     */
    static bool PrefersVia(const Way& minimal, const Way& via, double leastUse)
    {
        return minimal.use > leastUse &&
               ((minimal.use * minimal.hops > via.use * via.hops) ||
                2 * minimal.use > 3 * via.use || minimal.use > via.use + 1);
    }

    /**
     * @brief The usual window: a round trip, in which a congestion control reacts, but long enough
     * for 64 packets of 1 kB.
     *
     * Packets that come independently of one another make a use that varies by 1 / sqrt(2 n) of
     * itself, n packets in a window, and a quotient of two uses that varies by 1 / sqrt(n): by 1/8
     * or less for full links, so that 3/2 is beyond three standard deviations.
     * @param rateBps of the slowest link between switches, bit/s
     * @param roundTrip on the longest minimal way
     * @return the time
     */
    static Time GetUsualWindow(uint64_t rateBps, Time roundTrip);

    /**
     * @brief The usual `LeastUse`: that of 24 packets of 1 kB in a window, whose quotient exceeds
     * 3/2 beyond two standard deviations: less traffic says nothing.
     * @param rateBps of the slowest link between switches, bit/s
     * @param window in which use ages
     * @return the share, 1/2 at most
     */
    static double GetUsualLeastUse(uint64_t rateBps, Time window);

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
    static constexpr uint16_t NOT_TOLD = 0xffff; //!< nobody is told of the port
    static constexpr double DOWN = 1e6;          //!< use of a link that is down

    /// A switch at the other end of a port that tells this one, which tells it.
    struct Neighbor
    {
        uint32_t address{0};      //!< of it
        std::vector<double> uses; //!< of its links, as it told
        int64_t toldPs{0};        //!< when
    };

    /// @return use of a port, or DOWN
    double GetUse(uint16_t port) const;
    /// @return use of the way by a port to an address, as far as it is known
    double GetUse(uint16_t port, uint32_t address) const;
    /// @return what was told at a time, now
    double Recall(double use, int64_t toldPs) const;
    /// Tell neighbors of all links that they may be told of.
    void Tell();

    std::shared_ptr<const ToldLinks> m_links; //!< of the network
    std::vector<uint16_t> m_toldOf;           //!< by port: place in what is told, or NOT_TOLD
    std::vector<LinkUse> m_uses;              //!< by port
    std::vector<std::unique_ptr<Neighbor>> m_neighbors; //!< by port; null: none
    std::vector<double> m_told;                         //!< what others were told, by link
    int64_t m_toldPs{0};                                //!< when
    int64_t m_windowPs{0};                              //!< see LinkUse
    Ptr<WireFormat> m_wire;                             //!< sizes on the wire
    uint8_t m_controlClass;                             //!< class of notices
    Time m_window;                                      //!< attribute
    double m_leastUse;     //!< up to which the minimal way is good enough
    double m_step;         //!< more use than told that is told
    uint64_t m_notices{0}; //!< sent
};

} // namespace ns3

#endif /* PIGGYBACK_FEATURE_H */
