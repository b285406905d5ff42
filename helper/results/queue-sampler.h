// SPDX-License-Identifier: GPL-2.0-only
#ifndef QUEUE_SAMPLER_H
#define QUEUE_SAMPLER_H

#include "fabric-sampler.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief queues.csv: bytes waiting in each class of each port, `time_ns,node,port,class,bytes`.
 *
 * Thinned as SampleThinner says. At a port whose queue disc has no classes all bytes are of class
 * 0.
 */
class QueueSampler : public PortSampler
{
  public:
    /**
     * @param fabric the network
     * @param path file to write
     */
    QueueSampler(Ptr<Fabric> fabric, const std::string& path);

  protected:
    uint64_t Read(std::size_t port, std::size_t value, int64_t nowPs) override;
    void AppendValue(std::string& text,
                     const FabricNetDevice& port,
                     std::size_t value,
                     uint64_t number,
                     int64_t spanPs) const override;
};

} // namespace ns3

#endif /* QUEUE_SAMPLER_H */
