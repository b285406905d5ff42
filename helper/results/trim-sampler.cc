// SPDX-License-Identifier: GPL-2.0-only
#include "trace-series.h"

#include "ns3/congestion-aware-queue-disc.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief trims.csv: packets that each port has trimmed since the sample before.
 *
 * Thinned as SampleThinner says.
 */
class TrimSampler : public PortSampler
{
  public:
    /// @param start what it is made of
    explicit TrimSampler(const TraceStart& start);

  protected:
    uint64_t Read(std::size_t port, std::size_t value, int64_t nowPs) override;
    void AppendValue(std::string& text,
                     const FabricNetDevice& port,
                     std::size_t value,
                     uint64_t number,
                     int64_t spanPs) const override;

  private:
    std::vector<Ptr<const CongestionAwareQueueDisc>> m_discs; //!< by port, null: another type
    std::vector<uint64_t> m_told; //!< by port: counter at the last sample
};

namespace
{

/// @return what there is to say of it
TraceSeries
DescribeTrims()
{
    TraceSeries series{"trims",
                       "with ``--trimming``",
                       {{"node", ResultColumn::Type::KEY},
                        {"port", ResultColumn::Type::KEY},
                        {"packets", ResultColumn::Type::WHOLE}},
                       &TraceSeries::Make<TrimSampler>};
    series.rows = TraceSeries::Rows::THINNED;
    series.figure.title = "ports that trim most";
    series.figure.nothing = "it trimmed nothing";
    series.figure.of = {"node", "port"};
    series.figure.order = TraceFigure::Order::SUM;
    series.figure.by = "packets";
    series.figure.most = 4;
    series.figure.panels = {{"trimmed packets", "", 1, {{"packets"}}}};
    return series;
}

const TraceSeries& g_trims = TraceSeriesTable::Add(DescribeTrims());

} // namespace

TrimSampler::TrimSampler(const TraceStart& start)
    : PortSampler(start),
      m_told(m_ports.size())
{
    for (const FabricNetDevice* port : m_ports)
    {
        m_discs.push_back(DynamicCast<CongestionAwareQueueDisc>(port->GetQueue().GetDisc()));
    }
}

uint64_t
TrimSampler::Read(std::size_t port, std::size_t /* value */, int64_t /* nowPs */)
{
    const uint64_t before = m_told[port];
    m_told[port] = m_discs[port] ? m_discs[port]->GetNTrimmedPackets() : 0;
    return m_told[port] - before;
}

void
TrimSampler::AppendValue(std::string& text,
                         const FabricNetDevice& /* port */,
                         std::size_t /* value */,
                         uint64_t number,
                         int64_t /* spanPs */) const
{
    text += std::to_string(number);
}

} // namespace ns3
