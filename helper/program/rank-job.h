// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_JOB_H
#define RANK_JOB_H

#include "rank-program.h"

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Ranks that do something together: rank i of n.
 */
class RankGroup
{
  public:
    static constexpr uint32_t NONE = UINT32_MAX; //!< no part

    /// @param name by which programs know it
    /// @param part by rank, in which of the group's parts it is; NONE: in none
    RankGroup(std::string name, const std::vector<uint32_t>& part);

    /// @return its name
    const std::string& GetName() const
    {
        return m_name;
    }

    /**
     * @param rank a rank
     * @return the part of the group that it is in, NONE if it is in none
     */
    uint32_t GetPart(uint32_t rank) const
    {
        return m_part[rank];
    }

    /**
     * @param rank a rank that is in a part
     * @return its place there, from 0 in the order of ranks
     */
    uint32_t GetIndex(uint32_t rank) const
    {
        return m_index[rank];
    }

    /**
     * @param part a part
     * @return how many ranks it has
     */
    uint32_t GetSize(uint32_t part) const
    {
        return static_cast<uint32_t>(m_members[part].size());
    }

    /**
     * @param part a part
     * @param index a place in it
     * @return the rank there
     */
    uint32_t GetMember(uint32_t part, uint32_t index) const
    {
        return m_members[part][index];
    }

  private:
    std::string m_name;                           //!< name
    std::vector<uint32_t> m_part;                 //!< by rank
    std::vector<uint32_t> m_index;                //!< by rank
    std::vector<std::vector<uint32_t>> m_members; //!< by part
};

/**
 * @ingroup dcfabric
 * @brief What many ranks do: where each of them is, the groups that they form, and the program of
 * each.
 */
class RankJob
{
  public:
    static constexpr uint32_t MAX_RANKS = 10000000; //!< of a job

    /**
     * @param ranks how many, at least 1
     * @param perHost how many follow one another on each host
     * @throws FabricError if there are none or too many
     */
    explicit RankJob(uint32_t ranks, uint32_t perHost = 1);

    /**
     * @brief Put a rank elsewhere.
     * @param rank the rank
     * @param place which of the network's hosts, from 0 in the order of their numbers
     * @throws FabricError if there is no such rank
     */
    void Place(uint32_t rank, uint32_t place);

    /**
     * @brief Name some ranks.
     * @param name by which programs know them; all ranks are `all`
     * @param ranks they
     * @throws FabricError for a name that is taken, or a rank that is not there or occurs twice
     */
    void AddGroup(const std::string& name, const std::vector<uint32_t>& ranks);

    /**
     * @brief Divide all ranks into groups of one name: for a program, the group is the part of it
     * in which the rank is.
     * @param name by which programs know the groups
     * @param by ranks with the same value form a group, such as those with the same `rank/8`
     * @throws FabricError for a name that is taken, or if the value of a rank cannot be computed
     */
    void AddGroups(const std::string& name, const RankExpression& by);

    /**
     * @brief Give ranks a program.
     * @param ranks they; those without a program do nothing
     * @param program it
     * @throws FabricError for a rank that is not there or has one already, and if the program has
     * an open block, or names a group that is not there or that a rank is not in
     */
    void Assign(const std::vector<uint32_t>& ranks, RankProgram program);

    /**
     * @param text ranks as a file has them: `all`, or numbers and ranges, such as `0-3,8,10-20:2`
     * @param where place for messages
     * @return the ranks in the order written
     * @throws FabricError if it is malformed, or has a rank that is not there or occurs twice
     */
    std::vector<uint32_t> ReadRanks(const std::string& text, const std::string& where) const;

    /// @return how many ranks there are
    uint32_t GetNRanks() const
    {
        return m_ranks;
    }

    /**
     * @param graph a network
     * @return host numbers by rank
     * @throws FabricError if the network has too few hosts
     */
    std::vector<uint32_t> GetHosts(const FabricGraph& graph) const;

    /// @return the groups; the first has all ranks
    const std::vector<RankGroup>& GetGroups() const
    {
        return m_groups;
    }

    /**
     * @param name of a group
     * @return its index, RankGroup::NONE if there is none
     */
    uint32_t FindGroup(const std::string& name) const;

    /// @return the programs
    const std::vector<RankProgram>& GetPrograms() const
    {
        return m_programs;
    }

    /**
     * @param rank a rank
     * @return index of its program, RankGroup::NONE if it has none
     */
    uint32_t GetProgramOf(uint32_t rank) const
    {
        return m_programOf[rank];
    }

  private:
    /// Refuse ranks that are not there, and those that occur twice.
    void CheckRanks(const std::vector<uint32_t>& ranks, const std::string& where) const;
    /// Refuse a name that is taken.
    void CheckName(const std::string& name) const;

    uint32_t m_ranks;                    //!< how many
    std::vector<uint32_t> m_places;      //!< by rank
    std::vector<RankGroup> m_groups;     //!< groups
    std::vector<RankProgram> m_programs; //!< programs
    std::vector<uint32_t> m_programOf;   //!< by rank
};

} // namespace ns3

#endif /* RANK_JOB_H */
