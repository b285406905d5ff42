// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-fault-file.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-text-file.h"
#include "ns3/fabric-time.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_PORT = UINT16_MAX - 1; //!< largest number of a port

/// What a verb takes.
struct Verb
{
    const char* name;       //!< as written
    FabricFault::Kind kind; //!< what it means
    size_t nFields;         //!< fields of its line
    const char* format;     //!< how its line looks
};

constexpr Verb VERBS[] = {
    {"down", FabricFault::DOWN, 4, "TIME down A B"},
    {"up", FabricFault::UP, 4, "TIME up A B"},
    {"rate", FabricFault::RATE, 5, "TIME rate A B RATE"},
};

/// @return names of all verbs
std::vector<std::string>
ListVerbs()
{
    std::vector<std::string> names;
    for (const Verb& verb : VERBS)
    {
        names.emplace_back(verb.name);
    }
    return names;
}

/// @return the verb of a line
const Verb&
FindVerb(const FabricTextReader& reader)
{
    if (reader.GetFields().size() < 2)
    {
        reader.Refuse("expected a time and what happens, such as '120us down 16 24'; known: " +
                      JoinFabricNames(ListVerbs()));
    }
    const std::string& name = reader.GetFields()[1];
    const auto* found = std::find_if(std::begin(VERBS), std::end(VERBS), [&name](const Verb& verb) {
        return name == verb.name;
    });
    if (found == std::end(VERBS))
    {
        reader.Refuse("unknown fault " + QuoteFabricText(name) + "; " +
                      ListFabricNames(name, ListVerbs()));
    }
    return *found;
}

/// Refuse a quantity without a unit: say what it is, and an example.
void
ExpectUnit(const FabricTextReader& reader, size_t field, const char* what)
{
    const char last = reader.GetFields()[field].back();
    if ((last >= '0' && last <= '9') || last == '.')
    {
        reader.Refuse(QuoteFabricText(reader.GetFields()[field]) + " has no unit; write " + what);
    }
}

/// @return the time of a line
int64_t
ReadTimePs(const FabricTextReader& reader)
{
    ExpectUnit(reader, 0, "a time such as 120us");
    const int64_t timePs = reader.GetTimePs(0, "time");
    if (timePs > FabricFault::MAX_TIME_PS)
    {
        reader.Refuse("time: " + QuoteFabricText(reader.GetFields()[0]) + " is more than 24 h");
    }
    return timePs;
}

/// @return the rate of a line in bit/s
uint64_t
ReadRateBps(const FabricTextReader& reader, size_t field)
{
    ExpectUnit(reader, field, "a rate such as 50Gbps");
    const uint64_t rateBps = reader.GetRateBps(field, "rate");
    if (rateBps == 0)
    {
        reader.Refuse("rate: must be above 0; a link that carries nothing is 'down'");
    }
    return rateBps;
}

/// @return the end of a link
FabricFault::End
ReadEnd(const FabricTextReader& reader, size_t field)
{
    const std::string& text = reader.GetFields()[field];
    const size_t colon = text.find(':');
    FabricFault::End end;
    end.node = static_cast<uint32_t>(ParseFabricUint(text.substr(0, colon),
                                                     reader.GetPlace() + ": node",
                                                     0,
                                                     FabricGraph::MAX_NODES - 1));
    if (colon != std::string::npos)
    {
        end.port = static_cast<uint32_t>(
            ParseFabricUint(text.substr(colon + 1),
                            reader.GetPlace() + ": port of node " + std::to_string(end.node),
                            0,
                            MAX_PORT));
    }
    return end;
}

/// @return as written in a file
std::string
FormatEnd(const FabricFault::End& end)
{
    return std::to_string(end.node) +
           (end.port == FabricFault::End::ANY_PORT ? "" : ":" + std::to_string(end.port));
}

} // namespace

std::string
FabricFault::ToText() const
{
    std::string text =
        FormatFabricDecimal(static_cast<uint64_t>(timePs), FabricTime::PS_PER_US) + "us ";
    for (const Verb& verb : VERBS)
    {
        text += verb.kind == kind ? verb.name : "";
    }
    text += " " + FormatEnd(a) + " " + FormatEnd(b);
    return kind == RATE ? text + " " + FormatFabricDecimal(rateBps, BPS_PER_GBPS) + "Gbps" : text;
}

std::vector<FabricFault>
ReadFabricFaults(const std::string& path)
{
    FabricTextReader reader(path, '#');
    std::vector<FabricFault> faults;
    while (reader.Next())
    {
        const Verb& verb = FindVerb(reader);
        reader.ExpectFields(verb.nFields, verb.format);
        FabricFault fault;
        fault.timePs = ReadTimePs(reader);
        fault.kind = verb.kind;
        fault.a = ReadEnd(reader, 2);
        fault.b = ReadEnd(reader, 3);
        if (fault.a.node == fault.b.node)
        {
            reader.Refuse("a link joins two nodes, found " + std::to_string(fault.a.node) +
                          " twice");
        }
        if (fault.kind == FabricFault::RATE)
        {
            fault.rateBps = ReadRateBps(reader, 4);
        }
        fault.place = reader.GetPlace();
        faults.push_back(fault);
    }
    return faults;
}

void
WriteFabricFaults(const std::vector<FabricFault>& faults, const std::string& path)
{
    std::string text;
    for (const FabricFault& fault : faults)
    {
        text += fault.ToText() + "\n";
    }
    WriteFabricTextFile(path, text);
}

} // namespace ns3
