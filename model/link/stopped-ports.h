// SPDX-License-Identifier: GPL-2.0-only
#ifndef STOPPED_PORTS_H
#define STOPPED_PORTS_H

#include <cstdint>
#include <vector>

namespace ns3
{

class FabricNetDevice;

/**
 * @ingroup dcfabric
 * @brief The ports of this process that may not send all they want to: a class is paused or lacks
 * credits, or a packet waits at the gate (EgressGate).
 *
 * Who looks for ports that wait for others finds them here, and need not ask all ports of a large
 * network, of which nearly all send freely.
 */
class StoppedPorts
{
  public:
    /// The number of what is not stopped.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// Something that stops a port.
    struct Entry
    {
        const FabricNetDevice* port; //!< which
        uint32_t* number;            //!< where it knows its place in the list
    };

    /**
     * @brief Something stops a port, or does so no longer; to be called when that changes.
     * @param port which
     * @param number of what stops it, kept there: NONE at first and in the end
     * @param stopped whether it does
     */
    static void Set(const FabricNetDevice& port, uint32_t& number, bool stopped)
    {
        if (stopped != (number != NONE))
        {
            Change(port, number);
        }
    }

    /// @return all, in no order; a port may be there twice
    static const std::vector<Entry>& Get()
    {
        return g_all;
    }

  private:
    /// Add or remove.
    static void Change(const FabricNetDevice& port, uint32_t& number);

    static std::vector<Entry> g_all; //!< see Get()
};

} // namespace ns3

#endif /* STOPPED_PORTS_H */
