// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_NUMBERS_H
#define FLOW_NUMBERS_H

#include "flow-recorder.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Numbers of flows while a simulation runs, the same on any number of processes (ranks):
 * those that flows.csv has in the end.
 *
 * Flows that are known before the run have the same index everywhere. One that a FlowSource makes
 * has an index of its own in each process that knows it, and its place among all depends on what
 * the others have made before.
 */
class FlowNumbers
{
  public:
    /**
     * @param recorder of the flows, before the run; must outlive this object
     */
    explicit FlowNumbers(const FlowRecorder& recorder);

    /**
     * @brief Number what has been made since the last call. To be called by all processes together,
     * when everything before one time has happened in each of them, and nothing of that time, or
     * when the run is over.
     */
    void Update();

    /**
     * @param index of a flow that begins at a host of this process, and was there at the last
     * Update()
     * @return its number
     */
    uint32_t Get(uint32_t index) const;

  private:
    const FlowRecorder& m_recorder;  //!< flows
    uint32_t m_nGiven;               //!< flows that were known before the run
    uint32_t m_next;                 //!< number of the next flow that is made
    std::vector<uint32_t> m_numbers; //!< of flows that were made, where they begin here
};

} // namespace ns3

#endif /* FLOW_NUMBERS_H */
