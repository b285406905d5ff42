// SPDX-License-Identifier: GPL-2.0-only
#include "rank-expression.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <utility>

namespace ns3
{

namespace
{

using RankAction = RankExpression::Action;

constexpr std::size_t MAX_EXPRESSION_DEPTH = 32; //!< numbers on the stack, parentheses

/// An operator between two numbers.
struct RankOperator
{
    const char* text;  //!< as written
    RankAction action; //!< what it does
    int level;         //!< the higher, the tighter it binds
};

/// Those that begin another one come behind it.
constexpr RankOperator RANK_OPERATORS[] = {
    {"==", RankAction::EQUAL, 0},
    {"!=", RankAction::UNEQUAL, 0},
    {"<=", RankAction::LESS_EQUAL, 0},
    {">=", RankAction::GREATER_EQUAL, 0},
    {"<", RankAction::LESS, 0},
    {">", RankAction::GREATER, 0},
    {"^", RankAction::EXCLUSIVE_OR, 1},
    {"+", RankAction::ADD, 2},
    {"-", RankAction::SUBTRACT, 2},
    {"*", RankAction::MULTIPLY, 3},
    {"/", RankAction::DIVIDE, 3},
    {"%", RankAction::REMAINDER, 3},
};

constexpr int TIGHTEST = 3; //!< level

/// @return true if a letter can be part of a name or number
bool
IsWordLetter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

/// Reads an expression by recursive descent.
class RankExpressionReader
{
  public:
    /// As the constructor of RankExpression has them.
    RankExpressionReader(const std::string& text,
                         RankExpression::Unit unit,
                         const std::vector<std::string>& loops,
                         const std::string& where)
        : m_text(text),
          m_unit(unit),
          m_loops(loops),
          m_where(where)
    {
    }

    /// @return the steps
    std::vector<RankExpression::Step> Read()
    {
        ReadLevel(0);
        if (m_at < m_text.size())
        {
            Refuse("expected an operator or the end");
        }
        if (m_unit == RankExpression::Unit::TIME && !m_timed && m_text != "0")
        {
            throw FabricError(m_where + ": " + QuoteFabricText(m_text) +
                              ": a time needs a unit, such as 10us");
        }
        return std::move(m_steps);
    }

  private:
    [[noreturn]] void Refuse(const std::string& message) const
    {
        throw FabricError(m_where + ": " + QuoteFabricText(m_text) + ": " + message +
                          (m_at < m_text.size() ? " at " + QuoteFabricText(m_text.substr(m_at))
                                                : std::string(" at the end")));
    }

    /// @return the operator of a level that comes next, null if there is none
    const RankOperator* TakeOperator(int level)
    {
        if (m_at == m_text.size())
        {
            return nullptr;
        }
        for (const RankOperator& one : RANK_OPERATORS)
        {
            if (m_text.compare(m_at, std::strlen(one.text), one.text) == 0)
            {
                m_at += one.level == level ? std::strlen(one.text) : 0;
                return one.level == level ? &one : nullptr;
            }
        }
        return nullptr;
    }

    void ReadLevel(int level)
    {
        if (level > TIGHTEST)
        {
            ReadOperand();
            return;
        }
        ReadLevel(level + 1);
        while (const RankOperator* found = TakeOperator(level))
        {
            ++m_depth;
            ReadLevel(level + 1);
            --m_depth;
            m_steps.push_back({found->action, 0});
        }
    }

