// SPDX-License-Identifier: GPL-2.0-only
#ifndef SENDING_PDCS_H
#define SENDING_PDCS_H

#include "pdc-policy.h"
#include "sending-pdc.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

class FabricNic;
class LogComponent;

/**
 * @ingroup dcfabric
 * @brief The sending PDCs of a NIC: how messages find theirs, by which policy they work, and when
 * they go.
 *
 * Numbers are never used again.
 */
class SendingPdcs
{
  public:
    /// @param nic the NIC, which has the limits
    explicit SendingPdcs(FabricNic& nic);
    ~SendingPdcs();

    /// @return the policies of PDCs to come
    PdcPolicies& GetPolicies()
    {
        return m_policies;
    }

    /**
     * @brief Fix the random streams: entropies of PDCs, entropies of packets.
     * @param stream first stream
     * @return how many are used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * @param number of the PDC
     * @return a PDC, idle or not; null if there is none
     */
    SendingPdc* Get(uint32_t number) const
    {
        return number < m_pdcs.size() ? m_pdcs[number].get() : nullptr;
    }

    /// @return PDCs, idle ones included
    uint32_t GetN() const
    {
        return m_count;
    }

    /// @return PDCs that are not idle, in the order of their numbers
    std::vector<const SendingPdc*> GetBusy() const;

    /**
     * @param dst destination
     * @param priority class
     * @param queuePair of the message, see FabricMessages::Send()
     * @return the PDC for a message: a new one, or the one to its destination, or that of its queue
     * pair; null if there is no room
     */
    SendingPdc* FindFor(uint32_t dst, uint8_t priority, uint32_t queuePair);

    /**
     * @param dst destination
     * @param priority class
     * @param queuePair of the message
     * @return true if FindFor() would find one, where their number is limited
     */
    bool HasRoomFor(uint32_t dst, uint8_t priority, uint32_t queuePair) const;

    /**
     * @brief See whether a PDC may go, now or after its time, and others come in its place.
     * @param number its number
     */
    void RetireIfIdle(uint32_t number);

    /**
     * @brief A PDC may have been idle for its time.
     * @param number its number
     * @param nowPs time
     */
    void OnIdleTimer(uint32_t number, int64_t nowPs);

    /**
     * @brief Send nothing new to a host from a message on, and for MessageProtocol::StopEarlier
     * nothing new at all.
     * @param dst fabric address
     * @param msn number of that message
     */
    void HoldTarget(uint32_t dst, uint32_t msn);
    /**
     * @brief The time of StopEarlier may be over for a host.
     * @param dst fabric address
     * @param nowPs time
     */
    void ReleaseEarlier(uint32_t dst, int64_t nowPs);
    /**
     * @brief Send to a host again, if nothing was sent.
     * @param dst fabric address
     */
    void ReleaseTarget(uint32_t dst);
    /**
     * @brief A message is over: send to its host again if that waited for it.
     * @param dst fabric address
     * @param msn its number
     */
    void ReleaseTargetFrom(uint32_t dst, uint32_t msn);

    /// What the modifiers of one class have done.
    struct ModifierCounts
    {
        uint64_t acts{0};     //!< proposals changed or made
        uint64_t withheld{0}; //!< reductions that did not take hold
    };

    /// What all PDCs that ever were have done.
    struct Totals
    {
        uint64_t reductions{0};                          //!< of window or rate, that took hold
        uint64_t ackedBytes{0};                          //!< payload acknowledged in order
        std::map<std::string, ModifierCounts> modifiers; //!< by TypeId name
        CongestionModifier::Counters counters;           //!< of all modifiers

        /**
         * @brief Add a PDC.
         * @param pdc it
         */
        void Add(const SendingPdc& pdc);
    };

    /**
     * @brief A PDC with a ReceiverDrivenControl has something to send, or has no longer.
     * @param begins true if it has
     */
    void NoteDemand(bool begins)
    {
        m_demands += begins ? 1 : -1;
    }

    /// @return PDCs with a ReceiverDrivenControl that have something to send
    uint32_t GetNDemands() const
    {
        return m_demands;
    }

    /// @return what all PDCs that ever were have done
    Totals GetTotals() const;

    /// @return the longest time after which this NIC tries again what had no effect: time-outs of
    /// its present PDCs, and the request for a message, after all doublings, in ps; at most a third
    /// of the largest number
    int64_t GetLongestWaitPs() const;

    /// Remove all.
    void Clear();

  private:
    static LogComponent g_log; //!< of this class

    /// What is not sent to a host.
    struct Hold
    {
        uint32_t msn;      //!< the first message
        int64_t earlierPs; //!< until then those before it are not either
    };

    /// Whose messages share a PDC.
    struct ShareKey
    {
        uint32_t dst;       //!< destination
        uint32_t queuePair; //!< number; 0: all of the destination
        uint8_t priority;   //!< class

        /**
         * @param o another
         * @return true if they are the same
         */
        bool operator==(const ShareKey& o) const
        {
            return dst == o.dst && queuePair == o.queuePair && priority == o.priority;
        }
    };

    /// Spreads keys.
    struct ShareHash
    {
        /**
         * @param key it
         * @return hash
         */
        std::size_t operator()(const ShareKey& key) const
        {
            constexpr uint64_t ODD = 0x9e3779b97f4a7c15; // of the golden ratio
            const uint64_t rest = (uint64_t{key.queuePair} << 3) + key.priority;
            return static_cast<std::size_t>((uint64_t{key.dst} ^ (rest * ODD)) * ODD);
        }
    };

    /// @return whose messages share the PDC of these
    ShareKey MakeShareKey(uint32_t dst, uint8_t priority, uint32_t queuePair) const;
    /// @return true if messages of a queue pair share a PDC with others
    bool DoShare(uint32_t queuePair) const;
    /// @return a new PDC
    SendingPdc& Create(uint32_t dst, uint8_t priority, uint32_t queuePair);
    /// Free a PDC.
    void Remove(uint32_t number);
    /// @return @p random, made if need be, with a stream at an offset
    Ptr<UniformRandomVariable> Provide(Ptr<UniformRandomVariable>& random, int64_t offset) const;

    FabricNic& m_nic;                                           //!< the NIC
    PdcPolicies m_policies;                                     //!< of PDCs to come
    std::vector<std::unique_ptr<SendingPdc>> m_pdcs;            //!< by number; null: retired
    std::unordered_map<ShareKey, uint32_t, ShareHash> m_shared; //!< numbers of PDCs
    /// By destination: numbers, where messages are matched.
    std::unordered_map<uint32_t, std::set<uint32_t>> m_to;
    std::map<uint32_t, Hold> m_held;               //!< by host
    std::set<std::pair<int64_t, uint32_t>> m_idle; //!< since when, number
    uint32_t m_count{0};                           //!< not retired
    uint32_t m_demands{0};                         //!< see GetNDemands()
    Ptr<UniformRandomVariable> m_random;           //!< entropies of PDCs
    Ptr<UniformRandomVariable> m_packetRandom;     //!< entropies of packets
    int64_t m_stream{-1};                          //!< first stream
    Totals m_retired;                              //!< of PDCs that are gone
};

} // namespace ns3

#endif /* SENDING_PDCS_H */
