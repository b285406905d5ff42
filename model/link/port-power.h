// SPDX-License-Identifier: GPL-2.0-only
#ifndef PORT_POWER_H
#define PORT_POWER_H

#include "fabric-time.h"

#include <cstdint>

namespace ns3
{

class FabricNetDevice;

/**
 * @ingroup dcfabric
 * @brief For how long a port was up, and asleep: what its energy is computed from.
 *
 * A port whose link is up falls asleep when it has sent nothing for a while, and the next frame
 * that it sends has to wait until it is awake, as with low power idle (IEEE 802.3az). A port has
 * such an object only where somebody asks for energy.
 */
class PortPower
{
  public:
    /**
     * @param port the port, which has a link and owns this object
     * @param sleepAfterPs time without a frame sent after which it sleeps, in ps; NEVER: it does
     * not
     * @param wakePs time that waking takes, in ps
     */
    PortPower(FabricNetDevice& port, int64_t sleepAfterPs, int64_t wakePs);

    /**
     * @brief A frame begins.
     * @param nowPs time
     * @return when it may, in ps
     */
    int64_t OnTransmit(int64_t nowPs);

    /**
     * @param nowPs the present in ps
     * @return time during which the link was up, in ps
     */
    int64_t GetUpPs(int64_t nowPs) const;

    /**
     * @param nowPs the present in ps
     * @return time during which the port was asleep, in ps
     */
    int64_t GetAsleepPs(int64_t nowPs) const;

    /// @return how often it woke
    uint64_t GetNWakes() const
    {
        return m_wakes;
    }

  private:
    /// The link has gone down or come up.
    void OnLinkChange();
    /// @return for how long the port has been asleep now, in ps
    int64_t GetNapPs(int64_t nowPs) const;

    FabricNetDevice& m_port;                //!< the port
    int64_t m_sleepAfterPs;                 //!< see there
    int64_t m_wakePs;                       //!< see there
    int64_t m_upSincePs{FabricTime::NEVER}; //!< NEVER: the link is down
    int64_t m_upPs{0};                      //!< before that
    int64_t m_asleepPs{0};                  //!< before the last frame, or the last outage
    uint64_t m_wakes{0};                    //!< times it woke
};

} // namespace ns3

#endif /* PORT_POWER_H */
