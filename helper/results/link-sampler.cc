// SPDX-License-Identifier: GPL-2.0-only
#include "trace-series.h"

#include <algorithm>
#include <cstdio>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief links.csv: what each port sent since the sample before.
 *
 * Frame bytes that were on the wire, without link-level frames; the utilisation is their share of
 * the line rate, so that preamble and gap keep it below 1. Thinned as SampleThinner says.
 */
class LinkSampler : public PortSampler
{
  public:
    /// @param start what it is made of
    explicit LinkSampler(const TraceStart& start);

  protected:
    uint64_t Read(std::size_t port, std::size_t value, int64_t nowPs) override;
    void AppendValue(std::string& text,
                     const FabricNetDevice& port,
                     std::size_t value,
                     uint64_t number,
                     int64_t spanPs) const override;

  private:
    /// @return frame bytes that have passed a port, part of the present packet included
    static uint64_t GetSentBytes(const FabricNetDevice& port, int64_t nowPs);

    std::vector<uint64_t> m_sent; //!< by port: counter at the last sample
};

namespace
{

/// @return what there is to say of it
TraceSeries
DescribeLinks()
{
    TraceSeries series{"links",
                       "",
                       {{"node", ResultColumn::Type::KEY},
                        {"port", ResultColumn::Type::KEY},
                        {"tx_bytes", ResultColumn::Type::WHOLE},
                        {"utilisation", ResultColumn::Type::REAL}},
                       &TraceSeries::Make<LinkSampler>};
    series.rows = TraceSeries::Rows::THINNED;
    series.figure.title = "busiest links";
    series.figure.nothing = "it never sent";
    series.figure.of = {"node", "port"};
    series.figure.order = TraceFigure::Order::MEAN;
    series.figure.by = "utilisation";
    series.figure.most = 4;
    series.figure.panels = {{"use", "%", 100, {{"utilisation"}}, 105}};
    return series;
}

const TraceSeries& g_links = TraceSeriesTable::Add(DescribeLinks());

} // namespace

LinkSampler::LinkSampler(const TraceStart& start)
    : PortSampler(start),
      m_sent(m_ports.size())
{
}

void
LinkSampler::AppendValue(std::string& text,
                         const FabricNetDevice& port,
                         std::size_t /* value */,
                         uint64_t number,
                         int64_t spanPs) const
{
    char rest[64];
    std::snprintf(rest,
                  sizeof(rest),
                  "%llu,%.4f",
                  static_cast<unsigned long long>(number),
                  static_cast<double>(number) * 8e12 /
                      (static_cast<double>(port.GetRateBps()) * static_cast<double>(spanPs)));
    text += rest;
}

uint64_t
LinkSampler::GetSentBytes(const FabricNetDevice& port, int64_t nowPs)
{
    const uint64_t begun = port.GetCounters().txBytes;
    const int64_t restPs = port.GetLink().GetLastEndPs() - nowPs;
    if (restPs <= 0)
    {
        return begun;
    }
    const double rest =
        static_cast<double>(restPs) * static_cast<double>(port.GetLink().GetWireRateBps()) / 8e12 -
        port.GetGapBytes();
    return begun - std::min(begun, static_cast<uint64_t>(std::max(0.0, rest)));
}

uint64_t
LinkSampler::Read(std::size_t port, std::size_t /* value */, int64_t nowPs)
{
    // a link-level frame on the wire is not in the counter: do not go back because of it
    const uint64_t before = m_sent[port];
    m_sent[port] = std::max(before, GetSentBytes(*m_ports[port], nowPs));
    return m_sent[port] - before;
}

} // namespace ns3
