// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONGESTION_MODIFIER_H
#define CONGESTION_MODIFIER_H

#include "congestion-info.h"
#include "congestion-needs.h"

#include "ns3/named-counters.h"
#include "ns3/object.h"
#include "ns3/policy-default.h"
#include "ns3/prototype-factory.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class SignalFilter;

/**
 * @ingroup dcfabric
 * @brief Why a congestion control proposes a new window or rate.
 */
enum class CongestionCause : uint8_t
{
    SIGNAL,   //!< a mark, a measurement, a notification
    RECOVERY, //!< the algorithm's own increase
    LOSS,     //!< packets were lost
    TIMEOUT,  //!< the retransmission timer expired
};

/**
 * @ingroup dcfabric
 * @brief How modifiers have changed window and rate without a proposal of the algorithm.
 */
enum class ModifierEffect : uint8_t
{
    RAISED,   //!< they are more, or a reduction that was due has taken hold in part
    LOWERED,  //!< a reduction that had been forgiven has taken hold: a gate opened soon after
    FORGIVEN, //!< a reduction that was due was never made
};

/**
 * @ingroup dcfabric
 * @brief A change of window and rate on its way from the algorithm to the PDC.
 */
struct CongestionProposal
{
    int64_t nowPs;         //!< time in ps
    CongestionCause cause; //!< why
    uint64_t window;       //!< proposed window in bytes
    double rate;           //!< proposed rate in bit/s
    uint64_t oldWindow;    //!< window in force
    double oldRate;        //!< rate in force
    uint64_t askedWindow;  //!< what the algorithm proposed, before modifiers
    double askedRate;      //!< likewise
    uint64_t dueWindow;    //!< window that the algorithm went on from
    double dueRate;        //!< likewise
    bool late{false};      //!< a reduction that was withheld is to take hold

    /// @return true if the algorithm lowers what it went on from; false if it raises it, though not
    /// yet to what is in force
    bool IsNew() const
    {
        return askedWindow < dueWindow || askedRate < dueRate;
    }

    /// @return true if window or rate would become less, and not because of a loss or time-out
    bool IsSignalledReduction() const
    {
        return (cause == CongestionCause::SIGNAL || cause == CongestionCause::RECOVERY) &&
               (window < oldWindow || rate < oldRate);
    }
};

/**
 * @ingroup dcfabric
 * @brief What a modifier makes of what a switch tells.
 */
struct NoticeEffect
{
    bool gates{false};    //!< reductions may be withheld now that were not, or the reverse
    bool reroutes{false}; //!< the packets to come are to take other paths
};

/**
 * @ingroup dcfabric
 * @brief Changes what any congestion control proposes, before it takes hold.
 *
 * The seam for ratio-based cuts, gates and recovery ([Patent]): gates and cuts act on reductions,
 * recovery on increases. A modifier sees every ACK before the algorithm does. One instance serves
 * one PDC.
 *
 * They combine in the order of installation, which makes no difference between the kinds: what a
 * gate withholds leaves nothing to be scaled, and what recovery raises is no reduction.
 */
