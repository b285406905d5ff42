// SPDX-License-Identifier: GPL-2.0-only
#include "flow-recorder.h"

#include "ns3/plain-bytes.h"

namespace ns3
{

namespace
{

/// Append a flow.
void
WriteEntry(std::string& bytes, const FlowTable::Entry& entry)
{
    WritePlain(bytes, entry.order);
    WritePlain(bytes, entry.flow);
    WritePlain(bytes, entry.record);
    WritePlainAll(bytes, entry.counts);
}

/// @return a flow that WriteEntry() has written
FlowTable::Entry
TakeEntry(const std::string& bytes, std::size_t& at)
{
    FlowTable::Entry entry;
    ReadPlain(bytes, at, entry.order);
    ReadPlain(bytes, at, entry.flow);
    ReadPlain(bytes, at, entry.record);
    entry.counts = TakePlainAll<uint64_t>(bytes, at);
    return entry;
}

} // namespace

std::string
FlowRecorder::Pack() const
{
    std::string bytes;
    WritePlain(bytes, m_progress.GetNOpenEnds());
    WritePlainAll(bytes, m_labels.GetDeliveredBytes());
    WritePlainAll(bytes, m_starter.GetDueTimesPs());
    const auto nFlows = static_cast<uint32_t>(m_table.GetFlows().size());
    for (uint32_t i = 0; i < nFlows; ++i)
    {
        // what was made here has ends here
        const FabricFlow& flow = m_table.GetFlows()[i];
        if (GetFabric()->IsHere(flow.src) || GetFabric()->IsHere(flow.dst))
        {
            WritePlain(bytes, i);
            WriteEntry(bytes, m_table.GetEntry(i));
        }
    }
    return bytes;
}

void
FlowRecorder::Join(const std::string& bytes)
{
    std::size_t at = 0;
    m_progress.JoinOpenEnds(TakePlain<uint64_t>(bytes, at));
    m_labels.Join(TakePlainAll<uint64_t>(bytes, at));
    m_starter.JoinDueTimes(TakePlainAll<int64_t>(bytes, at));
    std::vector<FlowTable::Entry> made;
    while (at < bytes.size())
    {
        const auto flow = TakePlain<uint32_t>(bytes, at);
        FlowTable::Entry entry = TakeEntry(bytes, at);
        if (flow < m_table.GetNGiven())
        {
            m_table.Join(flow, entry);
        }
        else
        {
            made.push_back(std::move(entry));
        }
    }
    m_table.JoinMade(made);
}

} // namespace ns3
