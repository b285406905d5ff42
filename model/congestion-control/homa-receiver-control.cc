// SPDX-License-Identifier: GPL-2.0-only
#include "receiver-control.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Receiver's half of Homa (Montazeri et al., SIGCOMM 2018): the flows with the least left
 * are granted, Overcommitment of them at a time, so that each has a bandwidth-delay product of
 * packets on their way.
 *
 * A packet that arrives, trimmed or not, makes room for one to be granted; a trimmed one is wanted
 * again. Headers come faster than what they stand for, so they are no pace: for a base RTT after
 * one grants leave at 0.9 of the line rate, which gives the queue room, and for a time-out at the
 * line rate. A sender that asks because nothing comes has none on their way, and is granted a
 * bandwidth-delay product. One that is silent for a time-out after it was granted is not counted
 * among the Overcommitment. The flow with the least left gets the highest class; of the classes
 * from LowestClass on the lowest that suffice are used, so that a flow that comes with less left
 * finds one above. Under flow control that stops classes packets keep that of their flow.
 */
class HomaReceiverControl : public ReceiverControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    void OnArrival(const ReceiverArrival& arrival) override;
    std::optional<Grant> NextGrant(int64_t nowPs) override;
    double GetRate(int64_t nowPs) override;

  private:
    /// What is kept of a flow. All in bytes of frames.
    struct Entry
    {
        bool wants{false};        //!< it is in m_wanting
        uint64_t leftBytes{0};    //!< its key there
        int64_t aheadBytes{0};    //!< that may be granted beyond what has arrived
        uint64_t trimmedBytes{0}; //!< of trimmed packets, less than a unit that is not yet wanted
        int64_t activePs{0};      //!< when it was granted last, or a packet came
    };

    static constexpr int64_t NEVER_PS = std::numeric_limits<int64_t>::min() / 2; //!< long ago
    static constexpr int64_t TIMEOUT_RTTS = 200; //!< base RTTs, as HomaCongestionControl has it
    static constexpr double DRAINING = 0.9;      //!< of the line, while a queue is full

    /// @return bytes up to which a flow may be granted now
    uint64_t GetLimit(uint32_t number);
    /// @return units that a flow may be granted now
    uint64_t GetGrantable(uint32_t number);
    /// Enter a flow by what is left of it, or remove it if it has all it wants with so many units.
    void Enter(uint32_t number, uint64_t granted);

    uint32_t m_overcommitment;                         //!< flows
    uint8_t m_lowestClass;                             //!< of granted packets
    uint8_t m_highestClass;                            //!< likewise
    std::vector<Entry> m_entries;                      //!< by flow
    std::set<std::pair<uint64_t, uint32_t>> m_wanting; //!< bytes left, flow
    std::vector<uint32_t> m_ranked;                    //!< flows that are granted, the first first
    int64_t m_trimmedPs{NEVER_PS};                     //!< when a trimmed packet came last
};

NS_OBJECT_ENSURE_REGISTERED(HomaReceiverControl);

TypeId
HomaReceiverControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HomaReceiverControl")
            .SetParent<ReceiverControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<HomaReceiverControl>()
            .AddAttribute("Overcommitment",
                          "Flows that are granted at a time.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&HomaReceiverControl::m_overcommitment),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("LowestClass",
                          "Class of granted packets of the flow with the most left, 0 to 7.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HomaReceiverControl::m_lowestClass),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("HighestClass",
                          "Largest class of granted packets, below those of unscheduled ones.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&HomaReceiverControl::m_highestClass),
                          MakeUintegerChecker<uint8_t>(0, 7));
    return tid;
}

uint64_t
HomaReceiverControl::GetLimit(uint32_t number)
{
    const Flow& flow = GetFlow(number);
    const int64_t limit = static_cast<int64_t>(flow.receivedBytes) + m_entries[number].aheadBytes;
    return std::min(static_cast<uint64_t>(std::max<int64_t>(limit, 0)),
                    flow.target * CreditUnits::BYTES);
}

