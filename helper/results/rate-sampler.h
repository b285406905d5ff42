// SPDX-License-Identifier: GPL-2.0-only
#ifndef RATE_SAMPLER_H
#define RATE_SAMPLER_H

#include "fabric-sampler.h"
#include "flow-numbers.h"

#include "ns3/fabric-message.h"

#include <map>
#include <memory>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief rates.csv: what the congestion control of each sending flow allows, and what the flow got,
 * `time_ns,flow,rate_bps,window_bytes,throughput_bps,limit_bps`.
 *
 * A row for each sending PDC that is not idle, the flow being that of the message it sends, and
 * then for each other flow whose payload has arrived since the sample before, in the order of
 * flows. Window 0 means that there is none.
 *
 * The throughput is the payload that arrived at the receiver and was new, over the time since the
 * sample before; what arrives after the last sample has rows at the end of the run, and counts to
 * the last interval if that is the time of the last sample. So its sum over time is the size of a
 * flow. The limit is the lower of the rate, which counts frames, and window over base RTT. A flow
 * that is complete has rate and window of the time at which its sender had the last ACK; one behind
 * which its PDC sends another, those of the PDC; one that was given up with its PDC, 0.
 */
class RateSampler : public FabricSampler
{
  public:
    /**
     * @param fabric the network
     * @param path file to write
     * @param recorder of the flows, before the run, to number those that are made during a run of
     * several processes; null: there are none
     */
    RateSampler(Ptr<Fabric> fabric,
                const std::string& path,
                const FlowRecorder* recorder = nullptr);
    ~RateSampler() override;
    void Sample(int64_t nowPs) override;
    void Finish(int64_t endPs) override;

  private:
    /// What a flow may send.
    struct Limit
    {
        uint64_t rateBps{0};     //!< pacing rate
        uint64_t windowBytes{0}; //!< 0: none
        uint64_t limitBps{0};    //!< of both
    };

    /// What has arrived of a flow since the last sample.
    struct Arrival
    {
        uint64_t flow;  //!< see GetKey()
        uint64_t bytes; //!< payload
        uint32_t pdc;   //!< number of its PDC at the sender
    };

    /// Parts of a sample, in the order of the file.
    enum class Part : int64_t
    {
        SENDING, //!< flows of busy PDCs, by host
        OTHERS,  //!< by flow
    };

    /**
     * @param src its sender
     * @param tag its number there
     * @return what tells a flow from those of other processes
     */
    static uint64_t GetKey(uint32_t src, uint32_t tag)
    {
        return (uint64_t{src} << 32) | tag;
    }

    /// @return what a PDC may send
    static Limit GetLimit(const SendingPdc& pdc);
    /// @return what a flow may send that is none of a busy PDC
    Limit FindLimit(const Arrival& arrival) const;
    /// New payload has arrived.
    void OnPayload(Ptr<const FabricPacketItem> item);
    /// A flow is complete at its sender.
    void OnCompleted(const FabricMessageEvent& event);
    /// Begin a sample, or the end of the run, with what all processes know.
    void Begin(int64_t nowPs);
    /**
     * @brief Write a row.
     * @param tag of the flow
     * @param bytes that have arrived
     */
    void WriteRow(Part part, uint64_t place, uint32_t tag, const Limit& limit, uint64_t bytes);
    /// Hand what has arrived to the processes of the senders.
    void JoinArrivals();
    /// Write the rows of flows in m_arrivals and forget these.
    void WriteArrivals();

    TraceFile m_file;                             //!< file
    Ptr<Fabric> m_fabric;                         //!< network
    std::unique_ptr<FlowNumbers> m_numbers;       //!< of flows; null: their tags
    std::map<uint64_t, Arrival> m_arrivals;       //!< since the last sample, by flow
    std::unordered_map<uint64_t, Limit> m_limits; //!< of flows that ended since then
    int64_t m_previousPs{0};                      //!< time of the last sample
    int64_t m_nowPs{0};                           //!< time of this one
    int64_t m_spanPs{1};                          //!< between the two
};

} // namespace ns3

#endif /* RATE_SAMPLER_H */