class CongestionModifier : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return what must be installed for the modifier to work
    virtual CongestionControlNeeds GetNeeds() const
    {
        return {};
    }

    /**
     * @param network where the policy is to work
     * @return what it needs of others where the user has set nothing, with its attributes as they
     * are; the default is a marking profile if it needs marks
     */
    virtual std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const;

    /// @return true if the load balancer has to spread packets over a small set of paths
    virtual bool NeedsPathSet() const
    {
        return false;
    }

    /// @return true if each packet has to have an ACK of its own, which names its path
    virtual bool NeedsEachAck() const
    {
        return false;
    }

    /**
     * @brief The connection starts.
     * @param path the connection; copied
     * @throws FabricError if the modifier cannot work on it
     */
    virtual void Start(const PathInfo& path)
    {
        m_path = path;
    }

    /**
     * @brief An acknowledgement arrived; called before the algorithm sees it.
     * @param ack what it tells
     */
    virtual void OnAck([[maybe_unused]] const AckInfo& ack)
    {
    }

    /**
     * @brief A queue notified the sender; called before the algorithm is told.
     * @param notice what it tells
     */
    virtual void OnBts([[maybe_unused]] const BtsNotice& notice)
    {
    }

    /**
     * @brief A switch told the sender something, in a packet of another type than those above;
     * called before the algorithm is told.
     * @param item the packet
     * @param nowPs time in ps
     * @return what follows
     */
    virtual NoticeEffect OnNotice([[maybe_unused]] const FabricPacketItem& item,
                                  [[maybe_unused]] int64_t nowPs)
    {
        return {};
    }

    /**
     * @brief The load balancer has moved the packets to come to other paths, as OnNotice() asked.
     * @param nowPs time in ps
     */
    virtual void OnReroute([[maybe_unused]] int64_t nowPs)
    {
    }

    /// @return true if Stamp() is wanted (asked once, at the start)
    virtual bool StampsData() const
    {
        return false;
    }

    /**
     * @brief A data packet is made: set flags and fields that switches are to read.
     * @param item the packet, whose size does not count yet what is set here
     * @param nowPs time in ps
     */
    virtual void Stamp([[maybe_unused]] FabricPacketItem& item, [[maybe_unused]] int64_t nowPs)
    {
    }

    /// @return true while signalled reductions are withheld
    virtual bool IsWithholding() const
    {
        return false;
    }

    /**
     * @brief Change a proposal in place.
     *
     * Must leave a reduction whose cause is LOSS or TIMEOUT as it is.
     * @param proposal what the algorithm, or the modifier before, wants
     */
    virtual void Modify(CongestionProposal& proposal);

    /**
     * @brief Raise window and rate; called after the algorithm has seen an ACK.
     * @param nowPs time in ps
     * @param window in force, to be raised; CongestionControl::UNLIMITED if there is none
     * @param rate in force, to be raised
     * @return true if they were raised
     */
    virtual bool Raise(int64_t nowPs, uint64_t& window, double& rate);

    /**
     * @brief Lower window and rate: a reduction that was withheld, and is no longer due, takes hold
     * after all. Called after the algorithm has seen an ACK, before Raise(), or a notification of a
     * queue, if nobody withholds reductions; what is returned comes to Modify() as
     * CongestionProposal::late.
     * @param nowPs time in ps
     * @param window in force, to be lowered; CongestionControl::UNLIMITED if there is none
     * @param rate in force, to be lowered
     * @return true if they were lowered
     */
    virtual bool Lower(int64_t nowPs, uint64_t& window, double& rate);

    /// Names, as in `summary.json`, and counts.
    using Counters = NamedCounters;

    /// @return what the modifier has counted beside the following; what features of switches count
    /// under the same name is added to it
    virtual Counters GetCounters() const
    {
        return {};
    }

    /// @return what changes what the algorithm is told; null: nothing does (asked once, at the
    /// start)
    virtual SignalFilter* GetSignalFilter()
    {
        return nullptr;
    }

    /// @return proposals that this modifier has changed, or made, and signals that it has changed
    uint64_t GetNActs() const
    {
        return m_acts;
    }

    /// @return of these, reductions that did not take hold at all
    uint64_t GetNWithheld() const
    {
        return m_withheld;
    }

  protected:
    /// @return the connection
    const PathInfo& GetPath() const
    {
        return m_path;
    }

    /**
     * @brief Leave window and rate as they are where a proposal would lower them, unless because of
     * a loss or time-out.
     * @param proposal changed
     */
    void Withhold(CongestionProposal& proposal);

    /// A reduction that was withheld takes hold later.
    void CountLate()
    {
        --m_withheld;
    }

    /// A proposal was changed, or made; or a signal was changed.
    void CountAct()
    {
        ++m_acts;
    }

  private:
    PathInfo m_path;        //!< the connection
    uint64_t m_acts{0};     //!< proposals changed or made, signals changed
    uint64_t m_withheld{0}; //!< reductions that did not take hold
};

} // namespace ns3

#endif /* CONGESTION_MODIFIER_H */
