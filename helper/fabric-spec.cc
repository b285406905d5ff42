// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-spec.h"

#include "ns3/closed-wings.h"
#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

/// @return letters to be added, taken away, changed, or swapped with the next one, to make one name
/// of another; upper and lower case are the same
size_t
GetDistance(const std::string& a, const std::string& b)
{
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    // rows of the table of distances between beginnings of a and of b: the last three
    std::vector<size_t> before(b.size() + 1);
    std::vector<size_t> last(b.size() + 1);
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= a.size(); i++)
    {
        before.swap(last);
        last.swap(row);
        row[0] = i;
        for (size_t j = 1; j <= b.size(); j++)
        {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
            {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
    }
    return row[b.size()];
}

} // namespace

FabricSpec::FabricSpec(const std::string& text, const std::string& what)
    : m_text(text),
      m_what(what)
{
    const size_t colon = text.find(':');
    m_name = text.substr(0, colon);
    if (m_name.empty())
    {
        throw FabricError(FabricTerm::Option(what) + ": " + QuoteFabricText(text) +
                          " does not begin with a name");
    }
    if (colon != std::string::npos)
    {
        m_argument = text.substr(colon + 1);
        if (m_argument.empty())
        {
            throw FabricError(FabricTerm::Option(what) + ": nothing follows the colon of " +
                              QuoteFabricText(text));
        }
    }
}

const std::string&
FabricSpec::GetArgument(const std::string& meaning) const
{
    if (m_argument.empty())
    {
        throw FabricError(FabricTerm::Option(m_what) + " " + QuoteFabricText(m_text) + ": write " +
                          m_name + ":" + meaning);
    }
    return m_argument;
}

void
FabricSpec::ExpectKeys(const std::vector<std::string>& known, const Aliases& aliases)
{
    m_values.clear();
    const FabricText where = FabricTerm::Option(m_what) + " " + QuoteFabricText(m_text) + ": ";
    for (const auto& item : SplitFabricList(m_argument))
    {
        if (known.empty())
        {
            throw FabricError(where + m_name + " takes no keys");
        }
        const size_t equals = item.find('=');
        std::string key = item.substr(0, equals);
        const auto alias = std::find_if(aliases.begin(), aliases.end(), [&key](const auto& one) {
            return one.first == key;
        });
        key = alias == aliases.end() ? key : alias->second;
        if (equals == std::string::npos || key.empty() || equals + 1 == item.size())
        {
            throw FabricError(where + QuoteFabricText(item) +
                              " is not key=value; known keys: " + JoinFabricNames(known));
        }
        if (std::find(known.begin(), known.end(), key) == known.end())
        {
            throw FabricError(where + "unknown key " + QuoteFabricText(key) +
                              "; known keys: " + JoinFabricNames(known) + "; the nearest is " +
                              FindNearestFabricName(key, known));
        }
        if (Has(key))
        {
            throw FabricError(where + "key " + QuoteFabricText(key) + " is given twice");
        }
        m_values.emplace_back(key, item.substr(equals + 1));
    }
}

const std::string*
FabricSpec::Find(const std::string& key) const
{
    for (const auto& value : m_values)
    {
        if (value.first == key)
        {
            return &value.second;
        }
    }
    return nullptr;
}

FabricText
FabricSpec::Where(const std::string& key) const
{
    return FabricTerm::Option(m_what) + " " + QuoteFabricText(m_text) + ", key " + key;
}

std::string
FabricSpec::GetString(const std::string& key, const std::string& fallback) const
{
    const std::string* text = Find(key);
    return text ? *text : fallback;
}

uint64_t
FabricSpec::GetUint(const std::string& key, uint64_t fallback, uint64_t min, uint64_t max) const
{
    const std::string* text = Find(key);
    return text ? ParseFabricUint(*text, Where(key), min, max) : fallback;
}

double
FabricSpec::GetDouble(const std::string& key, double fallback, double min, double max) const
{
    const std::string* text = Find(key);
    return text ? ParseFabricDouble(*text, Where(key), min, max) : fallback;
}

int64_t
FabricSpec::GetTimePs(const std::string& key, int64_t fallback, int64_t max) const
{
    const std::string* text = Find(key);
    const int64_t timePs = text ? ParseFabricTimePs(*text, Where(key)) : fallback;
    if (timePs > max)
    {
        throw FabricError(Where(key) + ": the time must be at most " + FormatFabricTimePs(max));
    }
    return timePs;
}

uint64_t
FabricSpec::GetSizeBytes(const std::string& key, uint64_t fallback, uint64_t max) const
{
    const std::string* text = Find(key);
    const uint64_t size = text ? ParseFabricSize(*text, Where(key)) : fallback;
    if (size == 0)
    {
        throw FabricError(Where(key) + ": the size must be at least 1 byte");
    }
    if (size > max)
    {
        throw FabricError(Where(key) + ": the size must be at most " + std::to_string(max) +
                          " bytes");
    }
    return size;
}

std::string
JoinFabricNames(const std::vector<std::string>& names)
{
    std::string joined;
    for (const auto& name : names)
    {
        joined += (joined.empty() ? "" : ", ") + name;
    }
    return joined;
}

std::string
FindNearestFabricName(const std::string& written, const std::vector<std::string>& known)
{
    constexpr std::size_t TAIL = 2; // letters that a missing end of a name counts for, at most
    // what follows the longest known name is in all distances; a word may be as long as a file
    const std::size_t longest =
        std::max_element(known.begin(), known.end(), [](const auto& a, const auto& b) {
            return a.size() < b.size();
        })->size();
    const std::string name = written.substr(0, 2 * longest);
    const auto distance = [&name](const std::string& one) {
        const std::size_t edits = GetDistance(name, one);
        const bool begins = !name.empty() && GetDistance(name, one.substr(0, name.size())) == 0;
        return begins && edits > TAIL ? TAIL : edits;
    };
    return *std::min_element(known.begin(), known.end(), [&distance](auto& a, auto& b) {
        return distance(a) < distance(b);
    });
}

std::string
ListFabricNames(const std::string& name, const std::vector<std::string>& known)
{
    return "known: " + JoinFabricNames(known) + "; the nearest is " +
           FindNearestFabricName(name, known);
}

void
RefuseFabricName(const std::string& name,
                 const std::vector<std::string>& known,
                 const FabricText& what)
{
    RefuseClosedWing(what.Say() + "=" + name, what + " " + QuoteFabricText(name));
    throw FabricError("unknown " + what + " " + QuoteFabricText(name) + "; " +
                      ListFabricNames(name, known));
}

} // namespace ns3
