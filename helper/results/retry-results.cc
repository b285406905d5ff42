// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What link-level retry leaves behind: members of summary.json, and retries.csv.
 */
#include "summary-members.h"
#include "trace-series.h"

#include "ns3/link-retry.h"

#include <array>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief retries.csv: counters of ports with link-level retry since the beginning, where they
 * change.
 */
class RetrySampler : public PortSampler
{
  public:
    /// @param start what it is made of
    explicit RetrySampler(const TraceStart& start);

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

/// A counter of a port.
struct RetryCounter
{
    const char* name;                         //!< in retries.csv
    const char* member;                       //!< in summary.json
    uint64_t (*count)(const LinkRetry& link); //!< the counter
};

/// Those that there are.
constexpr std::array<RetryCounter, 8> RETRY_COUNTERS{
    {{"ok", "llr_frames", [](const LinkRetry& l) { return l.GetReceiver().GetCounters().ok; }},
     {"replay", "llr_replays", [](const LinkRetry& l) { return l.GetCounters().replays; }},
     {"timeout", "llr_timeouts", [](const LinkRetry& l) { return l.GetCounters().timeouts; }},
     {"nack", "llr_nacks", [](const LinkRetry& l) { return l.GetCounters().nacks; }},
     {"damaged",
      "llr_damaged",
      [](const LinkRetry& l) { return l.GetReceiver().GetCounters().damaged; }},
     {"missing",
      "llr_missing",
      [](const LinkRetry& l) { return l.GetReceiver().GetCounters().missing; }},
     {"duplicate",
      "llr_duplicates",
      [](const LinkRetry& l) { return l.GetReceiver().GetCounters().duplicates; }},
     {"discard", "llr_discards", [](const LinkRetry& l) { return l.GetCounters().discards; }}}};

/// Counters of frames that are well are not for a time series.
constexpr std::size_t FIRST_OF_SERIES = 1;

/// @return a counter of a port, 0 without retry
template <std::size_t I>
uint64_t
CountRetries(const FabricNetDevice& port)
{
    const LinkRetry* retry = port.GetRetry();
    return retry ? RETRY_COUNTERS[I].count(*retry) : 0;
}

/// Enter all of them.
template <std::size_t I = 0>
bool
AddMembers()
{
    if constexpr (I < RETRY_COUNTERS.size())
    {
        SummaryMembers::Add({RETRY_COUNTERS[I].member, nullptr, nullptr, &CountRetries<I>});
        AddMembers<I + 1>();
    }
    return true;
}

/// @return what there is to say of retries.csv
TraceSeries
DescribeRetries()
{
    TraceSeries series{"retries",
                       "with ``--link-retry=llr``",
                       {{"node", ResultColumn::Type::KEY},
                        {"port", ResultColumn::Type::KEY},
                        {"event", ResultColumn::Type::TEXT},
                        {"count", ResultColumn::Type::WHOLE}},
                       &TraceSeries::Make<RetrySampler>};
    series.rows = TraceSeries::Rows::THINNED;
    return series;
}

const bool g_members = AddMembers();                                     //!< enters them
const TraceSeries& g_retries = TraceSeriesTable::Add(DescribeRetries()); //!< enters it

} // namespace

RetrySampler::RetrySampler(const TraceStart& start)
    : PortSampler(start, RETRY_COUNTERS.size() - FIRST_OF_SERIES)
{
}

uint64_t
RetrySampler::Read(std::size_t port, std::size_t value, int64_t /* nowPs */)
{
    const LinkRetry* retry = m_ports[port]->GetRetry();
    return retry ? RETRY_COUNTERS[FIRST_OF_SERIES + value].count(*retry) : 0;
}

void
RetrySampler::AppendValue(std::string& text,
                          const FabricNetDevice& /* port */,
                          std::size_t value,
                          uint64_t number,
                          int64_t /* spanPs */) const
{
    text += RETRY_COUNTERS[FIRST_OF_SERIES + value].name;
    text += ',';
    text += std::to_string(number);
}

} // namespace ns3
