// SPDX-License-Identifier: GPL-2.0-only
#ifndef JOB_LINKS_H
#define JOB_LINKS_H

#include "job-link-feature.h"
#include "rank-job.h"

#include "ns3/fabric-net-device.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/flow-table.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What jobs send over each port, and how long their packets wait at those of switches while
 * those of others go.
 *
 * Kinds of traffic are those of labels (FabricFlow::group): jobs, and what runs beside them. Only
 * data counts. A packet waits *behind others* for the time in which the port sends data of other
 * kinds between its coming to the switch and its going.
 */
class JobLinks
{
  public:
    /// What a kind of traffic has sent over a port.
    struct Use
    {
        uint32_t node;       //!< switch or host
        uint16_t port;       //!< its port
        uint16_t group;      //!< FabricFlow::group
        uint64_t packets{0}; //!< sent, repeated ones included
        uint64_t bytes{0};   //!< of their frames
        int64_t waitPs{0};   //!< from coming to going, of all together
        int64_t behindPs{0}; //!< of that, while data of others went
    };

    /**
     * @brief Begin to look at all ports that this process simulates.
     * @param table the flows; must outlive this object
     * @param job all jobs
     * @param hosts host numbers by rank
     * @pre each switch has a JobLinkFeature
     * @throws FabricError if it cannot tell the jobs of several processes apart, because they share
     * a host
     */
    JobLinks(const FlowTable& table, const RankJob& job, const std::vector<uint32_t>& hosts);
    ~JobLinks();
    JobLinks(const JobLinks&) = delete;
    JobLinks& operator=(const JobLinks&) = delete;

    /// @return ports with the data of at least two kinds: those of a port follow one another, and
    /// the ports at which most time is lost behind others come first
    std::vector<Use> ListShared() const;

    /**
     * @brief Write interference.csv: the rows of ListShared().
     * @param path file to write
     * @param labels by FabricFlow::group
     * @throws ResultFileError if it cannot be written
     */
    void WriteCsv(const std::string& path, const std::vector<std::string>& labels) const;

    /// @return a port, such as `leaf-0 to spine-1`
    std::string DescribeLink(uint32_t node, uint16_t port) const;

    /// @return what this process knows, for Join()
    std::string Pack() const;

    /**
     * @brief Learn what another process knows of its switches.
     * @param bytes what Pack() gave there
     */
    void Join(const std::string& bytes);

    // for the features of switches

    /// A packet has come that goes to a port. @param node switch @param port egress port
    void OnAdmit(uint32_t node, uint16_t port, const FabricPacketItem& item);
    /// It goes. @param wirePs how long that takes
    void OnTransmit(uint32_t node, uint16_t port, const FabricPacketItem& item, int64_t wirePs);
    /// It does not.
    void OnDrop(const FabricPacketItem& item);

  private:
    static constexpr uint16_t NONE = UINT16_MAX; //!< of several jobs

    /// A packet that waits.
    struct Waiting
    {
        int64_t sincePs;  //!< when it came
        int64_t othersPs; //!< for how long its port had sent data of others then
    };

    /// A port of a host, whose packets do not wait in a queue.
    struct Nic
    {
        JobLinks* links;             //!< is told
        uint32_t node;               //!< host
        uint16_t port;               //!< its port
        Ptr<FabricNetDevice> device; //!< it

        /// A packet goes on the wire. @param item it
        void OnTransmit(Ptr<const FabricPacketItem> item);
    };

    /// A port.
    struct Port
    {
        std::vector<Use> uses;       //!< by kind, in the order of their coming
        std::vector<int64_t> sentPs; //!< likewise: for how long it has sent
        int64_t allPs{0};            //!< for how long it has sent data of any kind
        int64_t endPs{0};            //!< when its last data packet is on the wire
        std::size_t lastUse{0};      //!< of that packet
    };

    /// @return kind of a packet
    uint16_t GetGroup(const FabricPacketItem& item) const;
    /// @return index of a kind at a port
    std::size_t FindUse(Port& port, uint32_t node, uint16_t number, uint16_t group) const;

    /// @return key of a port
    static uint64_t GetKey(uint32_t node, uint16_t port)
    {
        return (uint64_t{node} << 16) | port;
    }

    std::vector<std::unique_ptr<Nic>> m_nics;                       //!< of all hosts here
    std::vector<Ptr<JobLinkFeature>> m_features;                    //!< of all switches here
    const FlowTable& m_table;                                       //!< flows
    std::vector<uint16_t> m_groupOf;                                //!< by host: its only job
    std::unordered_map<uint64_t, Port> m_ports;                     //!< by GetKey()
    std::unordered_map<const FabricPacketItem*, Waiting> m_waiting; //!< in switches
};

} // namespace ns3

#endif /* JOB_LINKS_H */
