// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_PLAN_H
#define COLLECTIVE_PLAN_H

#include "rank-collective.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What may be said of how a collective is done, as it is written.
 */
struct CollectiveOptions
{
    std::string algorithm{};  //!< one of the collective; with `dims`, one or one for each; empty:
                              //!< the default
    std::string dims{};       //!< ranks in each dimension, such as `8x16`, the innermost first
    std::string chunks{};     //!< parts of the vector that follow one another; empty: as the
                              //!< algorithm has it
    std::string channels{};   //!< parts that have queue pairs of their own; empty: one
    std::string window{};     //!< exchanges under way of `direct`; empty: all
    std::string matrix{};     //!< file with a factor for each pair of ranks, the sender's row
    std::string transposed{}; //!< the same, the receiver's row
};

/**
 * @ingroup dcfabric
 * @brief How the ranks of a group do a collective: its algorithm, or one for each dimension of the
 * group, and the *lanes* into which the vector is cut.
 *
 * A lane takes the steps of the algorithm by itself, so that one may be ahead of another: that is
 * how chunks form a pipeline. A lane has a part of each block. Lanes of one channel share queue
 * pairs, those of different channels do not. The rings of several channels go round in different
 * orders: from one place to that `stride` places on, for all strides without common divisor with
 * the number of ranks, each there and back.
 */
class CollectivePlan
{
  public:
    static constexpr uint32_t MAX_LANES = 4096; //!< of a collective of a rank

    /**
     * @param name of the collective
     * @param options how it is done
     * @throws FabricError for what is not known, cannot be, or contradicts something
     */
    CollectivePlan(const std::string& name, const CollectiveOptions& options);

    /// @return index among GetRankCollectives()
    uint32_t GetCollective() const
    {
        return m_collective;
    }

    /**
     * @param size ranks of a group
     * @throws FabricError if they cannot do it
     */
    void CheckSize(uint32_t size) const;

    /**
     * @param size number of ranks
     * @param bytes length of the vector; 0 if the size is one for each peer
     * @return how many lanes each of them has
     */
    uint32_t GetNLanes(uint32_t size, uint64_t bytes) const
    {
        return m_simple ? 1 : CountLanes(size, bytes);
    }

    /**
     * @param size number of ranks
     * @return steps of each lane
     */
    uint32_t GetNSteps(uint32_t size) const
    {
        return m_phases.empty() ? GetRankCollectives()[m_collective].getNSteps(size) : CountSteps();
    }

    /// @return true if GetNLanes() has to know the bytes
    bool DependsOnBytes() const
    {
        return m_chunks == 0;
    }

    /// @return messages that a lane receives at a time in a step; 0: all
    uint32_t GetWindow() const
    {
        return m_window;
    }

    /// @return number of channels
    uint32_t GetNChannels() const
    {
        return m_channels;
    }

    /**
     * @brief Append what a rank does in a step.
     * @param step below GetNSteps()
     * @param lane below GetNLanes()
     * @param lanes that number
     * @param index place of the rank in the group, counted from the root
     * @param size number of ranks
     * @param bytes of the whole vector
     * @param exchanges they are appended
     */
    void AddStep(uint32_t step,
                 uint32_t lane,
                 uint32_t lanes,
                 uint32_t index,
                 uint32_t size,
                 uint64_t bytes,
                 std::vector<RankExchange>& exchanges) const
    {
        if (m_simple)
        {
            GetRankCollectives()[m_collective].addStep(step, index, size, bytes, exchanges);
            return;
        }
        AddStepOfLane(step, lane, lanes, index, size, bytes, exchanges);
    }

    /**
     * @param o how another rank does the same collective by the same algorithm
     * @return true if the messages of both fit together; how many are under way does not matter
     */
    bool HasSameMessages(const CollectivePlan& o) const;

    /// @return true if sizes are multiples that a file has
    bool HasMatrix() const
    {
        return m_matrix != nullptr;
    }

    /**
     * @param from place of the sender in the group
     * @param to place of the receiver
     * @return by what the size of its message is multiplied
     */
    uint64_t GetFactor(uint32_t from, uint32_t to) const
    {
        return m_transposed ? (*m_matrix)[to][from] : (*m_matrix)[from][to];
    }

  private:
    /// By rows.
    using Matrix = std::vector<std::vector<uint64_t>>;

    /// Steps within one dimension.
    struct Phase
    {
        uint32_t collective; //!< index among GetRankCollectives()
        uint32_t dim;        //!< number of the dimension
    };

    /// Read what is to be done in several dimensions. @param name of the collective
    void ReadDims(const std::string& name, const CollectiveOptions& options);
    /// Read what sizes are multiplied by.
    void ReadMatrix(const std::string& name, const CollectiveOptions& options);
    /// @return see GetNLanes()
    uint32_t CountLanes(uint32_t size, uint64_t bytes) const;
    /// @return steps of all phases
    uint32_t CountSteps() const;
    /// See AddStep().
    void AddStepOfLane(uint32_t step,
                       uint32_t lane,
                       uint32_t lanes,
                       uint32_t index,
                       uint32_t size,
                       uint64_t bytes,
                       std::vector<RankExchange>& exchanges) const;
    /// A step of one algorithm among ranks of which none is missing.
    void AddStepOf(const RankCollective& collective,
                   uint32_t step,
                   uint32_t lane,
                   uint32_t index,
                   uint32_t size,
                   uint64_t bytes,
                   std::vector<RankExchange>& exchanges) const;

    uint32_t m_collective{0};               //!< index among GetRankCollectives()
    bool m_simple{true};                    //!< one lane, one phase
    bool m_transposed{false};               //!< rows of the matrix are those of receivers
    uint32_t m_chunks{0};                   //!< of a channel; 0: as the algorithm has it
    uint32_t m_channels{1};                 //!< number
    uint32_t m_parts{1};                    //!< halves that go their own ways
    uint32_t m_window{0};                   //!< of messages; 0: all
    std::vector<uint32_t> m_dims;           //!< ranks of each dimension
    std::vector<Phase> m_phases;            //!< in order; empty: one in one dimension
    std::shared_ptr<const Matrix> m_matrix; //!< of factors; null: none
    std::string m_matrixPath;               //!< file
};

} // namespace ns3

#endif /* COLLECTIVE_PLAN_H */
