// SPDX-License-Identifier: GPL-2.0-only
#include "shared-buffer.h"

#include "fabric-switch.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SharedBuffer);

namespace
{

/// What all ports and classes together want may be more than 64 bits hold.
using WideBytes = __uint128_t;

/// @return a number of bytes in words
std::string
FormatWideBytes(WideBytes bytes)
{
    std::string text;
    for (; bytes > 9; bytes /= 10)
    {
        text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(bytes % 10)));
    }
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(bytes)));
    return text + " bytes";
}

} // namespace

TypeId
SharedBuffer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SharedBuffer")
            .SetParent<SwitchBuffer>()
            .SetGroupName("Dcfabric")
            .AddConstructor<SharedBuffer>()
            .AddAttribute("Size",
                          "Bytes of packet memory.",
                          UintegerValue(32 * 1024 * 1024),
                          MakeUintegerAccessor(&SharedBuffer::m_size),
                          MakeUintegerChecker<uint64_t>(1, AttributeRange::MAX_BYTES))
            .AddAttribute("Alpha",
                          "An ingress queue of a lossless class may hold Alpha x free pool.",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&SharedBuffer::m_alpha),
                          MakePositiveDoubleChecker(1e9))
            .AddAttribute("EgressAlpha",
                          "An egress queue of a lossy class may hold EgressAlpha x free pool.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&SharedBuffer::m_egressAlpha),
                          MakeDoubleChecker<double>(0, 1e9))
            .AddAttribute(
                "XoffThreshold",
                "Fixed bytes that an ingress queue of a lossless class may hold; 0 for the "
                "dynamic threshold.",
                UintegerValue(0),
                MakeUintegerAccessor(&SharedBuffer::m_xoffThreshold),
                MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("PortReserve",
                          "Bytes that each port and class in use has to itself.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&SharedBuffer::m_portReserve),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("ResumeOffset",
                          "Bytes below the threshold at which a paused peer is resumed.",
                          UintegerValue(3072),
                          MakeUintegerAccessor(&SharedBuffer::m_resumeOffset),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("AdmissionJitter",
                          "Bytes of the free pool of which each packet of a lossy class does not "
                          "see a random part, against phase effects; 0: none.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SharedBuffer::m_admissionJitter),
                          MakeUintegerChecker<uint32_t>(0, 1U << 30))
            .AddAttribute("Threshold",
                          "Class of what limits queues in place of Alpha and EgressAlpha alone, "
                          "such as ns3::AbmThreshold or ns3::ReverieThreshold; "
                          "ns3::BufferThreshold: nothing.",
                          TypeIdValue(BufferThreshold::GetTypeId()),
                          MakeTypeIdAccessor(&SharedBuffer::SetThresholdType,
                                             &SharedBuffer::GetThresholdType),
                          MakeTypeIdChecker());
    return tid;
}

void
SharedBuffer::SetThresholdType(TypeId type)
{
    if (type != BufferThreshold::GetTypeId() &&
        (!type.IsChildOf(BufferThreshold::GetTypeId()) || !type.HasConstructor()))
    {
        throw FabricError(FabricTerm::Attribute("ns3::SharedBuffer", "Threshold"),
                          ": " + FabricTerm::Class(type) + " does not limit queues",
                          {FabricRemedy::Use(FabricTerm::Class("ns3::AbmThreshold")),
                           FabricRemedy::Use(FabricTerm::Class("ns3::ReverieThreshold"))});
    }
    m_thresholdType = type;
}

TypeId
SharedBuffer::GetThresholdType() const
{
    return m_thresholdType;
}

void
SharedBuffer::Attach(FabricSwitch* owner)
{
    m_owner = owner;
}

int64_t
SharedBuffer::AssignStreams(int64_t stream)
{
    m_random = CreateObject<UniformRandomVariable>();
    m_random->SetStream(stream);
    return 1;
}

uint64_t
SharedBuffer::DrawHidden()
{
    if (!m_random)
    {
        m_random = CreateObject<UniformRandomVariable>();
    }
    return m_random->GetInteger(0, m_admissionJitter);
}

void
SharedBuffer::Configure(const std::vector<uint64_t>& headroomBytes,
                        uint8_t losslessClasses,
                        uint8_t usedClasses)
{
    m_reserve = m_portReserve; // what is charged with one must be released with the same
    m_lossless = losslessClasses;
    m_used = usedClasses;
    m_headroom = headroomBytes;
    m_queues.assign(headroomBytes.size() * 8, {});
    const auto classes = static_cast<uint64_t>(__builtin_popcount(usedClasses));
    const auto lossless = static_cast<uint64_t>(__builtin_popcount(usedClasses & losslessClasses));
    WideBytes headroom = 0;
    for (const auto bytes : headroomBytes)
    {
        headroom += WideBytes{bytes} * lossless;
    }
    const WideBytes reserve = WideBytes{m_reserve} * classes * headroomBytes.size();
    if (headroom + reserve >= m_size)
    {
        throw FabricError(FabricTerm::Attribute("ns3::SharedBuffer", "Size"),
                          ": " + std::to_string(m_size) + " bytes cannot hold the headroom of " +
                              FormatWideBytes(headroom) + " and the reserve of " +
                              FormatWideBytes(reserve) + " of " +
                              std::to_string(headroomBytes.size()) + " ports",
                          {FabricRemedy::Do("set a larger Size"),
                           FabricRemedy::Do("set a smaller PortReserve"),
                           FabricRemedy::Use("fewer classes"),
                           FabricRemedy::Use("lower rates"),
                           FabricRemedy::Use("shorter links")});
    }
    m_poolBytes = static_cast<uint64_t>(m_size - headroom - reserve);
    if (m_xoffThreshold > 0 && m_xoffThreshold < m_reserve)
    {
        throw FabricError(FabricTerm::Attribute("ns3::SharedBuffer", "XoffThreshold"),
                          ": " + std::to_string(m_xoffThreshold) + " bytes are less than the " +
                              std::to_string(m_reserve) + " bytes of " +
                              FabricTerm::Attribute("ns3::SharedBuffer", "PortReserve") +
                              ", which a queue may always fill",
                          {FabricRemedy::Do("set a smaller PortReserve")});
    }
    if (m_xoffThreshold > 0 && m_xoffThreshold > m_poolBytes + m_reserve)
    {
        throw FabricError(FabricTerm::Attribute("ns3::SharedBuffer", "XoffThreshold"),
                          ": " + std::to_string(m_xoffThreshold) +
                              " bytes exceed the shared pool of " + std::to_string(m_poolBytes) +
                              " bytes",
                          {FabricRemedy::Do("set a larger Size")});
    }
    ConfigureThreshold();
}

void
SharedBuffer::ConfigureThreshold()
{
    m_threshold = nullptr;
    if (m_thresholdType == BufferThreshold::GetTypeId())
    {
        return;
    }
    if (m_xoffThreshold > 0)
    {
        throw FabricError(
            FabricTerm::Attribute("ns3::SharedBuffer", "XoffThreshold"),
            " fixes what a queue may hold, but " + FabricTerm::Class(m_thresholdType) +
                " chooses it",
            {FabricRemedy::Do("set it to 0"), FabricRemedy::Do("leave out one of them")});
    }
    ObjectFactory factory;
    factory.SetTypeId(m_thresholdType);
    m_threshold = factory.Create<BufferThreshold>();
    m_threshold->Configure(m_headroom.size());
    m_egressBytes.assign(m_headroom.size() * 8, 0);
}

BufferThreshold::Queue
SharedBuffer::FindQueue(uint16_t ingress, uint16_t egress, uint8_t priority) const
{
    BufferThreshold::Queue queue;
    const bool isLossless = IsLossless(priority);
    queue.port = isLossless ? ingress : egress;
    queue.priority = priority;
    queue.bytes = isLossless ? Get(ingress, priority).bytes
                             : m_egressBytes[priority * m_headroom.size() + egress];
    queue.reserve = isLossless ? m_reserve : 0;
    queue.alpha = isLossless ? m_alpha : m_egressAlpha;
    if (m_owner)
    {
        queue.nowPs = m_owner->GetNowPs();
        queue.rateBps = m_owner->GetPort(queue.port)->GetRateBps();
    }
    return queue;
}

SharedBuffer::Verdict
SharedBuffer::AdmitByThreshold(const Arrival& arrival)
{
    BufferThreshold::Queue queue = FindQueue(arrival.ingress, arrival.egress, arrival.priority);
    m_threshold->OnArrival(queue, arrival.bytes);
    const Verdict verdict =
        Place(arrival.ingress, arrival.priority, arrival.bytes, [&](uint64_t used) {
            return m_threshold->Admits(queue, arrival.bytes, arrival.flags, m_poolBytes - used);
        });
    if (verdict == ADMITTED)
    {
        if (!IsLossless(arrival.priority))
        {
            m_egressBytes[arrival.priority * m_headroom.size() + arrival.egress] += arrival.bytes;
        }
        queue.bytes += arrival.bytes;
        m_threshold->OnChange(queue, 0);
    }
    return verdict;
}

bool
SharedBuffer::ReleaseByThreshold(uint16_t ingress,
                                 uint16_t egress,
                                 uint8_t priority,
                                 uint32_t bytes)
{
    IngressQueue& room = Get(ingress, priority);
    const bool mayResume = TakeOut(room, bytes);
    if (!IsLossless(priority))
    {
        m_egressBytes[priority * m_headroom.size() + egress] -= bytes;
    }
    const BufferThreshold::Queue queue = FindQueue(ingress, egress, priority);
    m_threshold->OnChange(queue, bytes);
    if (!mayResume || (room.bytes > m_reserve &&
                       !m_threshold->Resumes(queue, m_resumeOffset, m_poolBytes - m_poolUsed)))
    {
        return false;
    }
    room.congested = false;
    return true;
}

uint64_t
SharedBuffer::Threshold() const
{
    if (m_xoffThreshold > 0)
    {
        return m_xoffThreshold;
    }
    constexpr double NO_LIMIT = 0x1p62; // what a very large Alpha means; fits the integer
    const double share = m_alpha * static_cast<double>(m_poolBytes - m_poolUsed);
    return m_reserve + static_cast<uint64_t>(std::min(share, NO_LIMIT));
}

uint64_t
SharedBuffer::GetInputBytes(uint16_t ingress, uint16_t /* egress */, uint8_t priority) const
{
    return GetIngressBytes(ingress, priority) + GetHeadroomUsed(ingress, priority);
}

uint64_t
SharedBuffer::GetIngressBytes(uint16_t port, uint8_t priority) const
{
    return Get(port, priority).bytes;
}

uint64_t
SharedBuffer::GetHeadroomUsed(uint16_t port, uint8_t priority) const
{
    return Get(port, priority).headroom;
}

uint64_t
SharedBuffer::GetThreshold(uint16_t /* port */, uint8_t /* priority */) const
{
    return Threshold();
}

} // namespace ns3
