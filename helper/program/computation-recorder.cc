// SPDX-License-Identifier: GPL-2.0-only
#include "rank-runner.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/simulator.h"
#include "ns3/trace-series.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief computations.csv: what ranks of programs compute, and on which stream.
 *
 * A row for each computation that takes time, when it begins. Those of one time are in the order
 * of ranks.
 */
class ComputationRecorder : public EventRecorder
{
  public:
    /**
     * @param start what it is made of
     * @throws FabricError if the run has no programs of ranks
     */
    explicit ComputationRecorder(const TraceStart& start);
    ~ComputationRecorder() override;

  private:
    /// A computation begins.
    void OnCompute(const RankComputation& computation);

    Ptr<RankRunner> m_runner; //!< of the programs
};

namespace
{

/// @return what there is to say of it
TraceSeries
DescribeComputations()
{
    return {"computations",
            "of ranks, with ``--workload=program:PATH``",
            {{"rank", ResultColumn::Type::KEY},
             {"stream", ResultColumn::Type::TEXT},
             {"duration_ns", ResultColumn::Type::REAL},
             {"line", ResultColumn::Type::WHOLE}},
            &TraceSeries::Make<ComputationRecorder>};
}

const TraceSeries& g_computations = TraceSeriesTable::Add(DescribeComputations());

} // namespace

ComputationRecorder::ComputationRecorder(const TraceStart& start)
    : EventRecorder(start),
      m_runner(dynamic_cast<RankRunner*>(start.recorder.GetStarter().GetSource()))
{
    if (!m_runner)
    {
        throw FabricError(FabricTerm::Option("trace", "computations") + " needs " +
                          FabricTerm::Option("workload", "program:PATH") +
                          ": only programs of ranks compute");
    }
    m_runner->TraceConnectWithoutContext("Compute",
                                         MakeCallback(&ComputationRecorder::OnCompute, this));
}

ComputationRecorder::~ComputationRecorder()
{
    if (m_runner)
    {
        m_runner->TraceDisconnectWithoutContext(
            "Compute",
            MakeCallback(&ComputationRecorder::OnCompute, this));
    }
}

void
ComputationRecorder::OnCompute(const RankComputation& computation)
{
    std::string& text = BeginRow(FabricTime::ToPs(Simulator::Now()), computation.rank);
    text += ',' + std::to_string(computation.rank) + ',' + computation.stream + ',';
    AppendNanoseconds(text, computation.ps);
    text += ',' + std::to_string(computation.line);
}

} // namespace ns3
