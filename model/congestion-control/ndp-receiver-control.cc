// SPDX-License-Identifier: GPL-2.0-only
#include "receiver-control.h"

#include "ns3/double.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Receiver's half of NDP (Handley et al., SIGCOMM 2017): each packet that arrives, trimmed
 * or not, pulls the next one of its flow, and pulls leave at Share of the rate of the links.
 *
 * Flows with pulls that wait take turns. A lost packet pulls nothing; a sender that asks because
 * nothing comes is pulled a window of packets, as none of its packets can be on their way.
 */
class NdpReceiverControl : public ReceiverControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    void OnArrival(const ReceiverArrival& arrival) override;
    std::optional<Grant> NextGrant(int64_t nowPs) override;
    double GetRate(int64_t nowPs) override;

  private:
    /// What is kept of a flow.
    struct Entry
    {
        uint64_t pulls{0};       //!< that wait
        uint64_t pulledBytes{0}; //!< of frames, in all
        bool queued{false};      //!< it has a place in the queue of pulls
    };

    double m_share;               //!< of the rate of the links
    std::vector<Entry> m_entries; //!< by flow
    std::deque<uint32_t> m_queue; //!< flows with pulls, in turn
};

NS_OBJECT_ENSURE_REGISTERED(NdpReceiverControl);

TypeId
NdpReceiverControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::NdpReceiverControl")
            .SetParent<ReceiverControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<NdpReceiverControl>()
            .AddAttribute("Share",
                          "Part of the rate of the links at which packets are pulled, above 0 to "
                          "1.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&NdpReceiverControl::m_share),
                          MakeDoubleChecker<double>(1e-3, 1));
    return tid;
}

void
NdpReceiverControl::OnArrival(const ReceiverArrival& arrival)
{
    if (arrival.flow >= m_entries.size())
    {
        m_entries.resize(arrival.flow + 1);
    }
    Entry& entry = m_entries[arrival.flow];
    const uint64_t packetBytes = GetInfo().packetBytes;
    const uint64_t wantedBytes = GetFlow(arrival.flow).GetWanted() * CreditUnits::BYTES;
    const uint64_t most = (wantedBytes + packetBytes - 1) / packetBytes;
    uint64_t pulls = entry.pulls + 1;
    if (arrival.asks)
    {
        const double window =
            GetHost()->GetLineRate() * static_cast<double>(GetInfo().baseRttPs) / 8e12;
        pulls = 1 + static_cast<uint64_t>(window) / packetBytes;
    }
    entry.pulls = std::min(pulls, most);
    if (entry.pulls > 0 && !entry.queued)
    {
        entry.queued = true;
        m_queue.push_back(arrival.flow);
    }
}

std::optional<ReceiverControl::Grant>
NdpReceiverControl::NextGrant(int64_t /* nowPs */)
{
    while (!m_queue.empty())
    {
        const uint32_t number = m_queue.front();
        m_queue.pop_front();
        Entry& entry = m_entries[number];
        const Flow& flow = GetFlow(number);
        // packets are no whole number of units: the total is rounded up, not each pull
        const uint64_t total = CreditUnits::RoundUp(entry.pulledBytes + GetInfo().packetBytes);
        const uint64_t units = std::min(flow.GetWanted(), total - flow.granted);
        entry.pulledBytes = std::min(entry.pulledBytes + GetInfo().packetBytes,
                                     (flow.granted + units) * CreditUnits::BYTES);
        --entry.pulls;
        entry.queued = entry.pulls > 0 && flow.GetWanted() > units;
        if (entry.queued)
        {
            m_queue.push_back(number);
        }
        else
        {
            entry.pulls = 0;
        }
        if (units > 0)
        {
            return Grant{number, units, GrantFields::OWN_PRIORITY};
        }
    }
    return {};
}

double
NdpReceiverControl::GetRate(int64_t /* nowPs */)
{
    return m_share * GetHost()->GetLineRate();
}

} // namespace ns3
