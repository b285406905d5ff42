// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_TRANSPORT_H
#define FABRIC_TEST_TRANSPORT_H

#include "fabric-test-units.h"

#include "ns3/bts-packet.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-switch.h"
#include "ns3/matching-packets.h"
#include "ns3/simulator.h"
#include "ns3/switch-feature.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @brief What the suites of the transport share: small networks that run, and a switch that looks
 * at, loses and repeats packets.
 */

namespace ns3::tests
{

/// Short names for what is worked out by hand: a using directive takes all of them. In a star of
/// 100 Gb/s and 1 us a full packet has 1000 + 62 + 20 bytes on the wire, an ACK 98 + 20, at 80 ps a
/// byte.
namespace by_hand
{
constexpr int64_t F = 86560;                    //!< ps of a full packet
constexpr int64_t A = 9440;                     //!< ps of an ACK
constexpr int64_t RTT = 2 * F + 2 * A + 4 * US; //!< base RTT of a star: 4,192,000 ps
constexpr auto DATA = FabricPacketType::DATA;   //!< short name
constexpr auto ACK = FabricPacketType::ACK;     //!< short name
constexpr auto NACK = FabricPacketType::NACK;   //!< short name
} // namespace by_hand

/**
 * @param ratesBps of the links, from host 0 on
 * @param delaysPs of the links
 * @return host 0, switches 2, 3, ..., host 1 in a row
 */
inline FabricGraph
MakeChain(const std::vector<uint64_t>& ratesBps, const std::vector<int64_t>& delaysPs)
{
    FabricGraph graph;
    graph.AddHost();
    graph.AddHost();
    uint32_t last = 0;
    for (std::size_t i = 0; i + 1 < ratesBps.size(); ++i)
    {
        const uint32_t next = graph.AddSwitch();
        graph.AddLink(last, next, ratesBps[i], delaysPs[i]);
        last = next;
    }
    graph.AddLink(last, 1, ratesBps.back(), delaysPs.back());
    return graph;
}

/**
 * @param n number of hosts
 * @param delayPs of links
 * @return hosts 0 .. n-1 at switch n, 100 Gb/s
 */
inline FabricGraph
MakeStar(uint32_t n, int64_t delayPs = US)
{
    FabricGraph graph;
    for (uint32_t i = 0; i < n; ++i)
    {
        graph.AddHost();
    }
    const uint32_t center = graph.AddSwitch();
    for (uint32_t i = 0; i < n; ++i)
    {
        graph.AddLink(i, center, 100 * GBPS, delayPs);
    }
    return graph;
}

/**
 * @param hosts at each leaf
 * @param spines number of them, each with a link to both leaves
 * @param rateBps of all links
 * @param firstRateBps of the link between the first leaf and the first spine; 0: as the others
 * @return two leaves, 1 us: hosts 0 .. hosts - 1 at leaf 2 x hosts, as many at leaf 2 x hosts + 1,
 * then the spines
 */
inline FabricGraph
MakeTwoLeaves(uint32_t hosts,
              uint32_t spines,
              uint64_t rateBps = 100 * GBPS,
              uint64_t firstRateBps = 0)
{
    FabricGraph graph;
    for (uint32_t i = 0; i < 2 * hosts; ++i)
    {
        graph.AddHost();
    }
    graph.AddSwitch(1);
    graph.AddSwitch(1);
    for (uint32_t i = 0; i < 2 * hosts; ++i)
    {
        graph.AddLink(i, 2 * hosts + i / hosts, rateBps, US);
    }
    for (uint32_t i = 0; i < spines; ++i)
    {
        const uint32_t spine = graph.AddSwitch(2);
        const bool isFirst = i == 0 && firstRateBps > 0;
        graph.AddLink(2 * hosts, spine, isFirst ? firstRateBps : rateBps, US);
        graph.AddLink(2 * hosts + 1, spine, rateBps, US);
    }
    return graph;
}

/**
 * @brief Have queues mark as RED does.
 * @param helper with these
 * @param kmin bytes from which on
 * @param kmax bytes from which on all are marked; 0: as kmin
 */
inline void
SetMarks(FabricHelper& helper, uint64_t kmin, uint64_t kmax = 0)
{
    helper.SetMarkingProfile("ns3::WredMarkingProfile",
                             "Kmin",
                             UintegerValue(kmin),
                             "Kmax",
                             UintegerValue(kmax > 0 ? kmax : kmin));
}

/**
 * @ingroup dcfabric-tests
 * @brief A network that notes what becomes of its messages. One at a time: it resets the simulator
 * when it goes.
 */
class TestNetwork
{
  public:
    /**
     * @param graph plan
     * @param helper policies
     */
    explicit TestNetwork(const FabricGraph& graph, FabricHelper helper = FabricHelper())
        : TestNetwork(helper.Install(graph))
    {
    }

