// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_FAULTS_H
#define FABRIC_FAULTS_H

#include "fabric-fault-file.h"
#include "fabric.h"

#include "ns3/data-rate.h"
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

    /// @return true if a link goes down: then packets are lost, whatever the flow control
    bool TakesLinksDown() const;

    /// @return when the last fault happens, in ps; 0 without faults
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
     * while it is down or comes up while it is up, two such changes or two rates of a link at one
     * time, a rate above that of the plan (buffers are laid out for that) or one that a feature of
     * a switch cannot work with
     */
    void Install(Ptr<Fabric> fabric) const;

  private:
    std::vector<FabricFault> m_faults; //!< in the order of addition
};

} // namespace ns3

#endif /* FABRIC_FAULTS_H */
