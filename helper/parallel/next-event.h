// SPDX-License-Identifier: GPL-2.0-only
#ifndef NEXT_EVENT_H
#define NEXT_EVENT_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief When the simulator has its next event, which ns-3 has no function for.
 */
class NextEvent
{
  public:
    /// Be able to tell, from now on. Nothing changes for a FabricEngine; of other engines the list
    /// of events is replaced by one that can be asked.
    static void Watch();

    /**
     * @return time of the simulator's next event in ps; FabricTime::NEVER if there is none. After
     * Watch(), while the simulator does not run
     */
    static int64_t GetPs();
};

} // namespace ns3

#endif /* NEXT_EVENT_H */
