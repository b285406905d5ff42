// SPDX-License-Identifier: GPL-2.0-only
#include "buffer-threshold.h"
#include "congested-queues.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/fabric-time.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Active buffer management: a queue may hold alpha / n x mu of the free pool ([ABM]).
 *
 * n is the number of congested queues of the class. mu is the share of the line rate at which the
 * queue was drained in the last whole interval; 1 if it was not congested at the end of that, or
 * nothing to speak of has left (what is paused would get no room at all). Packets that a connection
 * sends before its first answer have a larger alpha: no congestion control has had a chance yet.
 *
 * Numbers and rules are those of the public simulator of its authors.
 */
class AbmThreshold final : public BufferThreshold
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    // from BufferThreshold
    void Configure(std::size_t nPorts) override;
    void OnArrival(const Queue& queue, uint32_t bytes) override;
    double GetShare(const Queue& queue, uint32_t flags, uint64_t freeBytes) const override;
    void OnChange(const Queue& queue, uint32_t leftBytes) override;

  private:
    /// What is known of a queue.
    struct Drain
    {
        int64_t interval{0}; //!< number of the present one
        uint64_t left{0};    //!< bytes in it so far
        uint64_t bytes{0};   //!< length at the last event
        double mu{1};        //!< of the interval before
    };

    /// Begin the present interval, if that is not done. @return the queue's
    Drain& Roll(const Queue& queue);

    uint64_t m_congestedBytes{0}; //!< attribute
    Time m_interval;              //!< attribute
    uint64_t m_leastBytes{0};     //!< attribute
    double m_firstAlpha{0};       //!< attribute
    CongestedQueues m_congested;  //!< n
    std::vector<Drain> m_drains;  //!< by port and class
};

NS_OBJECT_ENSURE_REGISTERED(AbmThreshold);

TypeId
AbmThreshold::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::AbmThreshold")
            .SetParent<BufferThreshold>()
            .SetGroupName("Dcfabric")
            .AddConstructor<AbmThreshold>()
            .AddAttribute("CongestedBytes",
                          "A queue of so many bytes counts as one congested queue, a shorter one "
                          "by its fraction of them.",
                          UintegerValue(20 * 1024),
                          MakeUintegerAccessor(&AbmThreshold::m_congestedBytes),
                          MakeUintegerChecker<uint64_t>(1, AttributeRange::MAX_BYTES))
            .AddAttribute("Interval",
                          "Time over which the rate is measured at which a queue drains.",
                          TimeValue(MicroSeconds(25)),
                          MakeTimeAccessor(&AbmThreshold::m_interval),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("LeastBytes",
                          "A queue that so many bytes or fewer have left in an interval counts as "
                          "drained at line rate.",
                          UintegerValue(2048),
                          MakeUintegerAccessor(&AbmThreshold::m_leastBytes),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("FirstAlpha",
                          "In place of SharedBuffer::Alpha and EgressAlpha for packets that a "
                          "connection sends before its first answer.",
                          DoubleValue(1024),
                          MakeDoubleAccessor(&AbmThreshold::m_firstAlpha),
                          MakeDoubleChecker<double>(0, 1e9));
    return tid;
}

void
AbmThreshold::Configure(std::size_t nPorts)
{
    m_congested.Configure(nPorts, m_congestedBytes);
    m_drains.assign(nPorts * 8, {});
}

AbmThreshold::Drain&
AbmThreshold::Roll(const Queue& queue)
{
    Drain& drain = m_drains[queue.port * 8U + queue.priority];
    const int64_t lengthPs = FabricTime::ToPs(m_interval);
    const int64_t interval = queue.nowPs / lengthPs;
    if (interval == drain.interval)
    {
        return drain;
    }
    // of whole intervals without an event nothing has left
    const uint64_t left = interval == drain.interval + 1 ? drain.left : 0;
    drain.mu = 1;
    if (drain.bytes > m_congestedBytes && left > m_leastBytes && queue.rateBps > 0)
    {
        const double most = static_cast<double>(queue.rateBps) * static_cast<double>(lengthPs);
        drain.mu = std::min(1.0, static_cast<double>(left) * 8e12 / most);
    }
    drain.interval = interval;
    drain.left = 0;
    return drain;
}

void
AbmThreshold::OnArrival(const Queue& queue, uint32_t /* bytes */)
{
    Roll(queue);
}

double
AbmThreshold::GetShare(const Queue& queue, uint32_t flags, uint64_t freeBytes) const
{
    // a receiver that keeps no PDC never names one, and what is sent again has met congestion
    constexpr uint32_t LATER =
        FabricPacketItem::FLAG_NO_PDC | FabricPacketItem::FLAG_RETRANSMISSION;
    const bool isFirst =
        (flags & (FabricPacketItem::FLAG_SYN | LATER)) == FabricPacketItem::FLAG_SYN;
    const double alpha = isFirst ? m_firstAlpha : queue.alpha;
    return alpha * static_cast<double>(freeBytes) / m_congested.GetNumber(queue.priority) *
           m_drains[queue.port * 8U + queue.priority].mu;
}

void
AbmThreshold::OnChange(const Queue& queue, uint32_t leftBytes)
{
    Drain& drain = Roll(queue);
    drain.left += leftBytes;
    drain.bytes = queue.bytes;
    m_congested.Set(queue.port, queue.priority, queue.bytes);
}

} // namespace ns3
