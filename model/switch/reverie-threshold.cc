// SPDX-License-Identifier: GPL-2.0-only
#include "buffer-threshold.h"
#include "congested-queues.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Reverie: the smoothed length of a queue may be alpha / n of the free pool ([REVERIE]).
 *
 * Lossy and lossless classes share one pool, as they do in a SharedBuffer anyhow. A low-pass filter
 * of the length lets bursts pass; it follows a queue that becomes shorter at once. n is the number
 * of queues of the class that are congested by their smoothed lengths.
 */
class ReverieThreshold final : public BufferThreshold
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    // from BufferThreshold
    void Configure(std::size_t nPorts) override;
    void OnArrival(const Queue& queue, uint32_t bytes) override;
    bool Admits(const Queue& queue,
                uint32_t bytes,
                uint32_t flags,
                uint64_t freeBytes) const override;
    bool Resumes(const Queue& queue, uint64_t offset, uint64_t freeBytes) const override;
    double GetShare(const Queue& queue, uint32_t flags, uint64_t freeBytes) const override;
    void OnChange(const Queue& queue, uint32_t leftBytes) override;

  private:
    /// Enter a smoothed length.
    void Set(const Queue& queue, double smoothed);

    /// @return the smoothed length
    double Get(const Queue& queue) const
    {
        return m_smoothed[queue.port * 8U + queue.priority];
    }

    uint64_t m_congestedBytes{0};   //!< attribute
    double m_gamma{0};              //!< attribute
    CongestedQueues m_congested;    //!< n
    std::vector<double> m_smoothed; //!< by port and class, in bytes
};

NS_OBJECT_ENSURE_REGISTERED(ReverieThreshold);

TypeId
ReverieThreshold::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ReverieThreshold")
            .SetParent<BufferThreshold>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ReverieThreshold>()
            .AddAttribute("CongestedBytes",
                          "A queue of so many bytes, smoothed, counts as one congested queue, a "
                          "shorter one by its fraction of them.",
                          UintegerValue(20 * 1024),
                          MakeUintegerAccessor(&ReverieThreshold::m_congestedBytes),
                          MakeUintegerChecker<uint64_t>(1, AttributeRange::MAX_BYTES))
            .AddAttribute("Gamma",
                          "What the smoothed length of a queue keeps of itself at each arrival; "
                          "the rest is the present length. 0: no filter.",
                          DoubleValue(0.99),
                          MakeDoubleAccessor(&ReverieThreshold::m_gamma),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

void
ReverieThreshold::Configure(std::size_t nPorts)
{
    m_congested.Configure(nPorts, m_congestedBytes);
    m_smoothed.assign(nPorts * 8, 0);
}

void
ReverieThreshold::Set(const Queue& queue, double smoothed)
{
    m_smoothed[queue.port * 8U + queue.priority] = smoothed;
    m_congested.Set(queue.port, queue.priority, static_cast<uint64_t>(smoothed));
}

void
ReverieThreshold::OnArrival(const Queue& queue, uint32_t bytes)
{
    const auto length = static_cast<double>(queue.bytes + bytes);
    Set(queue, std::min(length, m_gamma * Get(queue) + (1 - m_gamma) * length));
}

double
ReverieThreshold::GetShare(const Queue& queue, uint32_t flags, uint64_t freeBytes) const
{
    return BufferThreshold::GetShare(queue, flags, freeBytes) /
           m_congested.GetNumber(queue.priority);
}

bool
ReverieThreshold::Admits(const Queue& queue,
                         uint32_t /* bytes */,
                         uint32_t flags,
                         uint64_t freeBytes) const
{
    return Get(queue) <= static_cast<double>(queue.reserve) + GetShare(queue, flags, freeBytes);
}

bool
ReverieThreshold::Resumes(const Queue& queue, uint64_t offset, uint64_t freeBytes) const
{
    return Get(queue) + static_cast<double>(offset) <=
           static_cast<double>(queue.reserve) + GetShare(queue, 0, freeBytes);
}

void
ReverieThreshold::OnChange(const Queue& queue, uint32_t /* leftBytes */)
{
    Set(queue, std::min(Get(queue), static_cast<double>(queue.bytes)));
}

} // namespace ns3
