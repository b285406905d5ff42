// SPDX-License-Identifier: GPL-2.0-only
#include "connection-matrix-file.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-text-file.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace ns3
{

constexpr int32_t ConnectionMatrixFile::NO_PRIORITY;

bool
ConnectionMatrixFile::Connection::operator==(const Connection& o) const
{
    const auto tie = [](const Connection& c) {
        return std::tie(c.src,
                        c.dst,
                        c.id,
                        c.startPs,
                        c.trigger,
                        c.sizeBytes,
                        c.sendDoneTrigger,
                        c.recvDoneTrigger,
                        c.priority);
    };
    return tie(*this) == tie(o);
}

bool
ConnectionMatrixFile::Trigger::operator==(const Trigger& o) const
{
    return id == o.id && kind == o.kind && count == o.count;
}

bool
ConnectionMatrixFile::Failure::operator==(const Failure& o) const
{
    return switchType == o.switchType && switchId == o.switchId && linkId == o.linkId;
}

std::vector<FabricFlow>
ConnectionMatrixFile::GetFlows(uint8_t priority) const
{
    std::vector<FabricFlow> flows;
    flows.reserve(connections.size());
    for (const auto& c : connections)
    {
        flows.push_back({c.src,
                         c.dst,
                         c.sizeBytes == 0 ? FabricFlow::ENDLESS : c.sizeBytes,
                         c.startPs,
                         priority});
    }
    return flows;
}

std::vector<FlowTrigger>
ConnectionMatrixFile::GetTriggers() const
{
    std::vector<FlowTrigger> all(triggers.size());
    std::map<uint32_t, FlowTrigger*> byId;
    for (size_t i = 0; i < triggers.size(); i++)
    {
        all[i].id = triggers[i].id;
        all[i].kind = triggers[i].kind;
        all[i].count = triggers[i].count;
        byId[triggers[i].id] = &all[i];
    }
    for (uint32_t i = 0; i < connections.size(); i++)
    {
        const Connection& c = connections[i];
        if (c.trigger != 0)
        {
            byId.at(c.trigger)->starts.push_back(i);
        }
        if (c.sendDoneTrigger != 0)
        {
            byId.at(c.sendDoneTrigger)->whenSent.push_back(i);
        }
        if (c.recvDoneTrigger != 0)
        {
            byId.at(c.recvDoneTrigger)->whenReceived.push_back(i);
        }
    }
    return all;
}

namespace
{

using File = ConnectionMatrixFile;

constexpr uint64_t MAX_FLOWS = UINT32_MAX - 1; //!< of one workload
constexpr const char* TRIGGER_KINDS[] = {"oneshot",
                                         "multishot",
                                         "barrier"};           //!< by FlowTrigger::Kind
constexpr const char* SWITCH_TYPES[] = {"TOR", "AGG", "CORE"}; //!< in failures

/// What the header promises.
struct MatrixHeader
{
    /// One entry.
    struct Entry
    {
        const char* name;  //!< as written
        bool needed;       //!< the format always has it
        uint64_t least;    //!< least value
        bool given{false}; //!< read already
        uint64_t value{0}; //!< what was read
        uint32_t line{0};  //!< where
    };

    Entry nodes{"Nodes", true, 1};             //!< number of hosts
    Entry connections{"Connections", true, 0}; //!< number of flows
    Entry triggers{"Triggers", false, 0};      //!< number of triggers
    Entry failures{"Failures", false, 0};      //!< number of failures

    /// @return all entries
    std::vector<Entry*> All()
    {
        return {&nodes, &connections, &triggers, &failures};
    }
};

/// @return ps in a unit, 0 for an unknown one
int64_t
GetUnitPs(const std::string& unit)
{
    constexpr int64_t K = 1000;
    const std::pair<const char*, int64_t> known[] = {{"ps", 1},
                                                     {"ns", K},
                                                     {"us", K * K},
                                                     {"ms", K * K * K},
                                                     {"s", K * K * K * K}};
    for (const auto& [name, ps] : known)
    {
        if (unit == name)
        {
            return ps;
        }
    }
    return 0;
}

/**
 * @throws FabricError for an unknown unit
 */
void
CheckUnit(const std::string& unit)
{
    if (GetUnitPs(unit) == 0)
    {
        throw FabricError("connection matrix: unknown unit " + QuoteFabricText(unit) +
                          " of start; known: ps, ns, us, ms, s");
    }
}

/// @return true if a word begins a line after the header
bool
IsBody(const std::string& word)
{
    return word == "trigger" || word == "failure" || word.find("->") != std::string::npos;
}

/// @return the header; the reader stands at the first line after it
MatrixHeader
ReadMatrixHeader(FabricTextReader& reader)
{
    MatrixHeader header;
    bool more = reader.Next();
    for (; more && !IsBody(reader.GetFields()[0]); more = reader.Next())
    {
        const std::string& name = reader.GetFields()[0];
        MatrixHeader::Entry* found = nullptr;
        for (auto* entry : header.All())
        {
            found = name == entry->name ? entry : found;
        }
        if (!found)
        {
            reader.Refuse("unknown word " + QuoteFabricText(name) +
                          " in the header; known: Nodes, Connections, Triggers, Failures");
        }
        reader.ExpectFields(2, name + " number");
        if (found->given)
        {
            reader.Refuse(name + " is given twice");
        }
        found->value = reader.GetUint(1, found->name, found->least, MAX_FLOWS);
        found->line = reader.GetLine();
        found->given = true;
    }
    for (const auto* entry : header.All())
    {
        if (entry->needed && !entry->given)
        {
            reader.Refuse("the header has no '" + std::string(entry->name) + " number'");
        }
    }
    return header;
}

/// Reads the words after the first one of a line, each with a value.
class Words
{
  public:
    /**
     * @param reader reader at the line
     */
    explicit Words(const FabricTextReader& reader)
        : m_reader(reader)
    {
    }

    /// @return true if there is another word
    bool Next()
    {
        m_at += m_step;
        m_step = 1;
        if (m_at >= m_reader.GetFields().size())
        {
            return false;
        }
        if (!m_seen.insert(Get()).second)
        {
            m_reader.Refuse(QuoteFabricText(Get()) + " is given twice");
        }
        return true;
    }

    /// @return the present word
    const std::string& Get() const
    {
        return m_reader.GetFields()[m_at];
    }

    /// @return the field of its value
    size_t ValueField()
    {
        m_step = 2;
        if (m_at + 1 >= m_reader.GetFields().size())
        {
            m_reader.Refuse(QuoteFabricText(Get()) + " needs a value");
        }
        return m_at + 1;
    }

    /// @return its value
    uint32_t GetUint(uint32_t min, uint32_t max = UINT32_MAX)
    {
        const std::string word = Get();
        return static_cast<uint32_t>(m_reader.GetUint(ValueField(), word.c_str(), min, max));
    }

    /// @return true if a word was there
    bool Has(const char* word) const
    {
        return m_seen.count(word) != 0;
    }

    /// Refuse the present word; known words are named.
    [[noreturn]] void Refuse(const std::string& known) const
    {
        m_reader.Refuse("unknown word " + QuoteFabricText(Get()) + "; known: " + known);
    }

  private:
    const FabricTextReader& m_reader; //!< at the line
    size_t m_at{0};                   //!< present field
    size_t m_step{1};                 //!< fields to the next word
    std::set<std::string> m_seen;     //!< words so far
};

/// @return the start of a flow in ps; without a unit of its own it has that of starts, which may be
/// empty
int64_t
ReadStart(const FabricTextReader& reader, size_t field, const std::string& unit)
{
    const std::string& text = reader.GetFields()[field];
    const std::string where = reader.GetPlace() + ": start";
    if (text.find_first_not_of("0123456789.eE+-") != std::string::npos)
    {
        reader.Refuse("start: " + QuoteFabricText(text) + " is not a number without unit");
    }
    if (unit.empty() && text.find_first_of("123456789") == std::string::npos)
    {
        return ParseFabricTimePs(text, where); // zero, or no number
    }
    if (unit.empty())
    {
        reader.Refuse(
            "start " + text +
            " has no unit: the format does not define one, and its tools differ; say unit=ps "
            "or unit=us (also ns, ms, s)");
    }
    return ParseFabricTimePs(text + unit, where);
}

/**
 * @param reader reader at a flow's line
 * @param nodes number of nodes
 * @param unit unit of starts, may be empty
 * @return the flow
 */
File::Connection
ReadConnection(const FabricTextReader& reader, uint32_t nodes, const std::string& unit)
{
    File::Connection c;
    const std::string& ends = reader.GetFields()[0];
    const size_t arrow = ends.find("->");
    c.src = static_cast<uint32_t>(
        ParseFabricUint(ends.substr(0, arrow), reader.GetPlace() + ": source", 0, nodes - 1));
    c.dst = static_cast<uint32_t>(
        ParseFabricUint(ends.substr(arrow + 2), reader.GetPlace() + ": destination", 0, nodes - 1));
    c.line = reader.GetLine();
    Words words(reader);
    while (words.Next())
    {
        const std::string& word = words.Get();
        if (word == "id")
        {
            c.id = words.GetUint(1);
        }
        else if (word == "start")
        {
            c.startPs = ReadStart(reader, words.ValueField(), unit);
        }
        else if (word == "trigger")
        {
            c.trigger = words.GetUint(1);
            c.startPs = FabricFlow::ON_TRIGGER;
        }
        else if (word == "size")
        {
            c.sizeBytes = reader.GetUint(words.ValueField(), "size", 0, INT64_MAX);
        }
        else if (word == "send_done_trigger")
        {
            c.sendDoneTrigger = words.GetUint(1);
        }
        else if (word == "recv_done_trigger")
        {
            c.recvDoneTrigger = words.GetUint(1);
        }
        else if (word == "prio")
        {
            c.priority = static_cast<int32_t>(words.GetUint(0, INT32_MAX));
        }
        else if (word == "msg")
        {
            reader.Refuse(
                "msg numbers the messages of one connection, which lines with the same id "
                "share; here each line has a connection of its own, so that the run would "
                "not be that of the file; remove msg, and give each line an id of its "
                "own");
        }
        else
        {
            words.Refuse("id, start, trigger, size, send_done_trigger, recv_done_trigger, prio");
        }
    }
    if (words.Has("start") == words.Has("trigger"))
    {
        reader.Refuse(words.Has("start")
                          ? "the flow has a start and a trigger; it needs one of them"
                          : "the flow has neither a start nor a trigger");
    }
    if (!words.Has("size"))
    {
        reader.Refuse("the flow has no size");
    }
    if (c.src == c.dst)
    {
        reader.Refuse("the flow goes from node " + std::to_string(c.src) +
                      " to itself; it needs two different nodes");
    }
    return c;
}

/// @return the trigger
File::Trigger
ReadTrigger(const FabricTextReader& reader)
{
    File::Trigger trigger;
    trigger.line = reader.GetLine();
    int kinds = 0;
    Words words(reader);
    while (words.Next())
    {
        const auto kind =
            std::find(std::begin(TRIGGER_KINDS), std::end(TRIGGER_KINDS), words.Get());
        if (kind != std::end(TRIGGER_KINDS))
        {
            trigger.kind = static_cast<FlowTrigger::Kind>(kind - std::begin(TRIGGER_KINDS));
            kinds++;
        }
        else if (words.Get() == "id")
        {
            trigger.id = words.GetUint(1);
        }
        else if (words.Get() == "count")
        {
            trigger.count = words.GetUint(1);
        }
        else
        {
            words.Refuse("id, oneshot, multishot, barrier, count");
        }
    }
    if (trigger.id == 0 || kinds != 1)
    {
        reader.Refuse("expected 'trigger id n oneshot|multishot|barrier [count k]'");
    }
    if ((trigger.kind == FlowTrigger::BARRIER) != words.Has("count"))
    {
        reader.Refuse(words.Has("count") ? "only a barrier has a count"
                                         : "a barrier needs a count: how many flows it waits for");
    }
    return trigger;
}

/// @return the failure
File::Failure
ReadFailure(const FabricTextReader& reader)
{
    File::Failure failure;
    failure.line = reader.GetLine();
    Words words(reader);
    while (words.Next())
    {
        if (words.Get() == "switch_type")
        {
            failure.switchType = reader.GetFields()[words.ValueField()];
            if (std::find(std::begin(SWITCH_TYPES), std::end(SWITCH_TYPES), failure.switchType) ==
                std::end(SWITCH_TYPES))
            {
                reader.Refuse("unknown switch_type " + QuoteFabricText(failure.switchType) +
                              "; known: TOR, AGG, CORE");
            }
        }
        else if (words.Get() == "switch_id")
        {
            failure.switchId = words.GetUint(0);
        }
        else if (words.Get() == "link_id")
        {
            failure.linkId = words.GetUint(0);
        }
        else
        {
            words.Refuse("switch_type, switch_id, link_id");
        }
    }
    if (!words.Has("switch_type") || !words.Has("switch_id") || !words.Has("link_id"))
    {
        reader.Refuse("expected 'failure switch_type TOR|AGG|CORE switch_id n link_id n'");
    }
    return failure;
}

/// Refuse numbers that are given twice, and triggers that do not exist or cannot work.
void
CheckTriggers(const FabricTextReader& reader, const File& file)
{
    std::set<uint32_t> flowIds;
    std::set<uint32_t> triggerIds;
    for (const auto& trigger : file.triggers)
    {
        if (!triggerIds.insert(trigger.id).second)
        {
            reader.RefuseLine(trigger.line,
                              "trigger id " + std::to_string(trigger.id) + " is given twice");
        }
    }
    for (const auto& c : file.connections)
    {
        if (c.id != 0 && !flowIds.insert(c.id).second)
        {
            reader.RefuseLine(c.line, "flow id " + std::to_string(c.id) + " is given twice");
        }
        for (auto id : {c.trigger, c.sendDoneTrigger, c.recvDoneTrigger})
        {
            if (id != 0 && triggerIds.count(id) == 0)
            {
                reader.RefuseLine(c.line, "there is no trigger with id " + std::to_string(id));
            }
        }
    }
    const FlowTriggerFault fault = FindFlowTriggerFault(file.GetFlows(0), file.GetTriggers());
    if (!fault.what.empty())
    {
        reader.RefuseLine(fault.trigger != FlowTriggerFault::NONE
                              ? file.triggers[fault.trigger].line
                              : file.connections[fault.flow].line,
                          fault.what);
    }
}

} // namespace

ConnectionMatrixFile
ReadConnectionMatrix(const std::string& path, const std::string& unit)
{
    if (!unit.empty())
    {
        CheckUnit(unit);
    }
    FabricTextReader reader(path, '#');
    MatrixHeader header = ReadMatrixHeader(reader);
    File file;
    file.path = path;
    file.nodes = static_cast<uint32_t>(header.nodes.value);
    file.nodesLine = header.nodes.line;
    for (bool more = !reader.GetFields().empty(); more; more = reader.Next())
    {
        const std::string& word = reader.GetFields()[0];
        if (word == "trigger")
        {
            file.triggers.push_back(ReadTrigger(reader));
        }
        else if (word == "failure")
        {
            file.failures.push_back(ReadFailure(reader));
        }
        else if (IsBody(word))
        {
            file.connections.push_back(ReadConnection(reader, file.nodes, unit));
        }
        else
        {
            reader.Refuse("unknown word " + QuoteFabricText(word) +
                          "; after the header come flows 'src->dst ...', triggers and failures");
        }
    }
    const std::pair<const MatrixHeader::Entry*, size_t> counts[] = {
        {&header.connections, file.connections.size()},
        {&header.triggers, file.triggers.size()},
        {&header.failures, file.failures.size()}};
    for (const auto& [entry, found] : counts)
    {
        if (entry->value != found)
        {
            reader.RefuseLine(entry->line,
                              std::string(entry->name) + " is " + std::to_string(entry->value) +
                                  ", but the file has " + std::to_string(found));
        }
    }
    CheckTriggers(reader, file);
    return file;
}

void
WriteConnectionMatrix(const ConnectionMatrixFile& file,
                      const std::string& path,
                      const std::string& unit)
{
    CheckUnit(unit);
    const auto word = [](const char* name, uint64_t value) {
        return value == 0 ? std::string() : std::string(name) + std::to_string(value);
    };
    std::string text =
        "Nodes " + std::to_string(file.nodes) + "\nConnections " +
        std::to_string(file.connections.size()) + "\n" + word("Triggers ", file.triggers.size()) +
        (file.triggers.empty() ? "" : "\n") + word("Failures ", file.failures.size()) +
        (file.failures.empty() ? "" : "\n");
    for (const auto& c : file.connections)
    {
        text += std::to_string(c.src) + "->" + std::to_string(c.dst) + word(" id ", c.id);
        text += c.trigger != 0
                    ? word(" trigger ", c.trigger)
                    : " start " + FormatFabricDecimal(static_cast<uint64_t>(c.startPs),
                                                      static_cast<uint64_t>(GetUnitPs(unit)));
        text += " size " + std::to_string(c.sizeBytes) +
                word(" send_done_trigger ", c.sendDoneTrigger) +
                word(" recv_done_trigger ", c.recvDoneTrigger);
        text += c.priority == File::NO_PRIORITY ? "" : " prio " + std::to_string(c.priority);
        text += "\n";
    }
    for (const auto& trigger : file.triggers)
    {
        text += "trigger id " + std::to_string(trigger.id) + " " + TRIGGER_KINDS[trigger.kind] +
                word(" count ", trigger.count) + "\n";
    }
    for (const auto& failure : file.failures)
    {
        text += "failure switch_type " + failure.switchType + " switch_id " +
                std::to_string(failure.switchId) + " link_id " + std::to_string(failure.linkId) +
                "\n";
    }
    WriteFabricTextFile(path, text);
}

} // namespace ns3
