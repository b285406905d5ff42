// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_ENERGY_H
#define FABRIC_ENERGY_H

#include "ns3/fabric.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The energy of a fabric, by attributes that are all zero: measured numbers are the user's.
 *
 * A port takes IdleWatts always and PortWatts while its link is up, or SleepWatts in their place
 * while it is asleep, and JoulePerBit for each bit of a frame that it sends or receives, without
 * preamble, gap and what flow control and retry say on a link. Switches and NICs take a base power.
 *
 * A port whose link is up sleeps when it has sent nothing for SleepAfter; the next frame waits for
 * WakeTime (PortPower).
 */
class FabricEnergy : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// What the energy of a port depends on.
    struct PortUse
    {
        int64_t timePs{0};   //!< how long the simulation lasted
        int64_t upPs{0};     //!< of that, with the link up
        int64_t asleepPs{0}; //!< of that, asleep
    };

    /// Energies of nodes, in joule.
    struct Joules
    {
        double ports{0};            //!< of ports, but for what they send
        double bits{0};             //!< of what is sent and received
        double nodes{0};            //!< of switches and NICs
        uint64_t bytesDelivered{0}; //!< payload that arrived and was new
        uint64_t wakes{0};          //!< of ports

        /// @return all of it
        double GetSum() const
        {
            return ports + bits + nodes;
        }
    };

    /// @return true if any number is not zero
    bool IsUsed() const;

    /**
     * @brief Keep account of ports from now on; where none sleeps that has no effect on anything.
     * @param fabric the network
     */
    void Install(Fabric& fabric) const;

    /**
     * @param use of a port
     * @return its energy, without that of bits, in joule
     */
    double GetPortJoule(const PortUse& use) const;
    /**
     * @param bytes sent or received
     * @return energy of their bits at one port, in joule
     */
    double GetBitJoule(uint64_t bytes) const;

    /**
     * @brief Add up what the nodes that are simulated here have used. What is sent counts at both
     * ends of a link.
     * @param fabric the network, after Install()
     * @param nowPs the present in ps
     * @return the energies
     */
    Joules Collect(const Fabric& fabric, int64_t nowPs) const;

  private:
    double m_idleWatts{0};   //!< attribute
    double m_portWatts{0};   //!< attribute
    double m_sleepWatts{0};  //!< attribute
    double m_joulePerBit{0}; //!< attribute
    double m_switchWatts{0}; //!< attribute
    double m_nicWatts{0};    //!< attribute
    Time m_sleepAfter;       //!< attribute
    Time m_wakeTime;         //!< attribute
};

} // namespace ns3

#endif /* FABRIC_ENERGY_H */
