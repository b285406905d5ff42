// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-fault-file.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-text-file.h"
#include "ns3/fabric-time.h"
#include "ns3/node-names.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <iterator>
#include <sstream>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_PORT = UINT16_MAX - 1; //!< largest number of a port

/// What stands behind the nodes of a line.
struct Operand
{
    const char* format;                                          //!< how it looks, with a blank
    void (*read)(const FabricTextReader&, size_t, FabricFault&); //!< takes it from a field
    std::string (*write)(const FabricFault&);                    //!< writes it, with a blank
};

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

/// Take the rate of a line.
void
ReadRate(const FabricTextReader& reader, size_t field, FabricFault& fault)
{
    ExpectUnit(reader, field, "a rate such as 50Gbps");
    fault.rateBps = reader.GetRateBps(field, "rate");
    if (fault.rateBps == 0)
    {
        reader.Refuse("rate: must be above 0; a link that carries nothing is 'down'");
    }
}

/// @return the rate as written in a file
std::string
FormatRate(const FabricFault& fault)
{
    return " " + FormatFabricDecimal(fault.rateBps, BPS_PER_GBPS) + "Gbps";
}

/// Take the probability of a line.
void
ReadShare(const FabricTextReader& reader, size_t field, FabricFault& fault)
{
    fault.share = reader.GetDouble(field, "probability", 0, 1);
}

/// @return the probability as written in a file: the shortest text that reads as the same number
std::string
FormatShare(const FabricFault& fault)
{
    std::string text;
    for (int digits = 6; digits <= 17; ++digits)
    {
        std::ostringstream out;
        out << std::setprecision(digits) << fault.share;
        text = out.str();
        if (std::strtod(text.c_str(), nullptr) == fault.share)
        {
            break;
        }
    }
    return " " + text;
}

constexpr Operand RATE_OPERAND = {" RATE", &ReadRate, &FormatRate};
constexpr Operand SHARE_OPERAND = {" PROBABILITY", &ReadShare, &FormatShare};

/// What a verb takes.
struct Verb
{
    const char* name;       //!< as written
    FabricFault::Kind kind; //!< what it means
    bool ofNode;            //!< of a node, not of a link
    const Operand* operand; //!< behind the nodes; null: none
};

constexpr Verb VERBS[] = {
    {"down", FabricFault::DOWN, false, nullptr},
    {"up", FabricFault::UP, false, nullptr},
    {"rate", FabricFault::RATE, false, &RATE_OPERAND},
    {"loss", FabricFault::LOSS, false, &SHARE_OPERAND},
    {"corrupt", FabricFault::CORRUPT, false, &SHARE_OPERAND},
    {"switch-down", FabricFault::SWITCH_DOWN, true, nullptr},
    {"switch-up", FabricFault::SWITCH_UP, true, nullptr},
    {"storm", FabricFault::STORM, true, nullptr},
    {"calm", FabricFault::CALM, true, nullptr},
};

/// @return the verb of a kind
const Verb&
VerbOf(FabricFault::Kind kind)
{
    return *std::find_if(std::begin(VERBS), std::end(VERBS), [kind](const Verb& verb) {
        return verb.kind == kind;
    });
}

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

/// @return the end of a link
FabricFault::End
ReadEnd(const FabricTextReader& reader, size_t field)
{
    return FabricFault::End::Parse(reader.GetFields()[field], reader.GetPlace());
}

/// @return the node as written in a file
std::string
FormatNode(const FabricFault::End& end)
{
    return end.name.empty() ? std::to_string(end.node) : end.name;
}

/// @return as written in a file
std::string
FormatEnd(const FabricFault::End& end)
{
    return FormatNode(end) +
           (end.port == FabricFault::End::ANY_PORT ? "" : ":" + std::to_string(end.port));
}

} // namespace

FabricFault::End
FabricFault::End::Parse(const std::string& text, const FabricText& where)
{
    const size_t colon = text.find(':');
    const std::string node = text.substr(0, colon);
    End end;
    if (IsFabricNodeName(node))
    {
        end.name = node;
    }
    else
    {
        end.node = static_cast<uint32_t>(
            ParseFabricUint(node, where + ": node", 0, FabricGraph::MAX_NODES - 1));
    }
    if (colon != std::string::npos)
    {
        end.port = static_cast<uint32_t>(
            ParseFabricUint(text.substr(colon + 1), where + ": port of node " + node, 0, MAX_PORT));
    }
    return end;
}

std::string
FabricFault::ToText() const
{
    std::string text =
        FormatFabricDecimal(static_cast<uint64_t>(timePs), FabricTime::PS_PER_US) + "us ";
    const Verb& verb = VerbOf(kind);
    text += std::string(verb.name) + " " + FormatEnd(a) + (verb.ofNode ? "" : " " + FormatEnd(b));
    return text + (verb.operand ? verb.operand->write(*this) : "");
}

bool
FabricFault::IsOfNode() const
{
    return VerbOf(kind).ofNode;
}

std::vector<FabricFault>
ReadFabricFaults(const std::string& path)
{
    FabricTextReader reader(path, '#');
    std::vector<FabricFault> faults;
    while (reader.Next())
    {
        const Verb& verb = FindVerb(reader);
        const size_t operandField = verb.ofNode ? 3 : 4;
        reader.ExpectFields(operandField + (verb.operand ? 1 : 0),
                            std::string("TIME ") + verb.name + (verb.ofNode ? " NODE" : " A B") +
                                (verb.operand ? verb.operand->format : ""));
        FabricFault fault;
        fault.timePs = ReadTimePs(reader);
        fault.kind = verb.kind;
        fault.a = ReadEnd(reader, 2);
        if (verb.ofNode && fault.a.port != FabricFault::End::ANY_PORT)
        {
            reader.Refuse(std::string(verb.name) + " is of a whole node; leave the port away");
        }
        fault.b = verb.ofNode ? FabricFault::End() : ReadEnd(reader, 3);
        if (!verb.ofNode && FormatNode(fault.a) == FormatNode(fault.b))
        {
            reader.Refuse("a link joins two nodes, found " + FormatNode(fault.a) + " twice");
        }
        if (verb.operand)
        {
            verb.operand->read(reader, operandField, fault);
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
