// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-error.h"
#include "ns3/fabric-message.h"
#include "ns3/trace-series.h"

#include <sstream>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief messages.csv: every change of state of a matched message at its sender and of its receive.
 */
class MessageRecorder : public EventRecorder
{
  public:
    /// @param start what it is made of
    explicit MessageRecorder(const TraceStart& start);
    ~MessageRecorder() override;

    /**
     * @brief Refuse a network in which messages are not matched.
     * @param fabric the network
     */
    static void Check(const Fabric& fabric);

  private:
    /// Connect all sinks, or disconnect them.
    void Watch(bool connect);
    /// A state has changed.
    void OnState(std::string node, const MessageStateEvent& event);
};

namespace
{

/// @return what there is to say of it
TraceSeries
DescribeMessages()
{
    TraceSeries series{"messages",
                       "their states, with ``--messages``",
                       {{"node", ResultColumn::Type::KEY},
                        {"role", ResultColumn::Type::TEXT},
                        {"peer", ResultColumn::Type::KEY},
                        {"msn", ResultColumn::Type::KEY},
                        {"epoch", ResultColumn::Type::WHOLE},
                        {"from", ResultColumn::Type::TEXT},
                        {"to", ResultColumn::Type::TEXT}},
                       &TraceSeries::Make<MessageRecorder>};
    series.check = &MessageRecorder::Check;
    series.tellsReceives = true;
    return series;
}

const TraceSeries& g_messages = TraceSeriesTable::Add(DescribeMessages());

} // namespace

void
MessageRecorder::Check(const Fabric& fabric)
{
    if (!fabric.GetNic(fabric.GetHosts().front())->GetMessages().GetMatcher())
    {
        throw FabricError(FabricTerm::Option("trace", "messages") + " needs " +
                          FabricTerm::Option("messages") +
                          ": without it messages are not matched and have no states");
    }
}

MessageRecorder::MessageRecorder(const TraceStart& start)
    : EventRecorder(start)
{
    Watch(true);
}

MessageRecorder::~MessageRecorder()
{
    Watch(false);
}

void
MessageRecorder::Watch(bool connect)
{
    for (const uint32_t host : m_fabric->GetHosts())
    {
        if (m_fabric->IsHere(host))
        {
            const Ptr<FabricNic> nic = m_fabric->GetNic(host);
            const std::string node = std::to_string(host);
            const auto sink = MakeCallback(&MessageRecorder::OnState, this);
            connect ? nic->TraceConnect("MessageState", node, sink)
                    : nic->TraceDisconnect("MessageState", node, sink);
        }
    }
}

void
MessageRecorder::OnState(std::string node, const MessageStateEvent& event)
{
    std::ostringstream row;
    row << ',' << node << (event.sender ? ",sender," : ",receiver,") << event.peer << ','
        << event.msn << ',' << uint32_t{event.epoch} << ',' << event.from << ',' << event.to;
    BeginRow(event.nowPs, static_cast<uint32_t>(std::stoul(node))) += row.str();
}

} // namespace ns3
