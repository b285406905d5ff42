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
class LinkSampler : public PortSampler
{
  public:
    /**
     * @param fabric the network
     * @param path file to write
     */
    LinkSampler(Ptr<Fabric> fabric, const std::string& path);

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

} // namespace ns3

#endif /* LINK_SAMPLER_H */
