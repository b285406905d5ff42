// SPDX-License-Identifier: GPL-2.0-only
#include "trace-series.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief pfc.csv: every pause and resume, at the port that receives it.
 *
 * Repeated pauses of a class that is already paused have rows as well.
 */
class PauseRecorder : public EventRecorder
{
  public:
    /// @param start what it is made of
    explicit PauseRecorder(const TraceStart& start);
    ~PauseRecorder() override;

  private:
    /// A frame has arrived: a pause, or a resume.
    void OnPause(Ptr<const FabricNetDevice> device, uint8_t priority, bool pause);

    std::vector<Ptr<FabricNetDevice>> m_ports; //!< all; they may outlive the simulation
};

namespace
{

/// @return what there is to say of it
TraceSeries
DescribePauses()
{
    TraceSeries series{"pfc",
                       "",
                       {{"node", ResultColumn::Type::KEY},
                        {"port", ResultColumn::Type::KEY},
                        {"class", ResultColumn::Type::KEY},
                        {"event", ResultColumn::Type::TEXT}},
                       &TraceSeries::Make<PauseRecorder>};
    series.figure.title = "pauses";
    series.figure.nothing = "it was never paused";
    series.figure.of = {"node", "port"};
    series.figure.spans = {"event", "pause", "resume", "paused"};
    return series;
}

const TraceSeries& g_pauses = TraceSeriesTable::Add(DescribePauses());

} // namespace

PauseRecorder::PauseRecorder(const TraceStart& start)
    : EventRecorder(start)
{
    for (FabricNetDevice* port : GetFabricPorts(*m_fabric))
    {
        m_ports.emplace_back(port);
        port->TraceConnectWithoutContext("Pause", MakeCallback(&PauseRecorder::OnPause, this));
    }
}

PauseRecorder::~PauseRecorder()
{
    for (const auto& port : m_ports)
    {
        port->TraceDisconnectWithoutContext("Pause", MakeCallback(&PauseRecorder::OnPause, this));
    }
}

void
PauseRecorder::OnPause(Ptr<const FabricNetDevice> device, uint8_t priority, bool pause)
{
    const uint32_t node = device->GetActor()->GetAddress();
    std::string& text = BeginRow(device->GetNowPs(), node);
    for (const uint32_t value : {node, uint32_t{device->GetPort()}, uint32_t{priority}})
    {
        text += ',';
        text += std::to_string(value);
    }
    text += pause ? ",pause" : ",resume";
}

} // namespace ns3
