// SPDX-License-Identifier: GPL-2.0-only
#ifndef WINDOW_RECORDER_H
#define WINDOW_RECORDER_H

#include "fabric-sampler.h"
#include "flow-numbers.h"

#include "ns3/pdc-traces.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @brief @ingroup dcfabric
 * @param state where a sending PDC stands
 * @return the name of a state in result files
 */
const char* GetPdcStateName(PdcState state);

/**
 * @ingroup dcfabric
 * @brief windows.csv: window, rate, round-trip time and state of each sending PDC, as the trace
 * sources of FabricNic tell them, `time_ns,flow,node,pdc,window_bytes,rate_bps,rtt_ns,state`.
 *
 * A row for each time at which one of the four has changed, with all four after that time. The
 * flow is that of the message that the PDC sends. Window 0 means that there is none, RTT 0 that no
 * ACK has come.
 */
class WindowRecorder : public FabricSampler
{
  public:
    /**
     * @param fabric the network
     * @param path file to write
     * @param recorder of the flows, before the run, to number those that are made during a run of
     * several processes; null: there are none
     */
    WindowRecorder(Ptr<Fabric> fabric,
                   const std::string& path,
                   const FlowRecorder* recorder = nullptr);
    ~WindowRecorder() override;
    /**
     * @brief Write what has changed before a time.
     * @param nowPs the present in ps
     */
    void Sample(int64_t nowPs) override;
    void Finish(int64_t endPs) override;

  private:
    /// A row.
    struct Row
    {
        int64_t nowPs;        //!< time
        uint32_t node;        //!< host
        uint32_t pdc;         //!< number at the host
        uint32_t tag;         //!< of the flow
        uint64_t windowBytes; //!< 0: none
        uint64_t rateBps;     //!< pacing rate
        int64_t rttPs;        //!< 0: none
        PdcState state;       //!< in the schedule
    };

    /// Connect all sinks, or disconnect them.
    void Watch(bool connect);
    /// Something of a PDC has changed.
    void Note(const SendingPdc& pdc);
    /// Sink of CongestionWindow.
    void OnWindow(const SendingPdc& pdc, uint64_t oldBytes, uint64_t newBytes);
    /// Sink of Rate.
    void OnRate(const SendingPdc& pdc, DataRate oldRate, DataRate newRate);
    /// Sink of RTT.
    void OnRtt(const SendingPdc& pdc, Time oldRtt, Time newRtt);
    /// Sink of State.
    void OnState(const SendingPdc& pdc, PdcState oldState, PdcState newState);
    /// Write the rows that are kept.
    void WriteRows();

    TraceFile m_file;                       //!< file
    Ptr<Fabric> m_fabric;                   //!< network
    std::unique_ptr<FlowNumbers> m_numbers; //!< of flows; null: their tags
    std::vector<Row> m_rows;                //!< since the last sample: flows have numbers then
    std::unordered_map<uint64_t, std::size_t> m_last; //!< of these, the last one of each PDC
};

} // namespace ns3

#endif /* WINDOW_RECORDER_H */
