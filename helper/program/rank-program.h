// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_PROGRAM_H
#define RANK_PROGRAM_H

#include "rank-operation.h"

#include "ns3/collective-plan.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a rank does, one operation after the other; many ranks may share a program.
 *
 * Built by calls in order, each of which appends an operation. Operations that only start (ISend
 * ...) are complete at a later Wait(). Errors are FabricError and name the operation, or the place
 * that SetPlace() gave.
 */
class RankProgram
{
  public:
    static const char* const ANY; //!< peer, or tag, of a receive that takes any

    /// @param path of the file it is from, for messages; empty: it is from none
    explicit RankProgram(std::string path = "");

    /**
     * @brief Send a message: complete when its sender has the last ACK.
     * @param peer rank that receives
     * @param bytes length; 0 is sent as one byte
     * @param options tag; of ISend() also what it waits for and who may wait for it
     * @return this program
     * @{
     */
    RankProgram& Send(const RankValue& peer,
                      const RankValue& bytes,
                      const RankMessageOptions& options = {});
    RankProgram& ISend(const RankValue& peer,
                       const RankValue& bytes,
                       const RankMessageOptions& options = {});
    /** @} */

    /**
     * @brief Receive a message of a rank and a tag: complete when its last byte has arrived.
     *
     * Messages of one rank with one tag are received in the order in which they were sent. If a
     * program has a receive with any tag, all messages of one rank to it come in that order, and go
     * to the first posted receive that accepts them.
     * @param peer rank that sends, or ANY
     * @param options tag, or ANY; of IRecv() also what it waits for and who may wait for it
     * @return this program
     * @{
     */
    RankProgram& Recv(const RankValue& peer, const RankMessageOptions& options = {});
    RankProgram& IRecv(const RankValue& peer, const RankMessageOptions& options = {});
    /** @} */

    /**
     * @brief Write into the memory of a rank: complete when the last ACK is here.
     * @param peer rank
     * @param bytes length; 0 is sent as one byte
     * @param options into how many parts it is cut
     * @return this program
     */
    RankProgram& Put(const RankValue& peer,
                     const RankValue& bytes,
                     const RankMessageOptions& options = {});

    /**
     * @brief Put(), started: the program goes on at once.
     * @param peer rank
     * @param bytes length; 0 is sent as one byte
     * @param options what it waits for, and who may wait for it
     * @param channels see RankMessageOptions
     * @return this program
     */
    RankProgram& IPut(const RankValue& peer,
                      const RankValue& bytes,
                      const RankStartOptions& options = {},
                      const std::string& channels = "");

    /**
     * @brief Read from the memory of a rank: a request goes there, and its host answers at once.
     * Complete when the last byte has arrived.
     * @param peer rank
     * @param bytes length; 0 is sent as one byte
     * @param options into how many parts the answer is cut
     * @return this program
     */
    RankProgram& Get(const RankValue& peer,
                     const RankValue& bytes,
                     const RankMessageOptions& options = {});

    /**
     * @brief Get(), started: the program goes on at once.
     * @param peer rank
     * @param bytes length; 0 is sent as one byte
     * @param options what it waits for, and who may wait for it
     * @param channels see RankMessageOptions
     * @return this program
     */
    RankProgram& IGet(const RankValue& peer,
                      const RankValue& bytes,
                      const RankStartOptions& options = {},
                      const std::string& channels = "");

    /**
     * @brief Wait for operations that were started.
     * @param request those of this name; empty: all
     * @return this program
     */
    RankProgram& Wait(const std::string& request = "");

    /**
     * @brief Wait for all ranks of a group: a collective of messages.
     * @param group name of a group of the job; the rank is one of it
     * @param algorithm of it; empty: its first one
     * @return this program
     */
    RankProgram& Barrier(const std::string& group = "all", const std::string& algorithm = "");

