// SPDX-License-Identifier: GPL-2.0-only
#include "parse-units.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <locale>
#include <sstream>

namespace ns3
{

namespace
{

/// A unit: its spelling and how many of the base unit it is, as a fraction.
struct Unit
{
    const char* name;     //!< spelling
    uint64_t numerator;   //!< base units per unit ...
    uint64_t denominator; //!< ... divided by this
};

constexpr uint64_t K = 1000;              //!< decimal thousand
constexpr uint64_t KI = 1024;             //!< binary thousand
constexpr uint64_t MAX_VALUE = INT64_MAX; //!< everything must fit a signed 64-bit number

/// Sizes in bytes.
constexpr Unit SIZE_UNITS[] = {
    {"", 1, 1},
    {"B", 1, 1},
    {"kB", K, 1},
    {"KB", K, 1},
    {"MB", K* K, 1},
    {"GB", K* K* K, 1},
    {"KiB", KI, 1},
    {"MiB", KI* KI, 1},
    {"GiB", KI* KI* KI, 1},
};

/// Times in ps.
constexpr Unit TIME_UNITS[] = {
    {"s", K* K* K* K, 1},
    {"ms", K* K* K, 1},
    {"us", K* K, 1},
    {"ns", K, 1},
    {"ps", 1, 1},
    {"fs", 1, K},
    {"min", 60 * K* K* K* K, 1},
    {"h", 3600 * K* K* K* K, 1},
};

/// Rates in bit/s.
constexpr Unit RATE_UNITS[] = {
    {"bps", 1, 1},
    {"b/s", 1, 1},
    {"Bps", 8, 1},
    {"B/s", 8, 1},
    {"kbps", K, 1},
    {"kb/s", K, 1},
    {"Kbps", K, 1},
    {"Kb/s", K, 1},
    {"kBps", 8 * K, 1},
    {"kB/s", 8 * K, 1},
    {"KBps", 8 * K, 1},
    {"KB/s", 8 * K, 1},
    {"Kib/s", KI, 1},
    {"KiB/s", 8 * KI, 1},
    {"Mbps", K* K, 1},
    {"Mb/s", K* K, 1},
    {"MBps", 8 * K* K, 1},
    {"MB/s", 8 * K* K, 1},
    {"Mib/s", KI* KI, 1},
    {"MiB/s", 8 * KI* KI, 1},
    {"Gbps", K* K* K, 1},
    {"Gb/s", K* K* K, 1},
    {"GBps", 8 * K* K* K, 1},
    {"GB/s", 8 * K* K* K, 1},
    {"Gib/s", KI* KI* KI, 1},
    {"GiB/s", 8 * KI* KI* KI, 1},
    {"Tbps", K* K* K* K, 1},
    {"Tb/s", K* K* K* K, 1},
};

bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// An unsigned decimal number: mantissa x 10^exponent, and where its text ends.
struct Decimal
{
    __uint128_t mantissa{0}; //!< below 10^20
    int exponent{0};         //!< power of ten
    size_t end{0};           //!< first character after the number; 0 if there is no number
};

/// @return the number with which a text begins; digits after the 20th cannot change a result of 19
/// digits and are dropped
Decimal
ReadDecimal(const std::string& text)
{
    constexpr int MAX_DIGITS = 20;
    constexpr int MAX_EXPONENT = 1000;
    Decimal d;
    size_t i = 0;
    int kept = 0;
    bool any = false;
    bool point = false;
    for (; i < text.size(); i++)
    {
        if (text[i] == '.' && !point)
        {
            point = true;
            continue;
        }
        if (!IsDigit(text[i]))
        {
            break;
        }
        any = true;
        if (kept < MAX_DIGITS)
        {
            d.mantissa = d.mantissa * 10 + static_cast<unsigned>(text[i] - '0');
            kept += d.mantissa > 0 ? 1 : 0;
            d.exponent -= point ? 1 : 0;
        }
        else if (!point && d.exponent < MAX_EXPONENT)
        {
            d.exponent++;
        }
    }
    if (!any)
    {
        return d;
    }
    d.end = i;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E'))
    {
        size_t j = i + 1;
        const bool minus = j < text.size() && text[j] == '-';
        j += j < text.size() && (text[j] == '-' || text[j] == '+') ? 1 : 0;
        int e = 0;
        const size_t first = j;
        for (; j < text.size() && IsDigit(text[j]); j++)
        {
            e = e < MAX_EXPONENT ? e * 10 + (text[j] - '0') : e;
        }
        if (j > first)
        {
            d.exponent += minus ? -e : e;
            d.end = j;
        }
    }
    return d;
}

/**
 * @param d a number
 * @param unit what it counts
 * @param result the number in base units, rounded half up
 * @return false if the result is beyond MAX_VALUE
 */
bool
Scale(const Decimal& d, const Unit& unit, uint64_t& result)
{
    // Neither grows beyond 10^38: value stays below 10^20 x 3.6e15, divisor below 20 times that.
    __uint128_t value = d.mantissa * unit.numerator;
    __uint128_t divisor = unit.denominator;
    for (int e = d.exponent; e > 0 && value > 0; e--)
    {
        if (value > static_cast<__uint128_t>(MAX_VALUE) * divisor)
        {
            return false;
        }
        value *= 10;
    }
    for (int e = d.exponent; e < 0; e++)
    {
        if (divisor > 2 * value)
        {
            result = 0; // less than one half
            return true;
        }
        divisor *= 10;
    }
    value = (value + divisor / 2) / divisor;
    result = static_cast<uint64_t>(value);
    return value <= MAX_VALUE;
}

/**
 * @param text a number and its unit
 * @param where place for messages
 * @param kind what it is, with an article
 * @param example how it should look
 * @param usual unit to suggest for a number without one
 * @param units known units
 * @return the value in base units
 */
template <std::size_t N>
uint64_t
ParseQuantity(const std::string& text,
              const FabricText& where,
              const char* kind,
              const char* example,
              const char* usual,
              const Unit (&units)[N])
{
    const Decimal d = ReadDecimal(text);
    // "100 us" as papers write it
    const size_t begin = std::min(text.find_first_not_of(' ', d.end), text.size());
    for (const Unit& unit : units)
    {
        if (d.end > 0 && text.compare(begin, std::string::npos, unit.name) == 0 &&
            (*unit.name != '\0' || begin == d.end))
        {
            uint64_t result = 0;
            if (!Scale(d, unit, result))
            {
                throw FabricError(where + ": " + QuoteFabricText(text) + " is too large for " +
                                  kind);
            }
            return result;
        }
    }
    if (d.end > 0 && d.end == text.size())
    {
        throw FabricError(where + ": " + QuoteFabricText(text) + " has no unit; " + kind +
                          " is written like " + QuoteFabricText(text + usual));
    }
    throw FabricError(where + ": " + QuoteFabricText(text) + " is not " + kind +
                      "; write it like " + example);
}

/// What bytes that are no UTF-8 stand for.
constexpr uint32_t NO_CODE = UINT32_MAX;

/// @return the character at @p first and its length in bytes, NO_CODE if it is not encoded in UTF-8
uint32_t
ReadCodePoint(const std::string& text, size_t first, size_t& length)
{
    const auto byte = [&text](size_t i) { return static_cast<unsigned char>(text[i]); };
    length = 1;
    if (byte(first) < 0x80)
    {
        return byte(first);
    }
    const size_t wanted = byte(first) >= 0xf0   ? 4
                          : byte(first) >= 0xe0 ? 3
                          : byte(first) >= 0xc2 ? 2
                                                : 1;
    if (wanted == 1 || first + wanted > text.size() || byte(first) > 0xf4)
    {
        return NO_CODE;
    }
    uint32_t code = byte(first) & (0x7f >> wanted);
    for (size_t i = first + 1; i < first + wanted; i++)
    {
        if ((byte(i) & 0xc0) != 0x80)
        {
            return NO_CODE;
        }
        code = code << 6 | (byte(i) & 0x3f);
    }
    length = wanted;
    return code;
}

/// @return true if nobody sees a character: a control character, a space other than the usual one,
/// a mark without width
bool
IsInvisible(uint32_t code)
{
    constexpr uint32_t RANGES[][2] = {{0x00, 0x1f},
                                      {0x7f, 0xa0},
                                      {0xad, 0xad},
                                      {0x1680, 0x1680},
                                      {0x180e, 0x180e},
                                      {0x2000, 0x200f},
                                      {0x2028, 0x202f},
                                      {0x205f, 0x206f},
                                      {0x3000, 0x3000},
                                      {0xfe00, 0xfe0f},
                                      {0xfeff, 0xfeff},
                                      {0xfff9, 0xfffb}};
    return std::any_of(std::begin(RANGES), std::end(RANGES), [code](const auto& range) {
        return code >= range[0] && code <= range[1];
    });
}

/// @return what is shown in place of the character at @p first, which may be none (NO_CODE)
std::string
EscapeCode(const std::string& text, size_t first, uint32_t code)
{
    switch (code)
    {
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        break;
    }
    char escaped[12];
    std::snprintf(escaped,
                  sizeof(escaped),
                  code < 0x80 || code == NO_CODE ? "\\x%02x" : "\\u%04x",
                  code == NO_CODE ? static_cast<unsigned char>(text[first]) : code & 0xffff);
    return escaped;
}

} // namespace

uint64_t
ParseFabricUint(const std::string& text, const FabricText& where, uint64_t min, uint64_t max)
{
    bool good = !text.empty();
    uint64_t value = 0;
    for (auto c : text)
    {
        const auto digit = static_cast<uint64_t>(c - '0');
        if (!IsDigit(c) || value > (UINT64_MAX - digit) / 10)
        {
            good = false;
            break;
        }
        value = value * 10 + digit;
    }
    if (!good || value < min || value > max)
    {
        std::string range = max == UINT64_MAX
                                ? "of at least " + std::to_string(min)
                                : "from " + std::to_string(min) + " to " + std::to_string(max);
        throw FabricError(where + ": " + QuoteFabricText(text) + " is not a whole number " + range);
    }
    return value;
}

double
ParseFabricDouble(const std::string& text, const FabricText& where, double min, double max)
{
    double value = 0;
    // The character set keeps out nan, inf and hexadecimal; the classic locale keeps the point a
    // point.
    bool good = !text.empty() && text.find_first_not_of("+-.0123456789eE") == std::string::npos;
    if (good)
    {
        std::istringstream in(text);
        in.imbue(std::locale::classic());
        good = static_cast<bool>(in >> value) && in.eof() && std::isfinite(value);
    }
    if (!good || value < min || value > max)
    {
        std::ostringstream range;
        range.imbue(std::locale::classic());
        range << "from " << min << " to " << max;
        throw FabricError(where + ": " + QuoteFabricText(text) + " is not a number " + range.str());
    }
    return value;
}

uint64_t
ParseFabricSize(const std::string& text, const FabricText& where)
{
    return ParseQuantity(text, where, "a size", "2MB or 64KiB", "B", SIZE_UNITS);
}

int64_t
ParseFabricTimePs(const std::string& text, const FabricText& where)
{
    const Decimal bare = ReadDecimal(text);
    if (bare.end > 0 && bare.end == text.size() && bare.mantissa == 0)
    {
        return 0; // in any unit
    }
    return static_cast<int64_t>(
        ParseQuantity(text, where, "a time", "1.5us or 1000ns", "us", TIME_UNITS));
}

int64_t
ParseFabricSecondsPs(const std::string& text, const FabricText& where)
{
    constexpr Unit SECONDS[] = {{"", K * K * K * K, 1}};
    return static_cast<int64_t>(
        ParseQuantity(text, where, "a time in seconds", "2.000001", "", SECONDS));
}

uint64_t
ParseFabricRateBps(const std::string& text, const FabricText& where)
{
    return ParseQuantity(text, where, "a rate", "100Gbps", "Gbps", RATE_UNITS);
}

std::string
FormatFabricTimePs(int64_t ps)
{
    constexpr const char* UNITS[] = {"ps", "ns", "us", "ms", "s"};
    int64_t scale = 1;
    size_t unit = 0;
    while (unit < 4 && ps != 0 && ps % (scale * 1000) == 0)
    {
        scale *= 1000;
        ++unit;
    }
    return std::to_string(ps / scale) + (ps == 0 ? "s" : UNITS[unit]);
}

std::string
FormatFabricCount(uint64_t count, const std::string& one, const std::string& several)
{
    std::string what = one;
    if (count != 1)
    {
        what = several.empty() ? what.insert(std::min(what.find(' '), what.size()), "s") : several;
    }
    return std::to_string(count) + " " + what;
}

std::vector<std::string>
SplitFabricList(const std::string& text)
{
    std::vector<std::string> items;
    if (text.empty())
    {
        return items;
    }
    size_t begin = 0;
    while (true)
    {
        const size_t comma = text.find(',', begin);
        items.push_back(text.substr(begin, comma - begin));
        if (comma == std::string::npos)
        {
            return items;
        }
        begin = comma + 1;
    }
}

std::string
EscapeFabricText(const std::string& text, size_t most)
{
    std::string shown;
    size_t i = 0;
    while (i < text.size() && i < most)
    {
        size_t length = 1;
        const uint32_t code = ReadCodePoint(text, i, length);
        shown += code == NO_CODE || IsInvisible(code) ? EscapeCode(text, i, code)
                                                      : text.substr(i, length);
        i += length;
    }
    return shown + (i < text.size() ? "..." : "");
}

std::string
QuoteFabricText(const std::string& text)
{
    constexpr size_t MAX_SHOWN = 60;
    return "'" + EscapeFabricText(text, MAX_SHOWN) + "'";
}

} // namespace ns3