    void ReadOperand()
    {
        if (m_depth >= MAX_EXPRESSION_DEPTH - 1)
        {
            Refuse("too deeply nested");
        }
        const char next = m_at < m_text.size() ? m_text[m_at] : '\0';
        if (next == '-')
        {
            ++m_at;
            ++m_depth;
            ReadOperand();
            --m_depth;
            m_steps.push_back({RankAction::NEGATE, 0});
            return;
        }
        if (next == '(')
        {
            ++m_at;
            ++m_depth;
            ReadLevel(0);
            --m_depth;
            if (m_at == m_text.size() || m_text[m_at] != ')')
            {
                Refuse("expected ')'");
            }
            ++m_at;
            return;
        }
        std::size_t end = m_at;
        while (end < m_text.size() && IsWordLetter(m_text[end]))
        {
            ++end;
        }
        if (end == m_at)
        {
            Refuse("expected a number, a name or '('");
        }
        const std::string word = m_text.substr(m_at, end - m_at);
        m_steps.push_back(std::isdigit(static_cast<unsigned char>(next)) ? ReadNumber(word)
                                                                         : ReadName(word));
        m_at = end;
    }

    RankExpression::Step ReadNumber(const std::string& word)
    {
        const bool plain = word.find_first_not_of("0123456789") == std::string::npos;
        if (m_unit == RankExpression::Unit::TIME && !plain)
        {
            m_timed = true;
            return {RankAction::PUSH, ParseFabricTimePs(word, m_where)};
        }
        if (m_unit == RankExpression::Unit::OPERATIONS)
        {
            return {RankAction::PUSH, ReadOperations(word)};
        }
        const uint64_t value =
            m_unit == RankExpression::Unit::BYTES || m_unit == RankExpression::Unit::BYTES_FOR_PEER
                ? ParseFabricSize(word, m_where)
                : ParseFabricUint(word, m_where, 0, INT64_MAX);
        return {RankAction::PUSH, static_cast<int64_t>(value)};
    }

    /// @return a number of operations, such as 2e12 or 2TFLOP
    int64_t ReadOperations(const std::string& word) const
    {
        const std::string unit = "FLOP";
        const std::string prefixes = "kMGTP";
        std::string number = word;
        const std::size_t at = number.size() - std::min(number.size(), unit.size());
        number.resize(number.compare(at, unit.size(), unit) == 0 ? at : number.size());
        const std::size_t prefix =
            number.empty() ? std::string::npos : prefixes.find(number.back());
        if (prefix != std::string::npos)
        {
            number.back() = 'e';
            number += std::to_string(3 * (prefix + 1));
        }
        if (number.find_first_not_of("0123456789.eE") != std::string::npos ||
            std::count(number.begin(), number.end(), 'e') > 1)
        {
            Refuse(QuoteFabricText(word) + " is no number of operations; write it like 2e12 or 2T");
        }
        return static_cast<int64_t>(ParseFabricSize(number, m_where));
    }

    RankExpression::Step ReadName(const std::string& word) const
    {
        if (word == "rank")
        {
            return {RankAction::RANK, 0};
        }
        if (word == "ranks")
        {
            return {RankAction::RANKS, 0};
        }
        if (word == "peer" && m_unit == RankExpression::Unit::BYTES_FOR_PEER)
        {
            return {RankAction::PEER, 0};
        }
        const auto found = std::find(m_loops.rbegin(), m_loops.rend(), word);
        if (found == m_loops.rend())
        {
            std::string known = m_unit == RankExpression::Unit::BYTES_FOR_PEER ? "rank, ranks, peer"
                                                                               : "rank, ranks";
            for (const std::string& loop : m_loops)
            {
                known += loop.empty() ? "" : ", " + loop;
            }
            Refuse("unknown name " + QuoteFabricText(word) + "; known here: " + known + ";");
        }
        return {RankAction::LOOP, m_loops.rend() - found - 1};
    }

