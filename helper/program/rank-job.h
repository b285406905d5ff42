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

    /**
     * @brief Let the ranks of its job have other numbers.
     * @param first what is added to them
     */
    void Shift(uint32_t first)
    {
        m_first += first;
    }

    /// @return its name
    const std::string& GetName() const
    {
        return m_name;
    }

    /**
     * @param rank a rank of the group's job
     * @return the part of the group that it is in, NONE if it is in none
     */
    uint32_t GetPart(uint32_t rank) const
    {
        return m_part[rank - m_first];
    }

    /**
     * @param rank a rank that is in a part
     * @return its place there, from 0 in the order of ranks
     */
    uint32_t GetIndex(uint32_t rank) const
    {
        return m_index[rank - m_first];
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
        return m_first + m_members[part][index];
    }

  private:
    std::string m_name;                           //!< name
    uint32_t m_first{0};                          //!< first rank of its job
    std::vector<uint32_t> m_part;                 //!< by rank, the first one of the job at 0
    std::vector<uint32_t> m_index;                //!< likewise
    std::vector<std::vector<uint32_t>> m_members; //!< by part, likewise
};

/**
 * @ingroup dcfabric
 * @brief What many ranks do: where each of them is, the groups that they form, and the program of
 * each.
 *
 * Several jobs that share a network are one RankJob, too, of several parts (Append()). The programs
 * of a part know its ranks and groups only, and count its ranks from 0.
 */
class RankJob
{
  public:
    static constexpr uint32_t MAX_RANKS = 10000000; //!< of a job

    /// Ranks that are a job of their own.
    struct Part
    {
        std::string name;              //!< of the job; empty: it is the only one
        uint32_t first{0};             //!< its first rank, among all
        uint32_t ranks{0};             //!< how many it has
        int64_t startPs{0};            //!< when its programs begin, in ps
        uint16_t group{0};             //!< FabricFlow::group of its messages
        uint8_t priority{NO_PRIORITY}; //!< class of its messages

        static constexpr uint8_t NO_PRIORITY = 0xff; //!< that of all
    };

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
     * @brief Put all ranks elsewhere: those of one place stay together.
     * @param places which of the network's hosts get the ranks of the places that the job has now,
     * in the order of these; as many as GetPlaces()
     * @throws FabricError if there are too few
     */
    void Move(const std::vector<uint32_t>& places);

    /// @return which of the network's hosts it uses, ascending
    std::vector<uint32_t> GetPlaces() const;

    /// @return true if Place() was called: somebody has said which hosts it uses
    bool IsPlaced() const
    {
        return m_isPlaced;
    }

    /**
     * @brief Give the job a name, because it is to run beside others.
     * @param name it, without blanks, commas and quotes
     * @param startPs when its programs begin, in ps
     * @param group FabricFlow::group of its messages
     * @param priority class of its messages, 0 to 7, or Part::NO_PRIORITY
     * @throws FabricError for another name, a negative time, or if it has several parts
     */
    void SetName(const std::string& name,
                 int64_t startPs = 0,
                 uint16_t group = 0,
                 uint8_t priority = Part::NO_PRIORITY);

    /**
     * @brief Let other jobs run beside this one: their ranks follow those that are there.
     * @param jobs one with a name, or several that were joined so
     * @throws FabricError for a job without name, a name that is taken, or too many ranks
     */
    void Append(const RankJob& jobs);

    /// @return the jobs that it consists of, in the order of their ranks; at least one
    const std::vector<Part>& GetParts() const
    {
        return m_parts;
    }

    /**
     * @param rank a rank
     * @return the job that it belongs to
     */
    const Part& GetPartOf(uint32_t rank) const;

    /**
     * @param program index of a program
     * @return index of the job that it belongs to
     */
    uint32_t GetPartOfProgram(uint32_t program) const
    {
        return m_partOfProgram[program];
    }

    /**
     * @param group index of a group
     * @return index of the job that it belongs to
     */
    uint32_t GetPartOfGroup(uint32_t group) const
    {
        return m_partOfGroup[group];
    }

    /**
     * @param rank a rank
     * @return how messages name it, such as `rank 3`, or `rank 3 of job train` if there are several
     */
    std::string DescribeRank(uint32_t rank) const;

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
     * @param part index of the job that it belongs to
     * @return its index, RankGroup::NONE if there is none
     */
    uint32_t FindGroup(const std::string& name, uint32_t part = 0) const;

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

    uint32_t m_ranks;                      //!< how many
    std::vector<uint32_t> m_places;        //!< by rank
    std::vector<RankGroup> m_groups;       //!< groups
    std::vector<RankProgram> m_programs;   //!< programs
    std::vector<uint32_t> m_programOf;     //!< by rank
    std::vector<Part> m_parts;             //!< see GetParts()
    std::vector<uint32_t> m_partOfGroup;   //!< by group: index of its job
    std::vector<uint32_t> m_partOfProgram; //!< by program: index of its job
    bool m_isPlaced{false};                //!< see IsPlaced()
};

} // namespace ns3

#endif /* RANK_JOB_H */
