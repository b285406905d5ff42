// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_OPERATION_H
#define RANK_OPERATION_H

#include "rank-expression.h"

#include <cstdint>
#include <string>
#include <type_traits>
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
    static constexpr uint32_t MAX_CHANNELS = 64;     //!< of a message

    Kind kind{Kind::END};    //!< what
    bool blocking{true};     //!< the next operation begins when this one is complete
    bool anyTag{false};      //!< a RECV takes messages with any tag
    bool counted{false};     //!< a COMPUTE says what it does, not how long that takes
    uint32_t line{0};        //!< of the file, or number of the operation, from 1
    uint32_t name{ANY_NAME}; //!< index of the request or mark
    uint32_t target{0}; //!< index of the operation behind the block, or of its first; of the group
    uint16_t collective{0};    //!< index of the collective
    uint16_t plan{0};          //!< how it is done: index among those of the program
    uint16_t channels{0};      //!< into which a message is cut; 0: as RankRunner has it
    uint32_t begun{ANY_NAME};  //!< index of the request that is complete when it has begun
    uint32_t stream{ANY_NAME}; //!< index of the stream; ANY_NAME: none
    uint32_t after{0};         //!< first of the requests that it waits for before it begins
    uint32_t afters{0};        //!< how many these are
    RankExpression peer;       //!< rank of the other end; place of the root in the group
    RankExpression value;      //!< bytes, ps, rounds, condition; counted: operations
    RankExpression tag;        //!< of a message; of a computation that is counted: bytes
};

/**
 * @ingroup dcfabric
 * @brief What may be said of an operation that is started while the rank goes on.
 */
struct RankStartOptions
{
    std::string request;            //!< name by which a wait knows it
    std::vector<std::string> after; //!< it begins when what has begun before under these names is
                                    //!< complete; empty: at once
    std::string begun{};            //!< name that is complete as soon as it has begun
    std::string stream{};           //!< operations of one stream begin one after the other, in
                                    //!< the order in which they could (of those at one time, in
                                    //!< that of the program); a computation holds its stream
                                    //!< until it is complete. Empty: beside everything else
};

/**
 * @ingroup dcfabric
 * @brief What may be said of a message beside its peer and its size.
 */
struct RankMessageOptions
{
    RankValue tag{0};         //!< sends and receives match by it, 0 to 2^31 - 1; of a receive
                              //!< RankProgram::ANY, too
    RankStartOptions start{}; //!< only of what is started
    std::string channels{}; //!< of what is sent or asked for: parts into which it is cut, 1 to 64,
                            //!< each on a queue pair and by a port of its own; empty: as
                            //!< RankRunner has it
};

/**
 * @ingroup dcfabric
 * @brief What a computation does, where RankRunner says how long that takes.
 */
struct RankWork
{
    RankValue operations{0}; //!< such as `2e12` or `2T`
    RankValue bytes{0};      //!< between memory and processor, with units
};

/**
 * @ingroup dcfabric
 * @param operation an operation
 * @return what it is in a file, such as `isend`
 */
std::string NameRankOperation(const RankOperation& operation);

} // namespace ns3

#endif /* RANK_OPERATION_H */