    const std::string& m_text;                 //!< what was written
    RankExpression::Unit m_unit;               //!< units
    const std::vector<std::string>& m_loops;   //!< names
    const std::string& m_where;                //!< for messages
    std::size_t m_at{0};                       //!< next letter
    std::size_t m_depth{0};                    //!< numbers on the stack and parentheses
    bool m_timed{false};                       //!< a number has a unit of time
    std::vector<RankExpression::Step> m_steps; //!< so far
};

/// Refuse to go on.
[[noreturn]] void
RefuseOverflow()
{
    throw FabricError("the value of an expression does not fit in 64 bits");
}

/// @return quotient, rounded down, and remainder with the sign of the divisor
std::pair<int64_t, int64_t>
DivideDown(int64_t a, int64_t b)
{
    if (b == 0)
    {
        throw FabricError("division by zero");
    }
    if (b == -1) // which INT64_MIN cannot be divided by
    {
        int64_t negative = 0;
        if (__builtin_sub_overflow(int64_t{0}, a, &negative))
        {
            RefuseOverflow();
        }
        return {negative, 0};
    }
    const bool down = a % b != 0 && (a < 0) != (b < 0);
    return {a / b - (down ? 1 : 0), a % b + (down ? b : 0)};
}

/// @return result of an operator
int64_t
ApplyRankOperator(RankAction action, int64_t a, int64_t b)
{
    int64_t result = 0;
    bool overflow = false;
    switch (action)
    {
    case RankAction::ADD:
        overflow = __builtin_add_overflow(a, b, &result);
        break;
    case RankAction::SUBTRACT:
        overflow = __builtin_sub_overflow(a, b, &result);
        break;
    case RankAction::MULTIPLY:
        overflow = __builtin_mul_overflow(a, b, &result);
        break;
    case RankAction::DIVIDE:
        return DivideDown(a, b).first;
    case RankAction::REMAINDER:
        return DivideDown(a, b).second;
    case RankAction::EXCLUSIVE_OR:
        return a ^ b;
    case RankAction::EQUAL:
        return a == b;
    case RankAction::UNEQUAL:
        return a != b;
    case RankAction::LESS:
        return a < b;
    case RankAction::LESS_EQUAL:
        return a <= b;
    case RankAction::GREATER:
        return a > b;
    case RankAction::GREATER_EQUAL:
        return a >= b;
    case RankAction::PUSH:
    case RankAction::RANK:
    case RankAction::RANKS:
    case RankAction::LOOP:
    case RankAction::PEER:
    case RankAction::NEGATE:
        break; // no operators between two numbers
    }
    if (overflow)
    {
        RefuseOverflow();
    }
    return result;
}

} // namespace

RankExpression::RankExpression(const std::string& text,
                               Unit unit,
                               const std::vector<std::string>& loops,
                               const std::string& where)
{
    auto steps = RankExpressionReader(text, unit, loops, where).Read();
    const bool named = std::any_of(steps.begin(), steps.end(), [](const Step& step) {
        return step.action == Action::RANK || step.action == Action::RANKS ||
               step.action == Action::LOOP || step.action == Action::PEER;
    });
    if (named)
    {
        m_code = std::make_shared<const std::vector<Step>>(std::move(steps));
        return;
    }
    try
    {
        m_value = Run(steps, {0, 0, nullptr});
    }
    catch (const FabricError& error)
    {
        throw FabricError(where + ": " + QuoteFabricText(text) + ": " + error.what());
    }
}

int64_t
RankExpression::Run(const std::vector<Step>& steps, const Names& names)
{
    std::array<int64_t, MAX_EXPRESSION_DEPTH + 1> stack{};
    std::size_t top = 0; // numbers on it
    for (const Step& step : steps)
    {
        switch (step.action)
        {
        case Action::PUSH:
            stack[top++] = step.value;
            break;
        case Action::RANK:
            stack[top++] = names.rank;
            break;
        case Action::RANKS:
            stack[top++] = names.ranks;
            break;
        case Action::LOOP:
            stack[top++] = names.loops[step.value];
            break;
        case Action::PEER:
            stack[top++] = names.peer;
            break;
        case Action::NEGATE:
            stack[top - 1] = ApplyRankOperator(Action::SUBTRACT, 0, stack[top - 1]);
            break;
        default:
            --top;
            stack[top - 1] = ApplyRankOperator(step.action, stack[top - 1], stack[top]);
            break;
        }
    }
    return stack[0];
}

} // namespace ns3
