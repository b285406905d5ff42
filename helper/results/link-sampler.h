// SPDX-License-Identifier: GPL-2.0-only
#ifndef LINK_SAMPLER_H
#define LINK_SAMPLER_H

#include "fabric-sampler.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief links.csv: what each port sent since the sample before,
 * `time_ns,node,port,tx_bytes,utilisation`.
 *
 * Frame bytes that were on the wire, without link-level frames; the utilisation is their share of
 * the line rate, so that preamble and gap keep it below 1. Thinned as SampleThinner says.
 */
class LinkSampler : public FabricSampler
{
  public:
    /**
     * @param fabric the network
     * @param path file to write
     */
    LinkSampler(Ptr<Fabric> fabric, const std::string& path);
    void Sample(int64_t nowPs) override;
    void Finish() override;

  private:
    /**
     * @param port the port
     * @param nowPs the present
     * @return frame bytes that have passed a port, part of the present packet included
     */
    static uint64_t GetSentBytes(const FabricNetDevice& port, int64_t nowPs);
    /**
     * @brief Write a row.
     * @param timePs time
     * @param index port
     * @param bytes sent
     * @param spanPs in that time
     */
    void WriteRow(int64_t timePs, std::size_t index, uint64_t bytes, int64_t spanPs);

    ResultFile m_file;                     //!< file
    std::vector<FabricNetDevice*> m_ports; //!< all
    std::vector<uint64_t> m_sent;          //!< by port: counter at the last sample
    std::vector<uint64_t> m_now;           //!< by port: bytes of the present sample
    int64_t m_spanPs{1};                   //!< length of the last sample
    SampleThinner m_thinner;               //!< by port
};

} // namespace ns3

#endif /* LINK_SAMPLER_H */