    /**
     * @brief Take part in a collective: complete when all that this rank receives has arrived.
     * @param name of the collective, such as `allreduce` (see GetRankCollectives())
     * @param bytes as the collective counts them
     * @param group name of a group of the job; the rank is one of it
     * @param algorithm of the collective; empty: its first one
     * @param root place of the root in the group, where there is one
     * @param how more about how it is done; its algorithm is the parameter of that name. All ranks
     * of the group give the same
     * @return this program
     */
    RankProgram& Collective(const std::string& name,
                            const RankValue& bytes,
                            const std::string& group = "all",
                            const std::string& algorithm = "",
                            const RankValue& root = 0,
                            const CollectiveOptions& how = {});

    /**
     * @brief The same, while the rank goes on. The ranks of a group come to its collectives in one
     * order; when they begin does not matter.
     * @param name of the collective, or `barrier`
     * @param bytes as for Collective(); of no matter for a barrier
     * @param options what it waits for, and who may wait for it
     * @param group as for Collective()
     * @param algorithm as for Collective()
     * @param root as for Collective()
     * @param how as for Collective()
     * @return this program
     */
    RankProgram& ICollective(const std::string& name,
                             const RankValue& bytes,
                             const RankStartOptions& options = {},
                             const std::string& group = "all",
                             const std::string& algorithm = "",
                             const RankValue& root = 0,
                             const CollectiveOptions& how = {});

    /**
     * @brief Compute: nothing else for some time.
     * @param time with units, such as `10us*rank`
     * @return this program
     */
    RankProgram& Compute(const RankValue& time);

    /**
     * @brief Compute what takes the time that RankRunner::SetRoofline() gives it.
     * @param work what
     * @return this program
     */
    RankProgram& Compute(const RankWork& work);

    /**
     * @brief The same, while the rank goes on.
     * @param work what
     * @param options what it waits for, who may wait for it, its stream
     * @return this program
     */
    RankProgram& ICompute(const RankWork& work, const RankStartOptions& options = {});

    /**
     * @brief Compute while the rank goes on: beside everything else, or on a stream.
     * @param time with units
     * @param options what it waits for, who may wait for it, its stream
     * @return this program
     */
    RankProgram& ICompute(const RankValue& time, const RankStartOptions& options = {});

    /**
     * @brief Write down the time under a name.
     * @param name of the mark
     * @return this program
     */
    RankProgram& Mark(const std::string& name);

    /**
     * @brief Begin what is measured under a name, up to End().
     * @param name of the mark
     * @return this program
     */
    RankProgram& BeginMark(const std::string& name);

    /**
     * @brief Begin what is repeated, up to End().
     * @param rounds how often, 0 or more
     * @param loop name that counts the rounds that are complete, from 0; empty: none
     * @return this program
     */
    RankProgram& Repeat(const RankValue& rounds, const std::string& loop = "");

    /**
     * @brief Begin what is repeated until operations that were started are complete, up to End().
     *
     * Looks before each round and never waits: no round if they are complete then.
     * @param request those of this name
     * @return this program
     */
    RankProgram& Until(const std::string& request);

    /**
     * @brief Begin what is done only if a value is not zero, up to End().
     * @param condition it
     * @return this program
     */
    RankProgram& If(const RankValue& condition);

    /**
     * @brief End the innermost BeginMark(), Repeat(), Until() or If().
     * @return this program
     * @throws FabricError if there is none
     */
    RankProgram& End();

    /**
     * @brief End the program; called by whoever runs it.
     * @throws FabricError if a block is open
     */
    void Finish();

    /**
     * @brief Say where the next operations are written.
     * @param line of the file
     */
    void SetLine(uint32_t line)
    {
        m_line = line;
    }

    /// @return number of open blocks
    std::size_t GetNOpen() const
    {
        return m_open.size();
    }

    /// @return the operations
    const std::vector<RankOperation>& GetOperations() const
    {
        return m_operations;
    }

