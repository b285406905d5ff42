// SPDX-License-Identifier: GPL-2.0-only
#include "rank-program.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text-file.h"
#include "ns3/parse-units.h"
#include "ns3/rank-collective.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace ns3
{

const char* const RankProgram::ANY = "any";

namespace
{

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
                          : ShowFabricPath(m_path) + ":" + std::to_string(m_line);
}

std::string
RankProgram::Describe(const RankOperation& operation) const
{
    return (m_path.empty() ? "operation " : ShowFabricPath(m_path) + ":") +
           std::to_string(operation.line) + ": " + NameRankOperation(operation);
}

uint32_t
RankProgram::NameTable::Add(const std::string& name)
{
    const auto added = m_indices.emplace(name, static_cast<uint32_t>(m_names.size()));
    if (added.second)
    {
        m_names.push_back(name);
    }
    return added.first->second;
}

uint32_t
RankProgram::NameTable::Find(const std::string& name) const
{
    const auto found = m_indices.find(name);
    return found == m_indices.end() ? uint32_t{RankOperation::ANY_NAME} : found->second;
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

void
RankProgram::CheckStart(const RankStartOptions& start, bool blocking) const
{
    if (blocking && !(start.request.empty() && start.after.empty() && start.begun.empty() &&
                      start.stream.empty()))
    {
        throw FabricError(GetPlace() +
                          ": only an operation that is started and goes on (isend "
                          "...) has a name to wait for, waits for others or is on a stream");
    }
    if (!start.stream.empty())
    {
        CheckRankName(start.stream, "stream", GetPlace());
    }
    for (const std::string* name : {&start.request, &start.begun})
    {
        if (!name->empty())
        {
            CheckRankName(*name, "request", GetPlace());
        }
    }
    for (const std::string& name : start.after)
    {
        RequestIndex(name, "after");
    }
}

void
RankProgram::SetStart(RankOperation& operation, const RankStartOptions& start)
{
    operation.after = static_cast<uint32_t>(m_afters.size());
    operation.afters = static_cast<uint32_t>(start.after.size());
    for (const std::string& name : start.after)
    {
        m_afters.push_back(m_requests.Find(name));
    }
    const auto index = [](NameTable& table, const std::string& name) {
        return name.empty() ? uint32_t{RankOperation::ANY_NAME} : table.Add(name);
    };
    operation.name = index(m_requests, start.request);
    operation.begun = index(m_requests, start.begun);
    operation.stream = index(m_streams, start.stream);
}

RankProgram&
RankProgram::Transfer(RankOperation::Kind kind,
                      bool blocking,
                      const RankValue& peer,
                      const RankValue& bytes,
                      const RankMessageOptions& options)
{
    const bool any = kind == RankOperation::Kind::RECV && peer.text == ANY;
    CheckStart(options.start, blocking);
    const RankExpression from =
        any ? RankExpression(-1) : Compile(peer, RankExpression::Unit::COUNT);
    const RankExpression size = Compile(bytes, RankExpression::Unit::BYTES);
    const bool anyTag = kind == RankOperation::Kind::RECV && options.tag.text == ANY;
    const RankExpression tag =
        anyTag ? RankExpression(0) : Compile(options.tag, RankExpression::Unit::COUNT);
    const auto channels = options.channels.empty()
                              ? uint16_t{0}
                              : static_cast<uint16_t>(ParseFabricUint(options.channels,
                                                                      GetPlace() + ": channels",
                                                                      1,
                                                                      RankOperation::MAX_CHANNELS));
    RankOperation& operation = Append(kind, blocking);
    operation.channels = channels;
    operation.peer = from;
    operation.value = size;
    operation.tag = tag;
    operation.anyTag = anyTag;
    operation.target = any ? RankOperation::ANY_NAME : 0;
    SetStart(operation, options.start);
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
RankProgram::Put(const RankValue& peer, const RankValue& bytes, const RankMessageOptions& options)
{
    return Transfer(RankOperation::Kind::PUT, true, peer, bytes, options);
}

RankProgram&
RankProgram::IPut(const RankValue& peer,
                  const RankValue& bytes,
                  const RankStartOptions& options,
                  const std::string& channels)
{
    return Transfer(RankOperation::Kind::PUT, false, peer, bytes, {0, options, channels});
}

RankProgram&
RankProgram::Get(const RankValue& peer, const RankValue& bytes, const RankMessageOptions& options)
{
    return Transfer(RankOperation::Kind::GET, true, peer, bytes, options);
}

RankProgram&
RankProgram::IGet(const RankValue& peer,
                  const RankValue& bytes,
                  const RankStartOptions& options,
                  const std::string& channels)
{
    return Transfer(RankOperation::Kind::GET, false, peer, bytes, {0, options, channels});
}

uint32_t
RankProgram::RequestIndex(const std::string& request, const std::string& what) const
{
    const uint32_t index = m_requests.Find(request);
    if (index == RankOperation::ANY_NAME)
    {
        throw FabricError(GetPlace() + ": " + what + " " + QuoteFabricText(request) +
                          ": no operation before has that name; give it one with as=" + request);
    }
    return index;
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
RankProgram::Barrier(const std::string& group, const std::string& algorithm)
{
    return Collective("barrier", 0, group, algorithm);
}

uint16_t
RankProgram::AddPlan(const std::string& name, CollectiveOptions options)
{
    const std::size_t folder = m_path.rfind('/');
    for (std::string* path : {&options.matrix, &options.transposed})
    {
        if (!path->empty() && path->front() != '/' && folder != std::string::npos)
        {
            path->insert(0, m_path, 0, folder + 1);
        }
    }
    std::string key = name;
    for (const std::string* part : {&options.algorithm,
                                    &options.dims,
                                    &options.chunks,
                                    &options.channels,
                                    &options.window,
                                    &options.matrix,
                                    &options.transposed})
    {
        key += '\n' + *part; // which no word of a file has
    }
    uint32_t index = m_planNames.Find(key);
    if (index == RankOperation::ANY_NAME)
    {
        if (m_plans.size() > UINT16_MAX)
        {
            throw FabricError(GetPlace() + ": the program does collectives in more than " +
                              std::to_string(UINT16_MAX) + " ways");
        }
        m_plans.emplace_back(name, options);
        index = m_planNames.Add(key);
    }
    return static_cast<uint16_t>(index);
}

RankOperation&
RankProgram::AppendCollective(const std::string& name,
                              const RankValue& bytes,
                              const std::string& group,
                              const std::string& algorithm,
                              const RankValue& root,
                              const CollectiveOptions& how)
{
    CheckRankName(group, "group", GetPlace());
    CollectiveOptions options = how;
    options.algorithm = algorithm;
    const uint16_t plan = AddPlan(name, std::move(options));
    const uint32_t collective = m_plans[plan].GetCollective();
    const bool forPeer = GetRankCollectives()[collective].sizeForPeer;
    const RankExpression size =
        Compile(bytes,
                forPeer ? RankExpression::Unit::BYTES_FOR_PEER : RankExpression::Unit::BYTES);
    const RankExpression first = Compile(root, RankExpression::Unit::COUNT);
    const uint32_t index = m_names.Add(group);
    RankOperation& operation = Append(RankOperation::Kind::COLLECTIVE);
    operation.collective = static_cast<uint16_t>(collective);
    operation.plan = plan;
    operation.value = size;
    operation.peer = first;
    operation.target = index;
    return operation;
}

RankProgram&
RankProgram::Collective(const std::string& name,
                        const RankValue& bytes,
                        const std::string& group,
                        const std::string& algorithm,
                        const RankValue& root,
                        const CollectiveOptions& how)
{
    AppendCollective(name, bytes, group, algorithm, root, how);
    return *this;
}

RankProgram&
RankProgram::ICollective(const std::string& name,
                         const RankValue& bytes,
                         const RankStartOptions& options,
                         const std::string& group,
                         const std::string& algorithm,
                         const RankValue& root,
                         const CollectiveOptions& how)
{
    CheckStart(options, false);
    RankOperation& operation = AppendCollective(name, bytes, group, algorithm, root, how);
    operation.blocking = false;
    SetStart(operation, options);
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
RankProgram::Compute(const RankWork& work)
{
    AppendWork(work, true);
    return *this;
}

RankProgram&
RankProgram::ICompute(const RankWork& work, const RankStartOptions& options)
{
    CheckStart(options, false);
    SetStart(AppendWork(work, false), options);
    return *this;
}

RankOperation&
RankProgram::AppendWork(const RankWork& work, bool blocking)
{
    const RankExpression operations = Compile(work.operations, RankExpression::Unit::OPERATIONS);
    const RankExpression bytes = Compile(work.bytes, RankExpression::Unit::BYTES);
    RankOperation& operation = Append(RankOperation::Kind::COMPUTE, blocking);
    operation.counted = true;
    operation.value = operations;
    operation.tag = bytes;
    return operation;
}

RankProgram&
RankProgram::ICompute(const RankValue& time, const RankStartOptions& options)
{
    CheckStart(options, false);
    const RankExpression value = Compile(time, RankExpression::Unit::TIME);
    RankOperation& operation = Append(RankOperation::Kind::COMPUTE, false);
    operation.value = value;
    SetStart(operation, options);
    return *this;
}

RankProgram&
RankProgram::Mark(const std::string& name)
{
    CheckRankName(name, "mark", GetPlace());
    const uint32_t index = m_names.Add(name);
    Append(RankOperation::Kind::MARK).name = index;
    return *this;
}

RankProgram&
RankProgram::BeginMark(const std::string& name)
{
    CheckRankName(name, "mark", GetPlace());
    const uint32_t index = m_names.Add(name);
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
    for (NameTable* table : {&m_names, &m_requests, &m_streams, &m_planNames})
    {
        table->Close(); // a long program has many names
    }
}

} // namespace ns3
