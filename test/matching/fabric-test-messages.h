// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_MESSAGES_H
#define FABRIC_TEST_MESSAGES_H

#include "../fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/match-table.h"
#include "ns3/message-endpoint.h"
#include "ns3/table-matcher.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @brief What the suites of matched messages share: endpoints, memory with known contents, and what
 * was told of them.
 */

namespace ns3::tests
{

/**
 * @param bytes how many
 * @param seed of the message
 * @return bytes that differ from message to message
 */
inline std::vector<uint8_t>
MakeBytes(uint64_t bytes, uint32_t seed)
{
    std::vector<uint8_t> data(bytes);
    uint32_t x = 2654435761U * (seed + 1);
    for (auto& byte : data)
    {
        x = x * 1664525U + 1013904223U;
        byte = static_cast<uint8_t>(x >> 24);
    }
    return data;
}

/**
 * @param messages of a NIC that matches by a table
 * @return the table
 */
inline MatchTable&
TableOf(const FabricMessages& messages)
{
    return dynamic_cast<const TableMatcher&>(*messages.GetMatcher()).GetTable();
}

/**
 * @ingroup dcfabric-tests
 * @brief A network with an endpoint at each host.
 */
class MessageNetwork : public TestNetwork
{
  public:
    /// A completion and the host that was told.
    struct Told
    {
        uint32_t host;                      //!< who
        MessageEndpoint::Completion report; //!< what
    };

    /// @return a helper whose messages are matched, with one PDC for each pair of hosts
    /// @param protocol TypeId name
    static FabricHelper MakeHelper(const std::string& protocol = "ns3::RequestToWait")
    {
        FabricHelper helper;
        helper.SetMessageProtocol(protocol);
        helper.SetNicAttribute("PdcPerMessage", BooleanValue(false));
        return helper;
    }

    /**
     * @param graph plan
     * @param helper policies
     */
    MessageNetwork(const FabricGraph& graph, const FabricHelper& helper)
        : TestNetwork(graph, helper)
    {
        for (const uint32_t host : fabric->GetHosts())
        {
            endpoints.push_back(CreateObject<MessageEndpoint>());
            endpoints.back()->SetNic(fabric->GetNic(host));
        }
    }

    ~MessageNetwork()
    {
        for (const auto& endpoint : endpoints)
        {
            endpoint->Dispose();
        }
    }

    /**
     * @param host who is told
     * @return a callback that notes what it is told
     */
    MessageEndpoint::Callback Note(uint32_t host)
    {
        return [this, host](const MessageEndpoint::Completion& report) {
            told.push_back({host, report});
        };
    }

    /**
     * @param host who was told
     * @param status how
     * @return how many operations ended so at a host
     */
    std::size_t Count(uint32_t host, MessageStatus status) const
    {
        return std::count_if(told.begin(), told.end(), [host, status](const Told& one) {
            return one.host == host && one.report.status == status;
        });
    }

    std::vector<Ptr<MessageEndpoint>> endpoints; //!< by host
    std::vector<Told> told;                      //!< in the order of events
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_MESSAGES_H */
