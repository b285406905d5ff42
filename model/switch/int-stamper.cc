// SPDX-License-Identifier: GPL-2.0-only
#include "int-stamper.h"

#include "fabric-switch.h"

#include "ns3/fabric-net-device.h"
#include "ns3/path-selector.h"

namespace ns3
{

void
IntStamper::Start(const FabricSwitch& sw, Ptr<IntFormat> format, const SizeTable& sizes)
{
    m_format = format;
    m_sizes = sizes;
    m_rates.clear();
    m_rateCodes.clear();
    m_pathBits.clear();
    for (uint16_t port = 0; port < sw.GetNPorts(); ++port)
    {
        const uint64_t rate = sw.GetPort(port)->GetRateBps();
        m_rates.push_back(rate);
        m_rateCodes.push_back(format->IsExact() ? 0 : IntFormat::RateToCode(rate));
        m_pathBits.push_back(GetPathBits(sw.GetAddress(), port));
    }
}

uint16_t
IntStamper::GetPathBits(uint32_t address, uint16_t port)
{
    return PathSelector::Mix(address, port) & FabricPacketItem::MAX_PATH_ID;
}

void
IntStamper::Append(FabricPacketItem& item, uint16_t port, const IntSample& sample)
{
    const uint8_t count = item.intCount;
    if (count == FabricPacketItem::MAX_HOPS)
    {
        ++m_overflows;
        return;
    }
    if (m_format->IsExact())
    {
        if (!item.exactInt)
        {
            item.exactInt = std::make_unique<std::array<IntSample, FabricPacketItem::MAX_HOPS>>();
        }
        (*item.exactInt)[count] = sample;
    }
    else
    {
        if (sample.rateBps != m_rates[port])
        {
            m_rateCodes[port] = IntFormat::RateToCode(sample.rateBps);
            m_rates[port] = sample.rateBps;
        }
        item.intRecords[count] = m_format->Pack(sample, m_rateCodes[port]);
    }
    const bool hadHeader = item.flags & FabricPacketItem::FLAG_INT;
    item.size += m_sizes[count + 1] - (hadHeader ? m_sizes[count] : 0);
    item.flags |= FabricPacketItem::FLAG_INT;
    item.intCount = count + 1;
}

void
IntStamper::CheckRate(uint64_t rateBps) const
{
    if (m_format && !m_format->IsExact())
    {
        IntFormat::RateToCode(rateBps);
    }
}

} // namespace ns3
