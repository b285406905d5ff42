// SPDX-License-Identifier: GPL-2.0-only
#include "int-format.h"

#include "attribute-range.h"
#include "fabric-error.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IntFormat);

TypeId
IntFormat::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::IntFormat")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddConstructor<IntFormat>()
            .AddAttribute("Exact",
                          "Carry records unpacked: no rounding, no wrap, any link rate.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&IntFormat::m_exact),
                          MakeBooleanChecker())
            .AddAttribute("TimeUnit",
                          "Unit of the 24-bit time stamp, at least 1 ps.",
                          TimeValue(NanoSeconds(1)),
                          MakeTimeAccessor(&IntFormat::SetTimeUnit, &IntFormat::GetTimeUnit),
                          MakeTimeChecker(Seconds(0), MilliSeconds(100))) // times 2^24 fits ps
            .AddAttribute("ByteUnit",
                          "Unit of the 20-bit count of transmitted bytes.",
                          UintegerValue(128),
                          MakeUintegerAccessor(&IntFormat::m_byteUnit),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("QueueUnit",
                          "Unit of the 16-bit queue length in bytes.",
                          UintegerValue(80),
                          MakeUintegerAccessor(&IntFormat::m_queueUnit),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

IntFormat::IntFormat()
    : m_exact(false),
      m_byteUnit(128),
      m_queueUnit(80),
      m_timeUnitPs(1000)
{
}

void
IntFormat::SetTimeUnit(Time unit)
{
    // not GetPicoSeconds(): at a coarse resolution it is still exact, for whole picoseconds
    m_timeUnitPs = unit.GetPicoSeconds();
    if (m_timeUnitPs < 1)
    {
        throw FabricError(FabricTerm::Attribute("ns3::IntFormat", "TimeUnit") +
                          ": must be at least 1 ps");
    }
    m_timeUnit = unit;
}

uint8_t
IntFormat::RateToCode(uint64_t rateBps)
{
    for (size_t code = 1; code < RATE_GBPS.size(); ++code)
    {
        if (RATE_GBPS[code] != 0 && RATE_GBPS[code] * 1000000000 == rateBps)
        {
            return static_cast<uint8_t>(code);
        }
    }
    throw FabricError("packed INT has no code for a link of " + std::to_string(rateBps) +
                      " bit/s (known: 10, 25, 40, 50, 100, 200, 400, 800, 1600 Gb/s); set " +
                      FabricTerm::Attribute("ns3::IntFormat", "Exact", "true") +
                      " to carry unpacked records");
}

int64_t
IntFormat::ShortestWrapPs(uint64_t rateBps) const
{
    if (m_exact)
    {
        return std::numeric_limits<int64_t>::max();
    }
    const double bytesWrapPs = static_cast<double>(uint64_t{m_byteUnit} << BYTES_BITS) * 8e12 /
                               static_cast<double>(rateBps);
    const int64_t timeWrapPs = m_timeUnitPs << TIME_BITS;
    return bytesWrapPs < static_cast<double>(timeWrapPs) ? static_cast<int64_t>(bytesWrapPs)
                                                         : timeWrapPs;
}

} // namespace ns3
