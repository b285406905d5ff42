// SPDX-License-Identifier: GPL-2.0-only
#ifndef RATE_SAMPLER_H
#define RATE_SAMPLER_H

#include "fabric-sampler.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief rates.csv: what the congestion control of each sending flow allows,
 * `time_ns,flow,rate_bps,window_bytes`.
 *
 * A row for each sending PDC that is not idle; the flow is that of the message it sends. Window 0
 * means that there is none.
 */
class RateSampler : public FabricSampler
{
  public:
    /// @param fabric the network @param path file to write
    RateSampler(Ptr<Fabric> fabric, const std::string& path);
    void Sample(int64_t nowPs) override;
    void Finish() override;

  private:
    ResultFile m_file;    //!< file
    Ptr<Fabric> m_fabric; //!< network
};

} // namespace ns3

#endif /* RATE_SAMPLER_H */
