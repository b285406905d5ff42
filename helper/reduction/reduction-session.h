// SPDX-License-Identifier: GPL-2.0-only
#ifndef REDUCTION_SESSION_H
#define REDUCTION_SESSION_H

#include "reduction-tree.h"

#include "ns3/fabric.h"
#include "ns3/host-reduction.h"
#include "ns3/reduction-feature.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a collective does with the vectors of its ranks, where switches do it.
 */
struct ReductionRequest
{
    /// What it is.
    enum class Kind : uint8_t
    {
        BARRIER,
        ALL_REDUCE,
        REDUCE,
        BROADCAST,
        REDUCE_SCATTER,
        ALL_GATHER,
    };

    Kind kind{Kind::ALL_REDUCE}; //!< what
    uint64_t bytes{0};           //!< of the vector
    uint32_t root{0};            //!< place of the root in the group; else 0

    /**
     * @param o another
     * @return true if both are the same
     */
    bool operator==(const ReductionRequest& o) const
    {
        return kind == o.kind && bytes == o.bytes && root == o.root;
    }
};

/**
 * @ingroup dcfabric
 * @brief The collectives of one group of ranks that switches do: one tree for each channel, into
 * which all of them send, one collective after the other.
 *
 * Ranks come to the collectives in the same order. Ranks of one host are added in its memory, which
 * takes no time.
 */
class ReductionSession
{
  public:
    /// Told when a rank has a collective behind it: its place in the group, and number.
    using Done = std::function<void(uint32_t place, uint64_t index)>;

    /**
     * @brief Make the trees.
     * @param fabric the network
     * @param name what messages call it, such as `group all`
     * @param hosts node numbers, by place of the rank
     * @param channels number of trees
     * @param priority class of the packets
     * @param firstGroup number of the first tree
     * @throws FabricError if there are none, or a switch has no room for one
     */
    ReductionSession(const Ptr<Fabric>& fabric,
                     const std::string& name,
                     const std::vector<uint32_t>& hosts,
                     uint32_t channels,
                     uint8_t priority,
                     uint32_t firstGroup);

    ReductionSession(const ReductionSession&) = delete;
    ReductionSession& operator=(const ReductionSession&) = delete;

    /**
     * @brief Be told and asked.
     * @param done see Done
     * @param canMove true while anything may still happen by which a rank comes to a collective
     */
    void SetCallbacks(Done done, std::function<bool()> canMove);

    /**
     * @brief A rank has come to its next collective, which may begin later.
     * @param place of the rank
     * @param request what it is: the same for all ranks, to which RankRunner sees (CollectiveOrder)
     * @return its number, from 0
     */
    uint64_t Come(uint32_t place, const ReductionRequest& request);

    /**
     * @brief A rank begins a collective, which is sent as soon as those before are.
     * @param place of the rank
     * @param index its number
     */
    void Begin(uint32_t place, uint64_t index);

    /// @return true if a collective that all ranks have begun is not complete, and has not been
    /// given up
    bool IsMoving() const;

    /**
     * @param place of a rank
     * @param index a collective that it has begun and that is not complete there
     * @return what it waits for
     */
    std::string DescribeWait(uint32_t place, uint64_t index) const;

    /// @return number of trees
    uint32_t GetNTrees() const
    {
        return static_cast<uint32_t>(m_trees.size());
    }

    /// @return packets of a host under way in the first tree; 0: there is none
    uint32_t GetWindow() const
    {
        return m_trees.empty() ? 0 : m_trees.front().window;
    }

  private:
    /// A tree.
    struct Tree
    {
        ReductionTree plan;                   //!< where it is
        uint32_t group{0};                    //!< its number
        uint32_t window{0};                   //!< of each host
        std::map<uint32_t, uint32_t> indices; //!< of the nodes, by node number
    };

    /// A collective of a host whose packets are under way.
    struct Open
    {
        uint64_t index; //!< its number
        uint32_t lanes; //!< that are not done
    };

    /// A host.
    struct Host
    {
        uint32_t node{0};                  //!< its number
        std::vector<uint32_t> places;      //!< of its ranks
        std::vector<ReductionLane*> lanes; //!< by tree
        /// By tree: collectives under way, and the packet behind each.
        std::vector<std::deque<std::pair<uint64_t, uint64_t>>> ends;
        std::deque<Open> open; //!< what it has sent, or sends
        uint64_t next{0};      //!< number of the collective that it sends next
    };

    /// A collective.
    struct Collective
    {
        ReductionRequest request; //!< what it is
        std::vector<bool> begun;  //!< by place
        uint32_t nBegun{0};       //!< how many
        uint32_t nDone{0};        //!< hosts that have it behind them
    };

    /// @return a collective that not all hosts have behind them
    Collective& At(uint64_t index)
    {
        return m_collectives[index - m_first];
    }

    /// @return the same
    const Collective& At(uint64_t index) const
    {
        return m_collectives[index - m_first];
    }

    /// Refuse networks in which it cannot work.
    void CheckNetwork() const;
    /// Make a tree. @param group its number
    void MakeTree(uint32_t root, uint32_t channel, uint32_t group, uint8_t priority);
    /// Tell a switch of a tree.
    void TellSwitch(const Tree& tree, const ReductionTree::Node& node, uint8_t priority) const;
    /// Tell a host of a tree.
    void TellHost(const Tree& tree,
                  const ReductionTree::Node& node,
                  uint8_t priority,
                  int64_t rttPs);
    /// Send what all ranks of a host have begun.
    void SendReady(uint32_t host);
    /// Send a collective. @param host index of the host
    void Send(uint32_t host, uint64_t index);
    /// @return the segments that a host sends into a tree
    std::vector<ReductionLane::Segment> ListSegments(const ReductionRequest& request,
                                                     uint32_t node,
                                                     uint32_t tree) const;
    /// A lane of a host is done up to a packet.
    void OnLaneDone(uint32_t host, uint32_t tree, uint64_t number);
    /// A host has a collective behind it.
    void Complete(uint32_t host, uint64_t index);
    /// @return true if a lane of a host is to give up
    bool IsHopeless(uint32_t host, uint32_t tries) const;
    /// @return hosts whose contributions are missing, or what else keeps a result away
    std::string DescribeMissing(const Tree& tree, uint64_t number) const;

    Ptr<Fabric> m_fabric;                 //!< the network
    std::string m_name;                   //!< for messages
    std::vector<uint32_t> m_hostOf;       //!< index of the host, by place
    std::vector<Host> m_hosts;            //!< ascending by node
    std::vector<Tree> m_trees;            //!< by channel; none for a single host
    std::deque<Collective> m_collectives; //!< that not all hosts have behind them
    uint64_t m_first{0};                  //!< number of the first of them
    std::vector<uint64_t> m_came;         //!< by place: how many it has come to
    Done m_done;                          //!< see SetCallbacks()
    std::function<bool()> m_canMove;      //!< likewise
};

} // namespace ns3

#endif /* REDUCTION_SESSION_H */
