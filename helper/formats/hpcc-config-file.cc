// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-config-file.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-text-file.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace ns3
{

namespace
{

constexpr uint64_t BYTES_PER_KB = 1000; //!< of thresholds there
constexpr uint64_t NO_LIMIT = UINT32_MAX;
constexpr int64_t PS_PER_US = 1000000;

/// What the values of a key are.
enum class ValueKind
{
    ANY,           //!< not looked at
    TEXT,          //!< one word
    WHOLE,         //!< one whole number, from Key::min to Key::max
    REAL,          //!< one number, from Key::min to Key::max
    RATE,          //!< one rate with unit
    SECONDS,       //!< one time in s without unit
    MICROSECONDS,  //!< one time in whole us without unit
    NANOSECONDS,   //!< one time in whole ns without unit
    LINK_DOWN,     //!< us, node, node
    THRESHOLDS,    //!< count, then so many times bit/s, KB
    PROBABILITIES, //!< count, then so many times bit/s, probability
};

/// A key.
struct Key
{
    const char* name; //!< as written
    ValueKind kind;   //!< of its values
    double max{0};    //!< largest number
    double min{0};    //!< least number; of a time, above 0: it must not be 0
};

constexpr double ANY_NUMBER = NO_LIMIT;

/// All that the two programs read, or that their files have.
constexpr Key KEYS[] = {
    {"ACK_HIGH_PRIO", ValueKind::WHOLE, 1},
    {"ALPHA_RESUME_INTERVAL", ValueKind::MICROSECONDS},
    {"BUFFER_SIZE", ValueKind::WHOLE, 4095, 1},
    {"CC_MODE", ValueKind::WHOLE, ANY_NUMBER},
    {"CLAMP_TARGET_RATE", ValueKind::WHOLE, 1},
    {"CNP_OUTPUT_FILE", ValueKind::ANY},
    {"CONN_MON_FILE", ValueKind::ANY},
    {"CONWEAVE_DEFAULT_VOQ_WAITING_TIME", ValueKind::MICROSECONDS},
    {"CONWEAVE_EXTRA_VOQ_FLUSH_TIME", ValueKind::MICROSECONDS},
    {"CONWEAVE_PATH_PAUSE_TIME", ValueKind::MICROSECONDS},
    {"CONWEAVE_REPLY_TIMEOUT_EXTRA", ValueKind::MICROSECONDS},
    {"CONWEAVE_TX_EXPIRY_TIME", ValueKind::MICROSECONDS},
    {"DATA_RATE", ValueKind::ANY},
    {"DCTCP_RATE_AI", ValueKind::RATE},
    {"ENABLE_IRN", ValueKind::WHOLE, 1},
    {"ENABLE_PFC", ValueKind::WHOLE, 1},
    {"ENABLE_QCN", ValueKind::WHOLE, 1},
    {"ENABLE_TRACE", ValueKind::ANY},
    {"ERROR_RATE_PER_LINK", ValueKind::REAL, 1},
    {"EST_ERROR_MON_FILE", ValueKind::ANY},
    {"EWMA_GAIN", ValueKind::REAL, 1},
    {"FAST_REACT", ValueKind::WHOLE, 1},
    {"FAST_RECOVERY_TIMES", ValueKind::WHOLE, ANY_NUMBER},
    {"FCT_OUTPUT_FILE", ValueKind::TEXT},
    {"FLOWGEN_START_TIME", ValueKind::SECONDS},
    {"FLOWGEN_STOP_TIME", ValueKind::SECONDS},
    {"FLOW_FILE", ValueKind::TEXT},
    {"FLOW_INPUT_FILE", ValueKind::ANY},
    {"GLOBAL_T", ValueKind::WHOLE, 1},
    {"HAS_WIN", ValueKind::WHOLE, 1},
    {"INT_MULTI", ValueKind::WHOLE, 1000000, 1},
    {"KMAX_MAP", ValueKind::THRESHOLDS},
    {"KMIN_MAP", ValueKind::THRESHOLDS},
    {"L2_ACK_INTERVAL", ValueKind::WHOLE, ANY_NUMBER},
    {"L2_BACK_TO_ZERO", ValueKind::WHOLE, 1},
    {"L2_CHUNK_SIZE", ValueKind::ANY},
    {"LB_MODE", ValueKind::WHOLE, ANY_NUMBER},
    {"LINK_DELAY", ValueKind::ANY},
    {"LINK_DOWN", ValueKind::LINK_DOWN},
    {"LOAD", ValueKind::ANY},
    {"MIN_RATE", ValueKind::RATE},
    {"MI_THRESH", ValueKind::WHOLE, ANY_NUMBER},
    {"MULTI_RATE", ValueKind::WHOLE, 1},
    {"PACKET_PAYLOAD_SIZE", ValueKind::WHOLE, 65535, 1},
    {"PAUSE_TIME", ValueKind::ANY},
    {"PFC_OUTPUT_FILE", ValueKind::TEXT},
    {"PINT_LOG_BASE", ValueKind::ANY},
    {"PINT_PROB", ValueKind::REAL, 1},
    {"PMAX_MAP", ValueKind::PROBABILITIES},
    {"QLEN_MON_END", ValueKind::ANY},
    {"QLEN_MON_FILE", ValueKind::ANY},
    {"QLEN_MON_START", ValueKind::ANY},
    {"RANDOM_SEED", ValueKind::WHOLE, ANY_NUMBER},
    {"RATE_AI", ValueKind::RATE},
    {"RATE_BOUND", ValueKind::WHOLE, 1},
    {"RATE_DECREASE_INTERVAL", ValueKind::MICROSECONDS},
    {"RATE_HAI", ValueKind::RATE},
    {"RP_TIMER", ValueKind::MICROSECONDS},
    {"SAMPLE_FEEDBACK", ValueKind::WHOLE, 1},
    {"SIMULATOR_STOP_TIME", ValueKind::SECONDS, 0, 1},
    {"SW_MONITORING_INTERVAL", ValueKind::NANOSECONDS, 0, 1},
    {"TOPOLOGY_FILE", ValueKind::TEXT},
    {"TRACE_FILE", ValueKind::ANY},
    {"TRACE_OUTPUT_FILE", ValueKind::ANY},
    {"UPLINK_MON_FILE", ValueKind::ANY},
    {"USE_DYNAMIC_PFC_THRESHOLD", ValueKind::WHOLE, 1},
    {"U_TARGET", ValueKind::REAL, 10, 0.01},
    {"VAR_WIN", ValueKind::WHOLE, 1},
    {"VOQ_MON_DETAIL_FILE", ValueKind::ANY},
    {"VOQ_MON_FILE", ValueKind::ANY},
};

/// @return a key, null for an unknown one
const Key*
FindKey(const std::string& name)
{
    const auto* found = std::find_if(std::begin(KEYS), std::end(KEYS), [&](const Key& k) {
        return name == k.name;
    });
    return found == std::end(KEYS) ? nullptr : found;
}

/// @return a whole number without the `.0` that a Python script may have written behind it
std::string
CutZeros(const std::string& text)
{
    const std::size_t point = text.find('.');
    const bool whole = point != std::string::npos && point > 0 && point + 1 < text.size() &&
                       text.find_first_not_of('0', point + 1) == std::string::npos;
    return whole ? text.substr(0, point) : text;
}

/// @return a time in ps that is a whole number of units of @p unitPs, written without unit
int64_t
ReadWholeTime(const std::string& text,
              const std::string& unit,
              int64_t unitPs,
              const std::string& where)
{
    const uint64_t most = INT64_MAX / static_cast<uint64_t>(unitPs);
    try
    {
        return static_cast<int64_t>(ParseFabricUint(CutZeros(text), where, 0, most)) * unitPs;
    }
    catch (const FabricError&)
    {
        throw FabricError(where + ": " + QuoteFabricText(text) + " is not a whole number of " +
                          unit);
    }
}

/// @return a time in ps that is written as a number of seconds without unit
int64_t
ReadSeconds(const std::string& text, const std::string& where)
{
    if (text.empty() || std::isdigit(static_cast<unsigned char>(text.back())) == 0)
    {
        throw FabricError(where + ": " + QuoteFabricText(text) +
                          " is not a number of seconds; write it without unit, such as 4.00");
    }
    return ParseFabricSecondsPs(text, where);
}

/// @return a rate in bit/s
uint64_t
ReadRate(const std::string& text, const std::string& where)
{
    const std::size_t unit = text.find_first_not_of("0123456789.");
    if (unit == std::string::npos)
    {
        throw FabricError(where + ": " + QuoteFabricText(text) +
                          " has no unit; write a rate such as 50Mb/s");
    }
    return ParseFabricRateBps(text, where);
}

} // namespace

HpccConfigFile::HpccConfigFile(const std::string& path)
    : m_path(path)
{
    FabricTextReader reader(path, '{');
    while (reader.Next())
    {
        const std::vector<std::string>& fields = reader.GetFields();
        const std::string& name = fields[0];
        if (name[0] == '#')
        {
            continue;
        }
        if (!FindKey(name))
        {
            reader.Refuse("unknown key " + QuoteFabricText(name) + "; the nearest known one is " +
                          FindNearestFabricName(name, ListKeys()));
        }
        if (Has(name))
        {
            reader.Refuse(name + " was already given at " + GetPlace(name));
        }
        Entry& entry = m_entries[name];
        entry.place = reader.GetPlace();
        entry.values.assign(fields.begin() + 1,
                            std::find_if(fields.begin() + 1, fields.end(), [](const auto& field) {
                                return field[0] == '#';
                            }));
        Check(name);
    }
    if (m_entries.empty())
    {
        reader.Refuse("the file has no key; expected lines such as 'CC_MODE 3'");
    }
}

void
HpccConfigFile::Refuse(const std::string& key, const FabricText& message) const
{
    throw FabricError(Where(key) + ": " + message);
}

void
HpccConfigFile::Check(const std::string& key) const
{
    const std::vector<std::string>& values = m_entries.at(key).values;
    const ValueKind kind = FindKey(key)->kind;
    if (values.empty())
    {
        Refuse(key, "has no value");
    }
    const bool isList = kind == ValueKind::ANY || kind == ValueKind::LINK_DOWN ||
                        kind == ValueKind::THRESHOLDS || kind == ValueKind::PROBABILITIES;
    if (!isList && values.size() > 1)
    {
        Refuse(key, "takes one value, found " + std::to_string(values.size()));
    }
    switch (kind)
    {
    case ValueKind::WHOLE:
        GetUint(key);
        break;
    case ValueKind::REAL:
        GetDouble(key);
        break;
    case ValueKind::RATE:
        GetRateBps(key);
        break;
    case ValueKind::SECONDS:
    case ValueKind::MICROSECONDS:
    case ValueKind::NANOSECONDS:
        if (GetTimePs(key) == 0 && FindKey(key)->min > 0)
        {
            Refuse(key, "must be above 0");
        }
        break;
    case ValueKind::LINK_DOWN:
        GetLinkDown();
        break;
    case ValueKind::THRESHOLDS:
        GetThresholds(key);
        break;
    case ValueKind::PROBABILITIES:
        GetProbabilities();
        break;
    case ValueKind::ANY:
    case ValueKind::TEXT:
        break;
    }
}

uint64_t
HpccConfigFile::GetUint(const std::string& key) const
{
    return ParseFabricUint(CutZeros(GetText(key)),
                           Where(key),
                           static_cast<uint64_t>(FindKey(key)->min),
                           static_cast<uint64_t>(FindKey(key)->max));
}

double
HpccConfigFile::GetDouble(const std::string& key) const
{
    return ParseFabricDouble(GetText(key), Where(key), FindKey(key)->min, FindKey(key)->max);
}

uint64_t
HpccConfigFile::GetRateBps(const std::string& key) const
{
    return ReadRate(GetText(key), Where(key));
}

int64_t
HpccConfigFile::GetTimePs(const std::string& key) const
{
    switch (FindKey(key)->kind)
    {
    case ValueKind::SECONDS:
        return ReadSeconds(GetText(key), Where(key));
    case ValueKind::MICROSECONDS:
        return ReadWholeTime(GetText(key), "us", PS_PER_US, Where(key));
    default:
        return ReadWholeTime(GetText(key), "ns", PS_PER_US / 1000, Where(key));
    }
}

HpccConfigFile::LinkDown
HpccConfigFile::GetLinkDown() const
{
    const std::string key = "LINK_DOWN";
    const std::vector<std::string>& values = m_entries.at(key).values;
    if (values.size() != 3)
    {
        Refuse(key,
               "expected 'time_us node node', found " + FormatFabricCount(values.size(), "value"));
    }
    const auto node = [&](std::size_t i) {
        return static_cast<uint32_t>(
            ParseFabricUint(values[i], Where(key) + ": node", 0, FabricGraph::MAX_NODES - 1));
    };
    const LinkDown down{ReadWholeTime(values[0], "us", PS_PER_US, Where(key)), node(1), node(2)};
    if (down.timePs > 0 && down.a == down.b)
    {
        Refuse(key, "a link joins two nodes, found " + values[1] + " twice");
    }
    return down;
}

std::vector<std::pair<uint64_t, std::string>>
HpccConfigFile::ReadMap(const std::string& key) const
{
    const std::vector<std::string>& values = m_entries.at(key).values;
    const uint64_t count =
        ParseFabricUint(values[0], Where(key) + ": number of pairs", 1, NO_LIMIT);
    if (values.size() < 2 * count + 1)
    {
        Refuse(key,
               "promises " + FormatFabricCount(count, "pair of a rate and a value") + ", but " +
                   FormatFabricCount(values.size() - 1, "value follows", "values follow"));
    }
    std::vector<std::pair<uint64_t, std::string>> pairs;
    for (std::size_t i = 1; i <= 2 * count; i += 2)
    {
        const uint64_t rateBps = ParseFabricUint(values[i], Where(key) + ": rate in bit/s", 1);
        for (const auto& pair : pairs)
        {
            if (pair.first == rateBps)
            {
                Refuse(key, "names the rate " + values[i] + " twice");
            }
        }
        pairs.emplace_back(rateBps, values[i + 1]);
    }
    return pairs;
}

bool
HpccConfigFile::HasSurplus(const std::string& key) const
{
    return m_entries.at(key).values.size() > 2 * ReadMap(key).size() + 1;
}

HpccConfigFile::RateMap<uint64_t>
HpccConfigFile::GetThresholds(const std::string& key) const
{
    RateMap<uint64_t> thresholds;
    for (const auto& [rateBps, text] : ReadMap(key))
    {
        thresholds[rateBps] =
            ParseFabricUint(CutZeros(text), Where(key) + ": threshold in KB", 0, NO_LIMIT) *
            BYTES_PER_KB;
    }
    return thresholds;
}

HpccConfigFile::RateMap<double>
HpccConfigFile::GetProbabilities() const
{
    const std::string key = "PMAX_MAP";
    RateMap<double> probabilities;
    for (const auto& [rateBps, text] : ReadMap(key))
    {
        probabilities[rateBps] = ParseFabricDouble(text, Where(key) + ": probability", 0, 1);
    }
    return probabilities;
}

std::vector<std::string>
HpccConfigFile::ListKeys()
{
    std::vector<std::string> names;
    for (const Key& key : KEYS)
    {
        names.emplace_back(key.name);
    }
    return names;
}

} // namespace ns3
