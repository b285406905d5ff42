// SPDX-License-Identifier: GPL-2.0-only
#ifndef OUTPUT_FILTER_H
#define OUTPUT_FILTER_H

#include "ns3/fabric-packet-item.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Says which packets may leave their input queue for an output now; of a switch feature, for
 * a SwitchBuffer that holds packets.
 *
 * It is asked about the head of each queue that could be served otherwise, before an arbiter
 * chooses among them; so no arbiter knows of it, and what it holds back blocks nothing but its own
 * queue.
 */
class OutputFilter
{
  public:
    virtual ~OutputFilter() = default;

    /**
     * @param output port
     * @param head first packet of an input queue
     * @return true if it may leave the queue
     */
    virtual bool MayPass(uint16_t output, const FabricPacketItem& head) = 0;

    /**
     * @brief Asked at the time at which MayPass() said no.
     * @param output port
     * @return when it is to be asked again, in ps, later than now, if nothing else happens at the
     * output before; FabricTime::NEVER: it calls SwitchBuffer::OnGateOpen()
     */
    virtual int64_t GetRetryPs(uint16_t output) const = 0;
};

} // namespace ns3

#endif /* OUTPUT_FILTER_H */
