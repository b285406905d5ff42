// SPDX-License-Identifier: GPL-2.0-only
#include "trace-series.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief queues.csv: bytes waiting in each class of each port.
 *
 * Thinned as SampleThinner says. At a port whose queue disc has no classes all bytes are of class
 * 0.
 */
class QueueSampler : public PortSampler
{
  public:
    /// @param start what it is made of
    explicit QueueSampler(const TraceStart& start)
        : PortSampler(start, 8)
    {
    }

  protected:
    uint64_t Read(std::size_t port, std::size_t value, int64_t nowPs) override;
    void AppendValue(std::string& text,
                     const FabricNetDevice& port,
                     std::size_t value,
                     uint64_t number,
                     int64_t spanPs) const override;
};

namespace
{

/// @return what there is to say of it
TraceSeries
DescribeQueues()
{
    TraceSeries series{"queues",
                       "",
                       {{"node", ResultColumn::Type::KEY},
                        {"port", ResultColumn::Type::KEY},
                        {"class", ResultColumn::Type::KEY},
                        {"bytes", ResultColumn::Type::WHOLE}},
                       &TraceSeries::Make<QueueSampler>};
    series.rows = TraceSeries::Rows::THINNED;
    series.figure.title = "queue at the port with the highest peak";
    series.figure.nothing = "nothing ever waited there";
    series.figure.of = {"node", "port"};
    series.figure.order = TraceFigure::Order::PEAK;
    series.figure.by = "bytes";
    series.figure.together = true;
    series.figure.panels = {{"queue", "kB", 1e-3, {{"bytes"}}}};
    return series;
}

const TraceSeries& g_queues = TraceSeriesTable::Add(DescribeQueues());

} // namespace

uint64_t
QueueSampler::Read(std::size_t port, std::size_t value, int64_t /* nowPs */)
{
    const auto priority = static_cast<uint8_t>(value);
    return m_ports[port]->GetQueue().GetClassBytes(priority) +
           m_ports[port]->GetQueue().GetWaitingBytes(priority);
}

void
QueueSampler::AppendValue(std::string& text,
                          const FabricNetDevice& /* port */,
                          std::size_t value,
                          uint64_t number,
                          int64_t /* spanPs */) const
{
    text += static_cast<char>('0' + value);
    text += ',';
    text += std::to_string(number);
}

} // namespace ns3
