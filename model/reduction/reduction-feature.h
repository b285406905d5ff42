// SPDX-License-Identifier: GPL-2.0-only
#ifndef REDUCTION_FEATURE_H
#define REDUCTION_FEATURE_H

#include "reduction-packet.h"
#include "reduction-slots.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/switch-feature.h"
#include "ns3/wire-format.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The switch's part in in-network reduction (doc/reduction.rst): it adds up what the
 * children of a tree contribute, sends the sum to its parent, and the result to its children.
 *
 * Of what a child sends again, it adds nothing twice: a result is given to that child alone, a sum
 * without result goes up again, and all else is dropped.
 */
class ReductionFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    ReductionFeature();
    ~ReductionFeature() override;

    /// A child of this switch in a tree.
    struct Child
    {
        uint16_t port{0};            //!< that leads to it
        uint32_t address{0};         //!< of the node
        std::vector<uint32_t> hosts; //!< of the tree that are below it, or it itself; ascending
    };

    /// A tree as this switch knows it.
    struct Tree
    {
        uint32_t group{0};                              //!< its number
        uint32_t window{1};                             //!< most packets of a host without result
        uint8_t priority{3};                            //!< class of its packets
        uint16_t parentPort{FabricPacketItem::NO_PORT}; //!< NO_PORT: this switch is the root
        uint32_t parentAddress{0};                      //!< node there
        std::vector<Child> children;                    //!< at least one
        Ptr<const WireFormat> wire;                     //!< sizes of frames
    };

    /// What a switch has done.
    struct Counts
    {
        uint64_t contributions{0}; //!< packets that came from children and were added
        uint64_t repeats{0};       //!< that had come before
        uint64_t answers{0};       //!< of these, answered with the result
        uint64_t sentAgain{0};     //!< sums that went up again
        uint64_t late{0};          //!< packets that nobody needs any more
        uint64_t sums{0};          //!< that were complete
        uint32_t maxSlots{0};      //!< most slots at a time that had no result yet
    };

    /**
     * @brief Take part in a tree.
     * @param tree it; its number is new
     * @param bytes that it may keep here
     */
    void AddTree(const Tree& tree, uint64_t bytes);

    /// @return bytes that the trees so far may keep here
    uint64_t GetUsedBytes() const
    {
        return m_used;
    }

    /// @return bytes that all trees may keep in this switch; 0: any number
    uint64_t GetMemory() const
    {
        return m_memory;
    }

    /// @return time after the last contribution until a sum is complete, in ps, without the time
    /// that adding takes
    int64_t GetDelayPs() const;

    /// @return rate at which contributions are added, in bit/s; 0: adding takes no time
    uint64_t GetRateBps() const
    {
        return m_rate.GetBitRate();
    }

    /// @return what this switch has done
    const Counts& GetCounts() const
    {
        return m_counts;
    }

    /**
     * @param group number of a tree
     * @param number of a packet
     * @return nodes whose contribution has not come here, in the order of children
     */
    std::vector<uint32_t> ListMissing(uint32_t group, uint64_t number) const;

    // from SwitchFeature
    uint32_t GetHooks() const override;
    const char* GetClash() const override;
    bool OnConsume(FabricNetDevice& ingress, FabricPacketItem& item) override;
    void OnTimer(int64_t nowPs) override;

  protected:
    void DoDispose() override;

  private:
    /// A tree and the packets that are under way in it.
    struct State
    {
        Tree tree;                                       //!< it
        ReductionSlots slots;                            //!< by packet
        std::unordered_map<uint16_t, uint32_t> children; //!< by port
    };

    /// A sum that is being completed.
    struct Adding
    {
        int64_t donePs;  //!< when it is complete
        uint32_t group;  //!< tree
        uint64_t number; //!< packet
    };

    /// A contribution has come.
    void OnContribution(State& state, uint32_t child, const FabricPacketItem& item);
    /// A child has sent one again. @param number of the packet
    void OnRepeat(State& state, uint32_t child, uint64_t number);
    /// A result has come. @param fields of the packet
    void OnResult(State& state, const ReductionFields& fields);
    /// A sum is complete: it goes up, or is the result.
    void Complete(State& state, ReductionSlots::Slot& slot);
    /// A slot has its result: it goes to all children.
    void Finish(State& state, ReductionSlots::Slot& slot);
    /// Send a sum up.
    void SendUp(const State& state, const ReductionSlots::Slot& slot);
    /// Send a result to a child.
    void SendDown(const State& state, const ReductionSlots::Slot& slot, const Child& child);
    /// Send a packet. @param payloadBytes of it
    void Send(const State& state,
              const ReductionSlots::Slot& slot,
              ReductionFields::Way way,
              uint16_t payloadBytes,
              uint16_t port,
              uint32_t address);

    uint64_t m_memory;                                            //!< attribute
    DataRate m_rate;                                              //!< attribute
    Time m_delay;                                                 //!< attribute
    std::unordered_map<uint32_t, std::unique_ptr<State>> m_trees; //!< by number
    std::deque<Adding> m_adding; //!< sums in the order in which they are complete
    int64_t m_addedPs{0};        //!< when the last contribution so far has been added
    uint64_t m_used{0};          //!< see GetUsedBytes()
    uint32_t m_open{0};          //!< slots without result
    Counts m_counts;             //!< statistics
};

} // namespace ns3

#endif /* REDUCTION_FEATURE_H */
