// SPDX-License-Identifier: GPL-2.0-only
#ifndef RATE_SAMPLER_H
#define RATE_SAMPLER_H

#include "fabric-sampler.h"

#include "ns3/result-file.h"

#include <map>

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
 * sample before; what arrives after the last sample has rows at the end of the run. So its sum over
 * time is the size of a flow. The limit is the lower of the rate, which counts frames, and window
 * over base RTT. A flow that is not being sent any more has rate and window of the time at which
 * the first of that payload arrived.
 */
class RateSampler : public FabricSampler
{
  public:
    /**
     * @param fabric the network
     * @param path file to write
     */
    RateSampler(Ptr<Fabric> fabric, const std::string& path);
    ~RateSampler() override;
    void Sample(int64_t nowPs) override;
    /// Complete the file at the present time of the simulation; nothing may follow.
    void Finish() override;

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
        uint64_t bytes; //!< payload
        Limit limit;    //!< when the first of it arrived
    };

    /// @return what a PDC may send
    static Limit GetLimit(const SendingPdc& pdc);
    /// New payload has arrived.
    void OnPayload(Ptr<const FabricPacketItem> item);
    /// Write a row.
    void WriteRow(int64_t nowPs, uint32_t flow, const Limit& limit, uint64_t bytes);
    /// Write the rows of flows in m_arrivals and forget these.
    void WriteArrivals(int64_t nowPs);

    ResultFile m_file;                      //!< file
    Ptr<Fabric> m_fabric;                   //!< network
    std::map<uint32_t, Arrival> m_arrivals; //!< since the last sample, by flow
    int64_t m_previousPs{0};                //!< time of the last sample
};

} // namespace ns3

#endif /* RATE_SAMPLER_H */
