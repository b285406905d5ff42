// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_FAULTS_H
#define FABRIC_FAULTS_H

#include "fabric-fault-file.h"

#include "ns3/data-rate.h"
#include "ns3/fabric.h"
#include "ns3/nstime.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A schedule of faults for a network.
 *
 *     FabricFaults faults;
 *     faults.AddDown(MicroSeconds(120), 16, 24);
 *     faults.AddUp(MicroSeconds(300), 16, 24);
 *     faults.Install(fabric);
 *
 * The order in which faults are added is of no meaning.
 */
class FabricFaults
{
  public:
    /**
     * @brief Add the faults of a file.
     * @param path the file
     * @throws FabricError with file and line
     */
    void Read(const std::string& path);

    /**
     * @brief A link goes down.
     * @param at when
     * @param a one end, a node number or {node, port}
     * @param b other end
     */
    void AddDown(Time at, FabricFault::End a, FabricFault::End b);

    /**
     * @brief A link comes up.
     * @param at when
     * @param a one end
     * @param b other end
     */
    void AddUp(Time at, FabricFault::End a, FabricFault::End b);

    /**
     * @brief A link has another rate.
     * @param at when
     * @param a one end
     * @param b other end
     * @param rate of both directions
     */
    void AddRate(Time at, FabricFault::End a, FabricFault::End b, DataRate rate);

    /**
     * @brief A link loses frames from now on, those of flow control included.
     * @param at when
     * @param a one end
     * @param b other end
     * @param share probability for each frame, 0 to 1, in both directions; 0: no longer
     */
    void AddLoss(Time at, FabricFault::End a, FabricFault::End b, double share);

    /**
     * @brief Frames of a link arrive damaged from now on, those of flow control included: they are
     * dropped for their check sequence.
     * @param at when
     * @param a one end
     * @param b other end
     * @param share probability for each frame, 0 to 1, in both directions; 0: no longer
     */
    void AddCorruption(Time at, FabricFault::End a, FabricFault::End b, double share);

    /**
     * @brief A switch fails: its links go down, and what is in it is lost.
     * @param at when
     * @param node number of the switch
     */
    void AddSwitchDown(Time at, uint32_t node);

    /**
     * @brief A switch comes back, empty, and its links with it, but for those that are down by
     * faults of their own.
     * @param at when
     * @param node number of the switch
     */
    void AddSwitchUp(Time at, uint32_t node);

    /**
     * @brief A host pauses all lossless classes of its switches, for ever.
     * @param at when
     * @param host number of the host
     */
    void AddStorm(Time at, uint32_t host);

    /**
     * @brief A host pauses its switches no longer.
     * @param at when
     * @param host number of the host
     */
    void AddCalm(Time at, uint32_t host);

    /**
     * @brief A link goes down and comes up again and again.
     * @param first when it goes down at first
     * @param a one end
     * @param b other end
     * @param down how long it is down each time, above zero
     * @param up how long it is up each time, above zero
     * @param times how often it goes down
     * @throws FabricError for a time that is not above zero
     */
    void AddFlapping(Time first,
                     FabricFault::End a,
                     FabricFault::End b,
                     Time down,
                     Time up,
                     uint32_t times);

    /**
     * @brief Have all nodes route around links that are down, as a routing protocol makes them do.
     *
     * Without this call, no node but the two at the ends of a link learns that it is down.
     * @param time from when a link goes down or comes up until all tables know of it, up to 24 h
     * @throws FabricError for another time
     */
    void SetConvergenceTime(Time time);

    /**
     * @brief Add a fault.
     * @param fault what and when
     */
    void Add(const FabricFault& fault)
    {
        m_faults.push_back(fault);
    }

    /// @return all faults in the order of addition
    const std::vector<FabricFault>& Get() const
    {
        return m_faults;
    }

    /// @return true if a link goes down, of its own or with a switch
    bool TakesLinksDown() const;

    /// @return true if packets are lost, whatever the flow control
    bool LosePackets() const;

    /// @return when the last fault happens and all tables know of it, in ps; 0 without faults
    int64_t GetLastPs() const;

    /**
     * @param timePs in ps
     * @return number of faults after a time
     */
    uint64_t CountAfter(int64_t timePs) const;

    /**
     * @brief Schedule all faults, or none if one of them is refused. Once for each network.
     * @param fabric the network
     * @throws FabricError that names the fault, with file and line if it was read: an unknown node
     * or port, no link or several between two nodes, a time in the past, a link that goes down
     * while it is down or comes up while it is up (a switch that fails twice, a host that storms
     * twice), two such changes or two rates of a link at one time, a rate above that of the plan
     * (buffers are laid out for that) or one that a feature of a switch cannot work with, a host
     * where a switch is needed or the other way round, a storm without PFC
     */
    void Install(Ptr<Fabric> fabric) const;

  private:
    std::vector<FabricFault> m_faults; //!< in the order of addition
    int64_t m_convergencePs{-1};       //!< -1: tables stay as they are
};

} // namespace ns3

#endif /* FABRIC_FAULTS_H */