void
HomaReceiverControl::Enter(uint32_t number, uint64_t granted)
{
    Entry& entry = m_entries[number];
    if (entry.wants)
    {
        m_wanting.erase({entry.leftBytes, number});
    }
    const uint64_t target = GetFlow(number).target;
    entry.wants = target > granted;
    if (entry.wants)
    {
        entry.leftBytes = target * CreditUnits::BYTES - GetLimit(number);
        m_wanting.insert({entry.leftBytes, number});
    }
}

void
HomaReceiverControl::OnArrival(const ReceiverArrival& arrival)
{
    if (arrival.flow >= m_entries.size())
    {
        m_entries.resize(arrival.flow + 1);
    }
    Entry& entry = m_entries[arrival.flow];
    Flow& flow = GetFlow(arrival.flow);
    if (arrival.trimmed)
    {
        // it is to come again, of which its sender tells only with what it sends next
        entry.trimmedBytes += GetInfo().packetBytes;
        flow.target += entry.trimmedBytes / CreditUnits::BYTES;
        entry.trimmedBytes %= CreditUnits::BYTES;
        m_trimmedPs = arrival.nowPs;
    }
    const auto aheadOf = [&flow](uint64_t bytes) {
        return static_cast<int64_t>(flow.granted * CreditUnits::BYTES + bytes) -
               static_cast<int64_t>(flow.receivedBytes);
    };
    if (!entry.wants)
    {
        entry.aheadBytes = aheadOf(GetInfo().packetBytes); // what is on its way comes by itself
    }
    if (arrival.asks)
    {
        const double window =
            GetHost()->GetLineRate() * static_cast<double>(GetInfo().baseRttPs) / 8e12;
        entry.aheadBytes = std::max(entry.aheadBytes, aheadOf(static_cast<uint64_t>(window)));
    }
    entry.activePs = arrival.nowPs;
    // a copy that was trimmed may have made it want more than there is
    const bool isOver = arrival.gone && !arrival.trimmed && !arrival.asks;
    Enter(arrival.flow, isOver ? flow.target : flow.granted);
}

uint64_t
HomaReceiverControl::GetGrantable(uint32_t number)
{
    const Flow& flow = GetFlow(number);
    const uint64_t limit = GetLimit(number);
    const bool ends = limit == flow.target * CreditUnits::BYTES;
    if (!ends && limit < flow.granted * CreditUnits::BYTES + GetInfo().packetBytes)
    {
        return 0;
    }
    return limit / CreditUnits::BYTES - flow.granted;
}

std::optional<ReceiverControl::Grant>
HomaReceiverControl::NextGrant(int64_t nowPs)
{
    const int64_t sincePs = nowPs - TIMEOUT_RTTS * GetInfo().baseRttPs;
    m_ranked.clear();
    for (const auto& wanting : m_wanting)
    {
        // one that has been granted and is silent keeps nobody else waiting
        if (m_entries[wanting.second].activePs >= sincePs || GetGrantable(wanting.second) > 0)
        {
            m_ranked.push_back(wanting.second);
            if (m_ranked.size() == m_overcommitment)
            {
                break;
            }
        }
    }
    const auto flows = static_cast<uint32_t>(m_ranked.size());
    for (uint32_t rank = 0; rank < flows; ++rank)
    {
        const uint32_t number = m_ranked[rank];
        const uint64_t units = GetGrantable(number);
        if (units == 0)
        {
            continue;
        }
        const uint32_t above = flows - 1 - rank;
        const uint8_t priority =
            GetInfo().lossless
                ? GrantFields::OWN_PRIORITY
                : static_cast<uint8_t>(std::min<uint32_t>(m_lowestClass + above, m_highestClass));
        m_entries[number].activePs = nowPs;
        Enter(number, GetFlow(number).granted + units);
        return Grant{number, units, priority};
    }
    return {};
}

double
HomaReceiverControl::GetRate(int64_t nowPs)
{
    // Arrivals are the pace. But headers come faster than what they stand for, and who is granted
    // for them would meet a full queue again: where packets are trimmed the line is the pace, and
    // the queue is given room.
    const int64_t agePs = nowPs - m_trimmedPs;
    const double rate = GetHost()->GetLineRate();
    return agePs <= GetInfo().baseRttPs                  ? DRAINING * rate
           : agePs <= TIMEOUT_RTTS * GetInfo().baseRttPs ? rate
                                                         : 0;
}

} // namespace ns3
