// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_PROGRAM_H
#define RANK_PROGRAM_H

#include "rank-expression.h"

#include <cstdint>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief An argument of an operation as it is written: a number, or an expression (RankExpression)
 * in which every rank has a value of its own.
 */
struct RankValue
{
    /// @param number a whole number
    template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
    RankValue(T number)
        : text(std::to_string(number))
    {
    }

    /// @param expression as written @{
    RankValue(const char* expression)
        : text(expression)
    {
    }

    RankValue(std::string expression)
        : text(std::move(expression))
    {
    }

    /// @}

    std::string text; //!< as written
};

/**
 * @ingroup dcfabric
 * @brief One operation of a program.
 */
struct RankOperation
{
    /// What it does.
    enum class Kind : uint8_t
    {
        SEND,       //!< to a rank, which receives
        RECV,       //!< from a rank, or from any
        PUT,        //!< into the memory of a rank, which takes no part in it
        GET,        //!< from the memory of a rank, which takes no part in it
        WAIT,       //!< for all operations that were only started, or for those of a name
        COLLECTIVE, //!< with all ranks of a group
        COMPUTE,    //!< for some time
        MARK,       //!< the time is written down
        MARK_BEGIN, //!< what is measured begins
        MARK_END,   //!< and ends
        REPEAT,     //!< so many rounds of what follows, up to NEXT
        NEXT,       //!< end of a round
        UNTIL,      //!< what follows, up to AGAIN, until the operations of a name are complete
        AGAIN,      //!< back to UNTIL
        IF,         //!< what follows, up to the target, only if the value is not zero
        END,        //!< of the program
    };

    static constexpr uint32_t ANY_NAME = UINT32_MAX; //!< a WAIT for everything; a RECV from any

    Kind kind{Kind::END};    //!< what
    bool blocking{true};     //!< the next operation begins when this one is complete
    uint32_t line{0};        //!< of the file, or number of the operation, from 1
    uint32_t name{ANY_NAME}; //!< index of the request, mark or group
    uint32_t target{0};      //!< index of the operation behind the block, or of its first
    uint32_t collective{0};  //!< index of the collective
    RankExpression peer;     //!< rank of the other end; place of the root in the group
    RankExpression value;    //!< bytes, ps, rounds, condition
    RankExpression tag;      //!< of a message
};

/**
 * @ingroup dcfabric
 * @brief What may be said of a message beside its peer and its size.
 */
struct RankMessageOptions
{
    RankValue tag{0};    //!< sends and receives match by it, 0 to 2^31 - 1
    std::string request; //!< name by which a wait knows it; only of what is started
};

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
    static const char* const ANY; //!< peer of a receive that takes from any rank

    /// @param path of the file it is from, for messages; empty: it is from none
    explicit RankProgram(std::string path = "");

    /**
     * @brief Send a message: complete when its sender has the last ACK.
     * @param peer rank that receives
     * @param bytes length; 0 is sent as one byte
     * @param options tag, name
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
     * Messages of one rank with one tag are received in the order in which they were sent.
     * @param peer rank that sends, or ANY
     * @param options tag, name
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
     * @param request name by which Wait() knows it
     * @return this program
     * @{
     */
    RankProgram& Put(const RankValue& peer, const RankValue& bytes);
    RankProgram& IPut(const RankValue& peer,
                      const RankValue& bytes,
                      const std::string& request = "");
    /** @} */

    /**
     * @brief Read from the memory of a rank: a request goes there, and its host answers at once.
     * Complete when the last byte has arrived.
     * @param peer rank
     * @param bytes length; 0 is sent as one byte
     * @param request name by which Wait() knows it
     * @return this program
     * @{
     */
    RankProgram& Get(const RankValue& peer, const RankValue& bytes);
    RankProgram& IGet(const RankValue& peer,
                      const RankValue& bytes,
                      const std::string& request = "");
    /** @} */

    /**
     * @brief Wait for operations that were started.
     * @param request those of this name; empty: all
     * @return this program
     */
    RankProgram& Wait(const std::string& request = "");

    /**
     * @brief Wait for all ranks of a group: a collective of messages.
     * @param group name of a group of the job; the rank is one of it
     * @return this program
     */
    RankProgram& Barrier(const std::string& group = "all");

    /**
     * @brief Take part in a collective: complete when all that this rank receives has arrived.
     * @param name of the collective, such as `allreduce` (see GetRankCollectives())
     * @param bytes as the collective counts them
     * @param group name of a group of the job; the rank is one of it
     * @param algorithm of the collective; empty: its first one
     * @param root place of the root in the group, where there is one
     * @return this program
     */
    RankProgram& Collective(const std::string& name,
                            const RankValue& bytes,
                            const std::string& group = "all",
                            const std::string& algorithm = "",
                            const RankValue& root = 0);

    /**
     * @brief Compute: nothing else for some time.
     * @param time with units, such as `10us*rank`
     * @return this program
     */
    RankProgram& Compute(const RankValue& time);

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

    /// @return names of requests, marks and groups by their index
    const std::vector<std::string>& GetNames() const
    {
        return m_names;
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
     */
    uint32_t RequestIndex(const std::string& request, const std::string& what) const;
    /// @return index of a name
    uint32_t NameIndex(const std::string& name);

    std::string m_path;                      //!< of the file
    uint32_t m_line{0};                      //!< of the next operation; 0: they are counted
    std::vector<RankOperation> m_operations; //!< so far
    std::vector<std::string> m_names;        //!< requests, marks, groups
    std::unordered_map<std::string, uint32_t> m_indices; //!< of m_names
    std::unordered_set<uint32_t> m_requests;             //!< indices of requests
    std::vector<uint32_t> m_open;     //!< operations that opened blocks, innermost last
    std::vector<std::string> m_loops; //!< of those, the names of loops
};

} // namespace ns3

#endif /* RANK_PROGRAM_H */