    /// @return names of marks and groups by their index
    const std::vector<std::string>& GetNames() const
    {
        return m_names.GetNames();
    }

    /// @return names of requests by their index
    const std::vector<std::string>& GetRequests() const
    {
        return m_requests.GetNames();
    }

    /// @return names of streams by their index
    const std::vector<std::string>& GetStreams() const
    {
        return m_streams.GetNames();
    }

    /**
     * @param operation one of GetOperations()
     * @param index which of the requests that it waits for, below its `afters`
     * @return index of the request
     */
    uint32_t GetAfter(const RankOperation& operation, uint32_t index) const
    {
        return m_afters[operation.after + index];
    }

    /**
     * @param operation a collective of GetOperations()
     * @return how it is done
     */
    const CollectivePlan& GetPlan(const RankOperation& operation) const
    {
        return m_plans[operation.plan];
    }

    /**
     * @param operation one of GetOperations()
     * @return where it is written and what it is, such as `job.txt:7: recv`
     */
    std::string Describe(const RankOperation& operation) const;

  private:
    /// @return place of the next operation, for messages
    std::string GetPlace() const;
    /// @return a new operation
    RankOperation& Append(RankOperation::Kind kind, bool blocking = true);
    /// Append an operation with another rank.
    RankProgram& Transfer(RankOperation::Kind kind,
                          bool blocking,
                          const RankValue& peer,
                          const RankValue& bytes,
                          const RankMessageOptions& options);
    /// @return compiled, where it is written now
    RankExpression Compile(const RankValue& value, RankExpression::Unit unit) const;
    /**
     * @param request name of operations that were started
     * @param what waits for them, for messages
     * @return its index
     * @throws FabricError if nothing before has that name
     */
    uint32_t RequestIndex(const std::string& request, const std::string& what) const;
    /**
     * @param name of a collective
     * @param options how it is done
     * @return index of that plan
     */
    uint16_t AddPlan(const std::string& name, CollectiveOptions options);
    /// Append a collective. @return it
    RankOperation& AppendCollective(const std::string& name,
                                    const RankValue& bytes,
                                    const std::string& group,
                                    const std::string& algorithm,
                                    const RankValue& root,
                                    const CollectiveOptions& how);
    /// Append a computation that is counted. @return it
    RankOperation& AppendWork(const RankWork& work, bool blocking);
    /// What is started knows its names. @param start its options
    void SetStart(RankOperation& operation, const RankStartOptions& start);
    /// Refuse options that cannot be.
    void CheckStart(const RankStartOptions& start, bool blocking) const;

    /// Names by their index.
    class NameTable
    {
      public:
        /**
         * @param name it
         * @return index of a name, which is new or not
         */
        uint32_t Add(const std::string& name);
        /**
         * @param name it
         * @return index of a name, ANY_NAME if it is not there
         */
        uint32_t Find(const std::string& name) const;

        /// Forget how to find names.
        void Close()
        {
            m_indices = {};
        }

        /// @return all by their index
        const std::vector<std::string>& GetNames() const
        {
            return m_names;
        }

      private:
        std::vector<std::string> m_names;                    //!< by index
        std::unordered_map<std::string, uint32_t> m_indices; //!< of m_names
    };

    std::string m_path;                      //!< of the file
    uint32_t m_line{0};                      //!< of the next operation; 0: they are counted
    std::vector<RankOperation> m_operations; //!< so far
    std::vector<uint32_t> m_afters;          //!< requests that operations wait for
    NameTable m_names;                       //!< marks, groups
    NameTable m_requests;                    //!< requests
    NameTable m_streams;                     //!< streams
    NameTable m_planNames;                   //!< what collectives and their options are
    std::vector<CollectivePlan> m_plans;     //!< by that name
    std::vector<uint32_t> m_open;            //!< operations that opened blocks, innermost last
    std::vector<std::string> m_loops;        //!< of those, the names of loops
};

} // namespace ns3

#endif /* RANK_PROGRAM_H */
