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
class QueueSampler : public FabricSampler
{
  public:
    /**
     * @param fabric the network
     * @param path file to write
     */
    QueueSampler(Ptr<Fabric> fabric, const std::string& path);
    void Sample(int64_t nowPs) override;
    void Finish() override;

  private:
    /**
     * @brief Write a row.
     * @param timePs time
     * @param index port and class
     * @param bytes value
     */
    void WriteRow(int64_t timePs, std::size_t index, uint64_t bytes);

    ResultFile m_file;                     //!< file
    std::vector<FabricNetDevice*> m_ports; //!< all
    std::vector<uint8_t> m_busy;           //!< by port: bytes at the last sample
    std::vector<uint64_t> m_now;           //!< by port and class
    SampleThinner m_thinner;               //!< by port and class
};

} // namespace ns3

#endif /* QUEUE_SAMPLER_H */
