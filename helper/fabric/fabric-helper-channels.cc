// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief FabricHelper: classes of virtual channels and of trimmed packets.
 */
#include "channel-classes.h"
#include "fabric-helper.h"

#include "ns3/channel-scheduler.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/fabric-error.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

void
FabricHelper::ChooseChannels(const Fabric& fabric)
{
    m_presentChannels.clear();
    const RoutingAlgorithm& algorithm = *fabric.m_algorithm;
    const Ptr<VirtualChannels> channels = algorithm.MakeAnyChannels();
    m_choosesPorts = channels && (channels->GetHooks() & SwitchFeature::CHOOSE_PATH) != 0;
    if (!fabric.m_policyContext.lossless)
    {
        return; // a packet that finds no room is dropped: none waits for another
    }
    const uint8_t asked = algorithm.GetChannels();
    const uint8_t needed = channels ? channels->GetN() : 1;
    ChannelNeeds needs;
    needs.nChannels = asked == 0 ? needed : std::min(asked, needed);
    if (needs.nChannels == 1)
    {
        return;
    }
    needs.dataClass = m_presentDataClass;
    needs.controlClass = m_presentControlClass;
    needs.otherClasses = m_furtherClasses | m_losslessStackClasses;
    needs.takenClasses = m_lossyStackClasses;
    needs.data = algorithm.GetDataClasses();
    needs.control = algorithm.GetControlClasses();
    needs.routing = algorithm.GetInstanceTypeId().GetName();
    m_presentChannels = AssignChannelClasses(needs);
    for (const std::vector<uint8_t>& family : m_presentChannels)
    {
        for (const uint8_t priority : family)
        {
            m_usedClasses |= 1U << priority;
        }
    }
}

void
FabricHelper::ChooseTrimmedClasses()
{
    if (!m_hasTrimmer)
    {
        return;
    }
    if (!IsAttributeChosen(m_trimmer, "Classes"))
    {
        m_trimmer.Set(
            "Classes",
            UintegerValue((1U << m_presentDataClass) | m_furtherClasses | GetControlledClasses()));
    }
    const uint8_t trimmed = m_trimmer.Create<PacketTrimmer>()->GetTrimmedClass();
    if ((m_usedClasses >> trimmed) & 1)
    {
        throw FabricError(FabricTerm::Attribute("ns3::PacketTrimmer", "TrimmedClass"),
                          ": class " + std::to_string(trimmed) +
                              " carries other packets, which would wait with trimmed ones",
                          {FabricRemedy::Use("a class that nothing else uses")});
    }
    m_usedClasses |= 1U << trimmed;
}

uint8_t
FabricHelper::GetControlledClasses() const
{
    return m_hasFlowControl ? 0 : m_needs.classes;
}

uint8_t
FabricHelper::GetChannelMask(uint8_t priority) const
{
    auto mask = static_cast<uint8_t>(1U << priority);
    for (const std::vector<uint8_t>& family : m_presentChannels)
    {
        for (std::size_t i = 1; i < family.size() && family.front() == priority; ++i)
        {
            mask |= 1U << family[i];
        }
    }
    return mask;
}

void
FabricHelper::ConfigureDataChannels(const Ptr<SwitchFeature>& feature) const
{
    const TypeId tid = feature->GetInstanceTypeId();
    const uint8_t mask = GetChannelMask(m_presentDataClass);
    TypeId::AttributeInformation info;
    if (!tid.LookupAttributeByName("DataClass", &info) || (mask & (mask - 1)) == 0)
    {
        return;
    }
    if (!tid.LookupAttributeByName("DataChannels", &info))
    {
        throw FabricError(
            FabricTerm::Class(tid),
            " looks after class " + std::to_string(m_presentDataClass) + " alone, but under " +
                FabricTerm::Class(m_flowControl.GetTypeId()) +
                " the routing of this network has data in virtual channels, which are classes of "
                "their own",
            {FabricRemedy::Do("leave out " + FabricTerm::Class(tid)),
             FabricRemedy::Use(FabricTerm::None("ns3::LinkFlowControl", "flow control"))});
    }
    feature->SetAttribute("DataChannels", UintegerValue(mask));
}

void
FabricHelper::ConfigureChannels(const Ptr<QueueDisc>& disc) const
{
    if (m_presentChannels.empty() || !DynamicCast<CongestionAwareQueueDisc>(disc))
    {
        return;
    }
    UintegerValue marked;
    disc->GetAttribute("MarkedClasses", marked);
    auto mask = static_cast<uint8_t>(marked.Get());
    for (const std::vector<uint8_t>& family : m_presentChannels)
    {
        const uint8_t all = GetChannelMask(family.front());
        mask = (mask >> family.front()) & 1 ? mask | all : mask & ~all;
    }
    disc->SetAttribute("MarkedClasses", UintegerValue(mask));
    PointerValue inner;
    disc->GetAttribute("Scheduler", inner);
    const auto scheduler = CreateObject<ChannelScheduler>();
    if (inner.GetObject())
    {
        scheduler->SetAttribute("Scheduler", inner);
    }
    scheduler->SetClasses(m_presentChannels);
    disc->SetAttribute("Scheduler", PointerValue(scheduler));
}

} // namespace ns3
