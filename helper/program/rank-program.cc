// SPDX-License-Identifier: GPL-2.0-only
#include "rank-program.h"

#include "rank-collective.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace ns3
{

constexpr uint32_t RankOperation::ANY_NAME;
const char* const RankProgram::ANY = "any";

namespace
{

/// @return operation in words
const char*
NameRankOperation(const RankOperation& operation)
{
    const bool blocking = operation.blocking;
    switch (operation.kind)
    {
    case RankOperation::Kind::SEND:
        return blocking ? "send" : "isend";
    case RankOperation::Kind::RECV:
        return blocking ? "recv" : "irecv";
    case RankOperation::Kind::PUT:
        return blocking ? "put" : "iput";
    case RankOperation::Kind::GET:
        return blocking ? "get" : "iget";
    case RankOperation::Kind::WAIT:
        return "wait";
    case RankOperation::Kind::COLLECTIVE:
        return GetRankCollectives()[operation.collective]->GetName();
    case RankOperation::Kind::COMPUTE:
        return "compute";
    case RankOperation::Kind::MARK:
    case RankOperation::Kind::MARK_BEGIN:
    case RankOperation::Kind::MARK_END:
        return "mark";
    case RankOperation::Kind::REPEAT:
    case RankOperation::Kind::NEXT:
        return "repeat";
    case RankOperation::Kind::UNTIL:
    case RankOperation::Kind::AGAIN:
        return "until";
    case RankOperation::Kind::IF:
        return "if";
    case RankOperation::Kind::END:
        return "end";
    }
    return "";
}

/// Refuse a name that could not be told from a number, or that would have to be quoted in results.
void
CheckRankName(const std::string& name, const std::string& what, const std::string& place)
{
    const bool starts = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0]));
    const bool holds = std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return std::isalnum(c) || c == '_' || c == '-' || c == '.';
    });
    if (!starts || !holds)
    {
        throw FabricError(place + ": " + what + " " + QuoteFabricText(name) +
                          ": a name begins with a letter and has letters, digits, '_', '-' and "
                          "'.'");
    }
}

} // namespace

RankProgram::RankProgram(std::string path)
    : m_path(std::move(path))
{
}

std::string
RankProgram::GetPlace() const
{
    return m_path.empty() ? "operation " + std::to_string(m_operations.size() + 1)
                          : m_path + ":" + std::to_string(m_line);
}

std::string
RankProgram::Describe(const RankOperation& operation) const
{
    return (m_path.empty() ? "operation " : m_path + ":") + std::to_string(operation.line) + ": " +
           NameRankOperation(operation);
}

uint32_t
RankProgram::NameIndex(const std::string& name)
{
    const auto added = m_indices.emplace(name, static_cast<uint32_t>(m_names.size()));
    if (added.second)
    {
        m_names.push_back(name);
    }
    return added.first->second;
}

RankOperation&
RankProgram::Append(RankOperation::Kind kind, bool blocking)
{
    RankOperation operation;
    operation.kind = kind;
    operation.blocking = blocking;
    operation.line = m_path.empty() ? static_cast<uint32_t>(m_operations.size() + 1) : m_line;
    m_operations.push_back(operation);
    return m_operations.back();
}

RankExpression
RankProgram::Compile(const RankValue& value, RankExpression::Unit unit) const
{
    return RankExpression(value.text, unit, m_loops, GetPlace());
}

RankProgram&
RankProgram::Transfer(RankOperation::Kind kind,
                      bool blocking,
                      const RankValue& peer,
                      const RankValue& bytes,
                      const RankMessageOptions& options)
{
    const bool any = kind == RankOperation::Kind::RECV && peer.text == ANY;
    if (!options.request.empty())
    {
        CheckRankName(options.request, "request", GetPlace());
        if (blocking)
        {
            throw FabricError(GetPlace() + ": only an operation that is started and goes on (isend "
                                           "...) has a name to wait for");
        }
    }
    const RankExpression from =
        any ? RankExpression(-1) : Compile(peer, RankExpression::Unit::COUNT);
    const RankExpression size = Compile(bytes, RankExpression::Unit::BYTES);
    const RankExpression tag = Compile(options.tag, RankExpression::Unit::COUNT);
    const uint32_t request =
        options.request.empty() ? RankOperation::ANY_NAME : NameIndex(options.request);
    if (request != RankOperation::ANY_NAME)
    {
        m_requests.insert(request);
    }
    RankOperation& operation = Append(kind, blocking);
    operation.peer = from;
    operation.value = size;
    operation.tag = tag;
    operation.name = request;
    operation.target = any ? RankOperation::ANY_NAME : 0;
    return *this;
}

RankProgram&
RankProgram::Send(const RankValue& peer, const RankValue& bytes, const RankMessageOptions& options)
{
    return Transfer(RankOperation::Kind::SEND, true, peer, bytes, options);
}

RankProgram&
RankProgram::ISend(const RankValue& peer, const RankValue& bytes, const RankMessageOptions& options)
{
    return Transfer(RankOperation::Kind::SEND, false, peer, bytes, options);
}

RankProgram&
RankProgram::Recv(const RankValue& peer, const RankMessageOptions& options)
{
    return Transfer(RankOperation::Kind::RECV, true, peer, 0, options);
}

RankProgram&
RankProgram::IRecv(const RankValue& peer, const RankMessageOptions& options)
{
    return Transfer(RankOperation::Kind::RECV, false, peer, 0, options);
}

RankProgram&
RankProgram::Put(const RankValue& peer, const RankValue& bytes)
{
    return Transfer(RankOperation::Kind::PUT, true, peer, bytes, {});
}

