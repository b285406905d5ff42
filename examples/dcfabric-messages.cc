// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @brief Real bytes between hosts: sends, receives, a write, and what becomes of an early message.
 *
 *     ./ns3 run "dcfabric-messages --protocol=ns3::Rendezvous"
 */

#include "ns3/boolean.h"
#include "ns3/command-line.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/message-endpoint.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;

/// @return what prints a completion
MessageEndpoint::Callback
Print(const char* what)
{
    return [what](const MessageEndpoint::Completion& c) {
        std::cout << c.nowPs / 1e6 << " us: " << what << ", peer " << c.peer << ", " << c.bytes
                  << " bytes, " << (c.status == MessageStatus::COMPLETE ? "complete" : "failed")
                  << "\n";
    };
}

/// Post a receive for host 0.
void
PostReceive(Ptr<MessageEndpoint> host, std::vector<uint8_t>* memory)
{
    host->PostRecv(0, memory->data(), memory->size(), Print("received"));
}

int
main(int argc, char** argv)
{
    Time::SetResolution(Time::PS);
    std::string protocol = "ns3::RequestToWait";
    CommandLine cmd(__FILE__);
    cmd.AddValue("protocol", "what happens to a message without receive", protocol);
    cmd.Parse(argc, argv);

    FabricHelper helper;
    helper.SetMessageProtocol(protocol);                          // messages need receives
    helper.SetNicAttribute("PdcPerMessage", BooleanValue(false)); // and share a context
    Ptr<Fabric> fabric = helper.Install(MakeFabricTopology("fat-tree:k=4")->BuildGraph());
    std::vector<Ptr<MessageEndpoint>> hosts;
    for (const uint32_t host : fabric->GetHosts())
    {
        hosts.push_back(CreateObject<MessageEndpoint>());
        hosts.back()->SetNic(fabric->GetNic(host));
    }
    // host 0 sends 300 kB to host 5, which is late by 50 us
    std::vector<uint8_t> sent(300000);
    std::iota(sent.begin(), sent.end(), 0);
    std::vector<uint8_t> received(sent.size());
    hosts[0]->Send(5, sent.data(), sent.size(), Print("sent"), 1);
    Simulator::Schedule(MicroSeconds(50), &PostReceive, hosts[5], &received);

    // host 9 writes into memory of host 5, which takes no part in it
    std::vector<uint8_t> memory(4096);
    const uint64_t address = hosts[5]->Expose(memory.data(), memory.size());
    hosts[9]->Write(5, sent.data(), 1000, address + 96, Print("written"));

    // a receive that nobody sends to
    const uint64_t lonely = hosts[5]->PostRecv(7, nullptr, 1000, Print("received"));
    Simulator::Schedule(MicroSeconds(100), &MessageEndpoint::Cancel, hosts[5], lonely);

    Simulator::Run();
    const bool same =
        received == sent && std::equal(memory.begin() + 96, memory.begin() + 1096, sent.begin());
    const auto& counters = fabric->GetNic(5)->GetMessages().GetMatcher()->GetCounters();
    std::cout << "The bytes are " << (same ? "the same" : "NOT the same") << "; "
              << counters.unmatched << " packets (" << counters.wastedBytes
              << " bytes) came before their receive.\n";
    for (const auto& host : hosts)
    {
        host->Dispose();
    }
    Simulator::Destroy();
    return same ? 0 : 1;
}
