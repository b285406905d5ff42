// SPDX-License-Identifier: GPL-2.0-only
#include "job-times.h"

#include "ns3/result-file.h"

#include <cstdio>

namespace ns3
{

namespace
{

/// Append a time, if there is one, and a comma.
void
AppendTime(std::string& text, int64_t timePs)
{
    if (timePs >= 0)
    {
        AppendNanoseconds(text, timePs);
    }
    text += ',';
}

/// Append a number. @param digits behind the point
void
AppendReal(std::string& text, double value, int digits)
{
    char written[64];
    std::snprintf(written, sizeof(written), "%.*f", digits, value);
    text += written;
}

} // namespace

void
JobTimes::Append(std::string& text) const
{
    const int64_t timePs = endPs < 0 ? -1 : endPs - startPs;
    AppendTime(text, startPs);
    AppendTime(text, endPs);
    if (busGbyteS > 0)
    {
        AppendReal(text, busGbyteS, 6);
    }
    text += ',';
    AppendTime(text, timePs);
    AppendTime(text, alonePs);
    if (timePs >= 0 && alonePs > 0)
    {
        AppendReal(text, static_cast<double>(timePs) / static_cast<double>(alonePs), 4);
    }
}

} // namespace ns3