RankProgram&
RankProgram::IPut(const RankValue& peer, const RankValue& bytes, const std::string& request)
{
    return Transfer(RankOperation::Kind::PUT, false, peer, bytes, {0, request});
}

RankProgram&
RankProgram::Get(const RankValue& peer, const RankValue& bytes)
{
    return Transfer(RankOperation::Kind::GET, true, peer, bytes, {});
}

RankProgram&
RankProgram::IGet(const RankValue& peer, const RankValue& bytes, const std::string& request)
{
    return Transfer(RankOperation::Kind::GET, false, peer, bytes, {0, request});
}

uint32_t
RankProgram::RequestIndex(const std::string& request, const std::string& what) const
{
    const auto index = m_indices.find(request);
    if (index == m_indices.end() || m_requests.count(index->second) == 0)
    {
        throw FabricError(GetPlace() + ": " + what + " " + QuoteFabricText(request) +
                          ": no operation before has that name; give it one with as=" + request);
    }
    return index->second;
}

RankProgram&
RankProgram::Wait(const std::string& request)
{
    const uint32_t index =
        request.empty() ? RankOperation::ANY_NAME : RequestIndex(request, "wait for");
    Append(RankOperation::Kind::WAIT).name = index;
    return *this;
}

RankProgram&
RankProgram::Barrier(const std::string& group)
{
    return Collective("barrier", 0, group);
}

RankProgram&
RankProgram::Collective(const std::string& name,
                        const RankValue& bytes,
                        const std::string& group,
                        const std::string& algorithm,
                        const RankValue& root)
{
    CheckRankName(group, "group", GetPlace());
    const uint32_t collective = FindRankCollective(name, algorithm);
    const bool forPeer = GetRankCollectives()[collective]->IsSizeForPeer();
    const RankExpression size =
        Compile(bytes,
                forPeer ? RankExpression::Unit::BYTES_FOR_PEER : RankExpression::Unit::BYTES);
    const RankExpression first = Compile(root, RankExpression::Unit::COUNT);
    const uint32_t index = NameIndex(group);
    RankOperation& operation = Append(RankOperation::Kind::COLLECTIVE);
    operation.collective = collective;
    operation.value = size;
    operation.peer = first;
    operation.name = index;
    return *this;
}

RankProgram&
RankProgram::Compute(const RankValue& time)
{
    const RankExpression value = Compile(time, RankExpression::Unit::TIME);
    Append(RankOperation::Kind::COMPUTE).value = value;
    return *this;
}

RankProgram&
RankProgram::Mark(const std::string& name)
{
    CheckRankName(name, "mark", GetPlace());
    const uint32_t index = NameIndex(name);
    Append(RankOperation::Kind::MARK).name = index;
    return *this;
}

RankProgram&
RankProgram::BeginMark(const std::string& name)
{
    CheckRankName(name, "mark", GetPlace());
    const uint32_t index = NameIndex(name);
    Append(RankOperation::Kind::MARK_BEGIN).name = index;
    m_open.push_back(static_cast<uint32_t>(m_operations.size() - 1));
    return *this;
}

RankProgram&
RankProgram::Repeat(const RankValue& rounds, const std::string& loop)
{
    if (!loop.empty())
    {
        CheckRankName(loop, "loop", GetPlace());
        if (loop == "rank" || loop == "ranks" || loop.find('-') != std::string::npos)
        {
            throw FabricError(GetPlace() + ": loop " + QuoteFabricText(loop) +
                              ": expressions could not name it; choose a name without '-' other "
                              "than rank and ranks");
        }
    }
    const RankExpression value = Compile(rounds, RankExpression::Unit::COUNT);
    Append(RankOperation::Kind::REPEAT).value = value;
    m_open.push_back(static_cast<uint32_t>(m_operations.size() - 1));
    m_loops.push_back(loop);
    return *this;
}

RankProgram&
RankProgram::Until(const std::string& request)
{
    const uint32_t index = RequestIndex(request, "until");
    Append(RankOperation::Kind::UNTIL).name = index;
    m_open.push_back(static_cast<uint32_t>(m_operations.size() - 1));
    return *this;
}

RankProgram&
RankProgram::If(const RankValue& condition)
{
    const RankExpression value = Compile(condition, RankExpression::Unit::COUNT);
    Append(RankOperation::Kind::IF).value = value;
    m_open.push_back(static_cast<uint32_t>(m_operations.size() - 1));
    return *this;
}

RankProgram&
RankProgram::End()
{
    if (m_open.empty())
    {
        throw FabricError(GetPlace() + ": no block is open that could end here");
    }
    const uint32_t begin = m_open.back();
    m_open.pop_back();
    if (m_operations[begin].kind == RankOperation::Kind::MARK_BEGIN)
    {
        Append(RankOperation::Kind::MARK_END).name = m_operations[begin].name;
    }
    else if (m_operations[begin].kind == RankOperation::Kind::REPEAT)
    {
        Append(RankOperation::Kind::NEXT).target = begin;
        m_loops.pop_back();
    }
    else if (m_operations[begin].kind == RankOperation::Kind::UNTIL)
    {
        Append(RankOperation::Kind::AGAIN).target = begin;
    }
    m_operations[begin].target = static_cast<uint32_t>(m_operations.size());
    return *this;
}

void
RankProgram::Finish()
{
    if (!m_open.empty())
    {
        throw FabricError(Describe(m_operations[m_open.back()]) +
                          ": the block that begins here has no end");
    }
    if (m_operations.empty() || m_operations.back().kind != RankOperation::Kind::END)
    {
        Append(RankOperation::Kind::END);
    }
}

} // namespace ns3
