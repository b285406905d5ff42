// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_LINKS_H
#define RANK_LINKS_H

#include "fabric-partition.h"

#include "ns3/fabric-packet-item.h"
#include "ns3/fabric.h"
#include "ns3/rank-notes.h"
#include "ns3/wire-crossing.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The links of a fabric between nodes of different ranks.
 *
 * Every rank has built the whole fabric. Nodes of the others never send; what is sent towards them
 * goes to their rank, which is told of a packet before its last bit arrives.
 */
class RankLinks final : public WireCrossing, public RankNotes
{
  public:
    /**
     * @brief Take the nodes of other ranks out of this one's simulation, before it begins.
     * @param fabric the network
     * @param partition of its nodes
     */
    RankLinks(Ptr<Fabric> fabric, const FabricPartition& partition);
    ~RankLinks() override;
    RankLinks(const RankLinks&) = delete;
    RankLinks& operator=(const RankLinks&) = delete;

    /**
     * @param rank number of a rank
     * @return the system id of its nodes: those of this rank have that of the simulator
     */
    static uint32_t GetSystemId(uint32_t rank);

    void Carry(const FabricNetDevice& to,
               FabricPacketItem* item,
               int64_t beganPs,
               int64_t arrivalPs) override;

    void SetListener(Topic topic, Listener listener) override
    {
        m_listeners[static_cast<std::size_t>(topic)] = std::move(listener);
    }

    void Tell(uint32_t node, Topic topic, const std::string& note) override;

    /// Send what waits for company, now.
    void Flush();

    /// @return packets sent to other ranks, without link-level frames
    uint64_t GetNSent() const
    {
        return m_nSent;
    }

    /// @return packets received from other ranks, without link-level frames
    uint64_t GetNReceived() const
    {
        return m_nReceived;
    }

    /// @return simulator events that were spent on notes and on sending
    uint64_t GetNEvents() const
    {
        return m_nEvents;
    }

  private:
    /// Messages to a rank.
    struct Outbox
    {
        const FabricNetDevice* address{nullptr}; //!< a port there, to which they go
        uint64_t number{0};                      //!< of the next message
        int64_t dueAtPs{0};                      //!< when the first packet has to be told of
        bool isTimed{false};                     //!< SendDue() will be called
        std::string bytes;                       //!< packets that wait
    };

    /// Messages from a rank.
    struct Inbox
    {
        uint64_t next{0};                      //!< number of the next message
        std::map<uint64_t, std::string> early; //!< messages that overtook others of their time
    };

    /// Know, and let ns-3 know, how far apart ranks may be.
    void SetLookAhead(const FabricPartition& partition);
    /// Let what m_item holds go to a rank.
    void Add(uint32_t rank, int64_t beganPs);
    /// The packets that wait for company have waited long enough.
    void SendDue(uint32_t rank);
    /// Send a message to a rank, if there is something to send.
    void Send(uint32_t rank);
    /// A message has come, by when its first packet may arrive.
    void Receive(std::string_view bytes);
    /// @return a packet that has gone and nobody else needs; null if there is none
    Ptr<FabricPacketItem> TakeSpare();
    /// Take the packets of a message.
    void Open(std::string_view bytes, std::size_t at);
    /// Tell the listener of a note. @param topic whose @param note what @param timePs when
    void Listen(Topic topic, const std::string& note, int64_t timePs);
    /// A note is due.
    void ListenNow(Topic topic, const std::string& note);

    Ptr<Fabric> m_fabric;           //!< network
    FabricPartition m_partition;    //!< of its nodes
    std::size_t m_mostBytes;        //!< of a message
    std::vector<Outbox> m_outboxes; //!< by rank
    std::vector<Inbox> m_inboxes;   //!< by rank
    int64_t m_leastPs{0};           //!< least delay of links between ranks
    int64_t m_companyPs{0}; //!< for which a packet may wait for others; 0: until it is asked for
    std::string m_item;     //!< the packet that is being written
    std::vector<Ptr<FabricPacketItem>> m_spare; //!< packets that have gone, for those that come
    std::array<Listener, 2> m_listeners;        //!< of notes, by topic
    uint64_t m_nSent{0};                        //!< see GetNSent()
    uint64_t m_nReceived{0};                    //!< see GetNReceived()
    uint64_t m_nEvents{0};                      //!< see GetNEvents()
};

} // namespace ns3

#endif /* RANK_LINKS_H */