    /// @param installed a network
    explicit TestNetwork(Ptr<Fabric> installed)
        : fabric(installed)
    {
        for (const uint32_t host : fabric->GetHosts())
        {
            fabric->GetNic(host)->GetMessages().SetDeliveredCallback(
                [this](const FabricMessageEvent& event) { delivered.push_back(event); });
            fabric->GetNic(host)->GetMessages().SetCompletedCallback(
                [this](const FabricMessageEvent& event) { completed.push_back(event); });
        }
    }

    ~TestNetwork()
    {
        Simulator::Destroy();
    }

    TestNetwork(const TestNetwork&) = delete;
    TestNetwork& operator=(const TestNetwork&) = delete;

    /**
     * @param host its number
     * @return a NIC
     */
    FabricNic& Nic(uint32_t host) const
    {
        return *fabric->GetNic(host);
    }

    /**
     * @param host its number
     * @return the messages of a NIC
     */
    FabricMessages& MessagesOf(uint32_t host) const
    {
        return Nic(host).GetMessages();
    }

    /**
     * @param counter which
     * @return sum of a counter over all NICs
     */
    uint64_t Sum(uint64_t FabricNic::Counters::*counter) const
    {
        uint64_t sum = 0;
        for (const uint32_t host : fabric->GetHosts())
        {
            sum += Nic(host).GetCounters().*counter;
        }
        return sum;
    }

    /// @return reductions that the modifiers of all NICs withheld
    uint64_t GetNWithheld() const
    {
        uint64_t sum = 0;
        for (const uint32_t host : fabric->GetHosts())
        {
            for (const auto& [name, counts] : Nic(host).GetSendingPdcs().GetTotals().modifiers)
            {
                sum += counts.withheld;
            }
        }
        return sum;
    }

    /**
     * @param events delivered or completed
     * @param tag of the message
     * @return the event of a message; all zero with tag UINT32_MAX if there is none or more than
     * one
     */
    static FabricMessageEvent Find(const std::vector<FabricMessageEvent>& events, uint32_t tag)
    {
        FabricMessageEvent found;
        found.tag = UINT32_MAX;
        for (const auto& event : events)
        {
            if (event.tag == tag)
            {
                if (found.tag == tag)
                {
                    return FabricMessageEvent{UINT32_MAX};
                }
                found = event;
            }
        }
        return found;
    }

    Ptr<Fabric> fabric;                        //!< the network
    std::vector<FabricMessageEvent> delivered; //!< in the order of events
    std::vector<FabricMessageEvent> completed; //!< in the order of events
};

/**
 * @ingroup dcfabric-tests
 * @brief Looks at all packets that a switch receives and says what becomes of them.
 */
class PacketTap : public SwitchFeature
{
  public:
    /// Says whether a packet goes on; may call Repeat().
    using Rule = std::function<bool(FabricPacketItem&)>;

    /// What the tap saw.
    struct Record
    {
        int64_t nowPs;                     //!< when
        FabricPacketType type;             //!< what
        uint32_t src;                      //!< from
        uint32_t psn;                      //!< sequence number
        uint32_t flags;                    //!< of the packet
        uint8_t priority;                  //!< class
        uint32_t size;                     //!< frame
        int64_t sendTimePs;                //!< or its echo
        FabricPacketItem::DataFields data; //!< of data
        FabricPacketItem::AckFields ack;   //!< of answers
        RtsFields rts;                     //!< of requests to send
        BtsFields bts;                     //!< of notifications back to senders
        uint32_t pdc;                      //!< at the receiver
        bool passed;                       //!< not lost here
    };

    uint32_t GetHooks() const override
    {
        return RECEIVE;
    }

    bool OnReceive(FabricNetDevice& ingress, FabricPacketItem& item) override
    {
        const bool pass = !m_rule || m_rule(item);
        Record record{ingress.GetNowPs(),
                      item.type,
                      item.src,
                      item.psn,
                      item.flags,
                      item.GetPriority(),
                      item.size,
                      item.sendTimePs,
                      {},
                      {},
                      {},
                      {},
                      item.pdc,
                      pass};
        if (item.type == FabricPacketType::DATA)
        {
            record.data = item.data;
        }
        else if (item.type == FabricPacketType::RTS)
        {
            record.rts = item.As<RtsFields>();
        }
        else if (item.type == FabricPacketType::BTS)
        {
            record.bts = item.As<BtsFields>();
        }
        else
        {
            record.ack = item.ack;
        }
        records.push_back(record);
        return !pass;
    }

    void OnTimer(int64_t nowPs) override
    {
        while (!m_later.empty() && m_later.begin()->first <= nowPs)
        {
            Ptr<FabricPacketItem> item = m_later.begin()->second;
            m_later.erase(m_later.begin());
            m_switch->Originate(item);
        }
    }

