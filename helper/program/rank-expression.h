// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_EXPRESSION_H
#define RANK_EXPRESSION_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A whole number that a program of ranks writes, such as `7`, `64kB` or `(rank+1)%ranks`.
 *
 * Operators, from the loosest to the tightest: `== != < <= > >=` (1 or 0), `^` (bitwise exclusive
 * or), `+ -`, `* / %`, sign, parentheses. Division rounds down, and the remainder has the sign of
 * the divisor, so that `(rank-1)%ranks` is a rank. Names are `rank`, `ranks` and those of the loops
 * around. 64 bits; what does not fit is refused.
 */
class RankExpression
{
  public:
    /// What units numbers may have.
    enum class Unit : uint8_t
    {
        COUNT,          //!< none
        BYTES,          //!< kB, MB, GB, KiB, MiB, GiB; none: bytes
        BYTES_FOR_PEER, //!< as BYTES; the name `peer` is the rank that gets them
        OPERATIONS,     //!< k, M, G, T, P, with or without FLOP
        TIME,           //!< s, ms, us, ns, ps; the value is in ps; only zero and factors have none
    };

    /// What names stand for.
    struct Names
    {
        int64_t rank;         //!< number of the rank
        int64_t ranks;        //!< how many there are
        const int64_t* loops; //!< rounds of the loops around that are complete, outermost first
        int64_t peer{0};      //!< number of the other rank
    };

    /// @param value of a constant
    explicit RankExpression(int64_t value = 0)
        : m_value(value)
    {
    }

    /**
     * @param text what was written
     * @param unit what units numbers may have
     * @param loops names of the loops around, outermost first; empty: without name
     * @param where place for messages
     * @throws FabricError if it is malformed
     */
    RankExpression(const std::string& text,
                   Unit unit,
                   const std::vector<std::string>& loops,
                   const std::string& where);

    /**
     * @param names what they stand for
     * @return the value
     * @throws FabricError for a division by zero, and if it does not fit in 64 bits
     */
    int64_t Evaluate(const Names& names) const
    {
        return m_code ? Run(*m_code, names) : m_value;
    }

    /// @return true if it does not depend on names
    bool IsConstant() const
    {
        return !m_code;
    }

    /// What a step of the evaluation does with a stack of numbers.
    enum class Action : uint8_t
    {
        PUSH,
        RANK,
        RANKS,
        LOOP,
        PEER,
        NEGATE,
        ADD,
        SUBTRACT,
        MULTIPLY,
        DIVIDE,
        REMAINDER,
        EXCLUSIVE_OR,
        EQUAL,
        UNEQUAL,
        LESS,
        LESS_EQUAL,
        GREATER,
        GREATER_EQUAL,
    };

    /// A step of the evaluation.
    struct Step
    {
        Action action; //!< what
        int64_t value; //!< of PUSH, and which LOOP
    };

  private:
    /// @return the value by some steps
    static int64_t Run(const std::vector<Step>& steps, const Names& names);

    int64_t m_value{0};                              //!< of a constant
    std::shared_ptr<const std::vector<Step>> m_code; //!< null: a constant
};

} // namespace ns3

#endif /* RANK_EXPRESSION_H */
