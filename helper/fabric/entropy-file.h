// SPDX-License-Identifier: GPL-2.0-only
#ifndef ENTROPY_FILE_H
#define ENTROPY_FILE_H

#include "ns3/object.h"

#include <cstdint>
#include <string>

namespace ns3
{

class Fabric;

/**
 * @ingroup dcfabric
 * @brief Keeps the good entropies of recurrent connections from one run to the next ([Patent] (31),
 * (172): "offline").
 *
 * A file with a line for each connection of RepsLoadBalancer with Recurrent: host, destination,
 * class, and the entropies in the order in which they will be used. `#` begins a comment.
 */
class EntropyFile : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Put the entropies of the file From, if there is one, into the stores of hosts.
     * @param fabric the network, whose policies are installed
     * @throws FabricError if it cannot be read, or names what does not keep entropies
     */
    void Load(const Fabric& fabric) const;

    /**
     * @brief Write what the stores of all hosts hold, whole or not at all.
     * @param fabric the network, before Simulator::Destroy()
     * @param path file
     * @return number of connections
     * @throws FabricError if it cannot be written
     */
    static uint32_t Write(const Fabric& fabric, const std::string& path);

    /**
     * @brief Put entropies into the stores of hosts, after what these hold.
     * @param fabric the network, whose policies are installed
     * @param path file
     * @throws FabricError if it cannot be read, or names what does not keep entropies
     */
    static void Read(const Fabric& fabric, const std::string& path);

  private:
    std::string m_from; //!< file of the entropies of an earlier run
};

} // namespace ns3

#endif /* ENTROPY_FILE_H */