    /**
     * @brief Send a copy of a packet later.
     * @param item the packet
     * @param atPs when
     */
    void Repeat(const FabricPacketItem& item, int64_t atPs)
    {
        Ptr<FabricPacketItem> copy = ns3::Create<FabricPacketItem>(item.GetPacket());
        copy->type = item.type;
        copy->sendTimePs = item.sendTimePs;
        copy->src = item.src;
        copy->dst = item.dst;
        copy->flowHash = item.flowHash;
        copy->size = item.size;
        copy->pdc = item.pdc;
        copy->psn = item.psn;
        copy->entropy = item.entropy;
        copy->ds = item.ds;
        copy->flags = item.flags;
        if (item.type == FabricPacketType::DATA)
        {
            copy->data = item.data;
        }
        else if (item.type == FabricPacketType::RTS)
        {
            copy->As<RtsFields>() = item.As<RtsFields>();
        }
        else if (item.type == FabricPacketType::BTS)
        {
            copy->As<BtsFields>() = item.As<BtsFields>();
        }
        else
        {
            copy->ack = item.ack;
        }
        m_later.emplace(atPs, copy);
        m_switch->ArmTimer(m_number, atPs);
    }

    /**
     * @brief Set what happens to packets.
     * @param rule true: goes on
     */
    void SetRule(Rule rule)
    {
        m_rule = std::move(rule);
    }

    /**
     * @param type which
     * @return the records of a type
     */
    std::vector<Record> Of(FabricPacketType type) const
    {
        std::vector<Record> some;
        std::copy_if(records.begin(),
                     records.end(),
                     std::back_inserter(some),
                     [type](const Record& record) { return record.type == type; });
        return some;
    }

    /**
     * @param tag of the message
     * @return when the packets of a message left
     */
    std::vector<int64_t> SendTimes(uint32_t tag) const
    {
        std::vector<int64_t> times;
        for (const Record& record : Of(FabricPacketType::DATA))
        {
            if (record.data.tag == tag)
            {
                times.push_back(record.sendTimePs);
            }
        }
        return times;
    }

    /// @return sequence numbers of the packets of a type, with `!` where the tap lost one
    /// @param type which
    std::string Psns(FabricPacketType type) const
    {
        std::string text;
        for (const Record& record : Of(type))
        {
            text +=
                (text.empty() ? "" : " ") + std::to_string(record.psn) + (record.passed ? "" : "!");
        }
        return text;
    }

    std::vector<Record> records; //!< in the order of arrival

  private:
    void DoDispose() override
    {
        m_rule = nullptr;
        m_later.clear();
        SwitchFeature::DoDispose();
    }

    Rule m_rule;                                           //!< what happens
    std::multimap<int64_t, Ptr<FabricPacketItem>> m_later; //!< copies to be sent
};

/**
 * @param network the network
 * @param node number of the switch
 * @return a tap at a switch
 */
inline Ptr<PacketTap>
AddTap(const TestNetwork& network, uint32_t node)
{
    Ptr<PacketTap> tap = CreateObject<PacketTap>();
    network.fabric->GetSwitch(node)->AddFeature(tap);
    return tap;
}

/**
 * @ingroup dcfabric-tests
 * @brief Have the switch of a tap notify the sender of a packet.
 * @param tap at the switch
 * @param psn sequence number
 * @param pdc at the sender
 * @param atPs when
 * @param what dropped, marked, inverted
 * @param sender its address
 */
inline void
SendNotice(PacketTap& tap,
           uint32_t psn,
           uint32_t pdc,
           int64_t atPs,
           BtsFields what,
           uint32_t sender = 0)
{
    const Ptr<FabricPacketItem> bts = FabricPacketItem::Create(FabricPacketType::BTS);
    bts->dst = sender;
    bts->src = 2;
    bts->pdc = pdc;
    bts->psn = psn;
    bts->ds = FabricPacketItem::MakeDs(6, 0);
    bts->size = 66;
    bts->As<BtsFields>() = what;
    bts->UpdateFlowHash();
    tap.Repeat(*bts, atPs);
}

/// @return what a switch says of a drop
inline BtsFields
NoticeOfDrop()
{
    BtsFields fields{};
    fields.dropped = true;
    return fields;
}

/**
 * @ingroup dcfabric-tests
 * @brief Loses chosen packets: the n-th copy of a sequence number, counted from 1.
 */
class LoseCopies
{
  public:
    /**
     * @param type of the packets
     * @param which sequence numbers and copies
     */
    LoseCopies(FabricPacketType type, std::vector<std::pair<uint32_t, uint32_t>> which)
        : m_type(type),
          m_which(std::move(which))
    {
    }

    /**
     * @param item a packet
     * @return false for a packet to be lost
     */
    bool operator()(const FabricPacketItem& item)
    {
        if (item.type != m_type)
        {
            return true;
        }
        const std::pair<uint32_t, uint32_t> copy{item.psn, ++m_copies[item.psn]};
        return std::find(m_which.begin(), m_which.end(), copy) == m_which.end();
    }

  private:
    FabricPacketType m_type;                            //!< of the packets
    std::vector<std::pair<uint32_t, uint32_t>> m_which; //!< sequence number and copy
    std::map<uint32_t, uint32_t> m_copies;              //!< copies seen
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_TRANSPORT_H */
