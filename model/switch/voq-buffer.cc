// SPDX-License-Identifier: GPL-2.0-only
#include "voq-buffer.h"

#include "fabric-switch.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-time.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(VoqBuffer);

TypeId
VoqBuffer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::VoqBuffer")
            .SetParent<SwitchBuffer>()
            .SetGroupName("Dcfabric")
            .AddConstructor<VoqBuffer>()
            .AddAttribute("QueueBytes",
                          "Bytes that each virtual output queue (input, output, class) holds.",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&VoqBuffer::m_queueBytes),
                          MakeUintegerChecker<uint64_t>(1, AttributeRange::MAX_BYTES))
            .AddAttribute("OutputBytes",
                          "Bytes that each output queue (output, class) holds; at least a packet.",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&VoqBuffer::m_outputBytes),
                          MakeUintegerChecker<uint64_t>(1, AttributeRange::MAX_BYTES))
            .AddAttribute("ResumeOffset",
                          "Bytes below QueueBytes at which a paused peer is resumed.",
                          UintegerValue(3072),
                          MakeUintegerAccessor(&VoqBuffer::m_resumeOffset),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("SpeedUp",
                          "Rate at which a packet crosses the switch over the rate of the fastest "
                          "port (at least 1).",
                          DoubleValue(2),
                          MakeDoubleAccessor(&VoqBuffer::m_speedUp),
                          MakeDoubleChecker<double>(1, 1000))
            .AddAttribute("Arbiter",
                          "Chooses the input that an output serves next; null for "
                          "ns3::RoundRobinVoqArbiter.",
                          PointerValue(),
                          MakePointerAccessor(&VoqBuffer::m_arbiter),
                          MakePointerChecker<VoqArbiter>());
    return tid;
}

VoqBuffer::VoqBuffer() = default;

void
VoqBuffer::Configure(const std::vector<uint64_t>& headroomBytes,
                     uint8_t losslessClasses,
                     uint8_t usedClasses)
{
    // what a packet adds to sums as it comes must be taken off as it goes
    m_capacity = m_queueBytes;
    m_longAbove = m_queueBytes > m_resumeOffset ? m_queueBytes - m_resumeOffset : 0;
    m_lossless = losslessClasses;
    m_used = usedClasses;
    m_headroom = headroomBytes;
    m_nPorts = static_cast<uint16_t>(headroomBytes.size());
    m_nClasses = 0;
    for (uint8_t c = 0; c < 8; ++c)
    {
        m_classIndex[c] = static_cast<uint8_t>(m_nClasses);
        m_nClasses += (usedClasses >> c) & 1;
    }
    m_nWords = (m_nPorts + 63U) / 64;
    const std::size_t nEnds = std::size_t{m_nPorts} * m_nClasses;
    m_queues.clear();
    m_queues.resize(nEnds * m_nPorts);
    m_ingress.assign(nEnds, {});
    m_output.assign(nEnds, 0);
    m_occupied.assign(nEnds * m_nWords, 0);
    m_waitingBytes.assign(m_nPorts, {});
    m_longest.assign(nEnds, 0);
    m_waitingFor.assign(m_nPorts, {});
    m_inputs.assign(m_nPorts, {});
    m_outputs.assign(m_nPorts, {});
    m_holding.assign(m_nPorts, {});
    if (!m_arbiter)
    {
        m_arbiter = CreateObject<RoundRobinVoqArbiter>();
    }
}

bool
VoqBuffer::HoldsPackets() const
{
    return true;
}

void
VoqBuffer::Attach(FabricSwitch* owner)
{
    m_switch = owner;
    uint64_t fastest = 1;
    for (uint16_t port = 0; port < owner->GetNPorts(); ++port)
    {
        fastest = std::max(fastest, owner->GetPort(port)->GetRateBps());
        owner->GetPort(port)->GetQueue().SetWaitingBytes(m_waitingBytes[port].data());
    }
    m_psPerByte = static_cast<double>(FabricTime::PS_PER_BYTE_AT_1_BPS) /
                  (m_speedUp * static_cast<double>(fastest));
}

inline void
VoqBuffer::SetLength(Queue& queue, uint16_t in, uint16_t out, uint8_t priority, uint64_t bytes)
{
    if (std::max(bytes, queue.bytes) > m_longAbove) // below, nothing is told to the peer
    {
        Ingress& ingress = m_ingress[std::size_t{in} * m_nClasses + ClassIndex(priority)];
        ingress.excess += Excess(bytes) - Excess(queue.bytes);
        ingress.nLong += (bytes > m_longAbove ? 1 : 0) - (queue.bytes > m_longAbove ? 1 : 0);
    }
    m_waitingBytes[out][priority] += bytes - queue.bytes;
    Waiting& waiting = m_waitingFor[out];
    const int64_t nowPs = m_switch ? m_switch->GetNowPs() : 0;
    if (nowPs != waiting.sincePs)
    {
        waiting.integral +=
            static_cast<double>(waiting.bytes) * static_cast<double>(nowPs - waiting.sincePs);
        waiting.sincePs = nowPs;
    }
    waiting.bytes += bytes - queue.bytes;
    queue.bytes = bytes;
}

SwitchBuffer::Verdict
VoqBuffer::AdmitArrival(const Arrival& arrival)
{
    if (((m_used >> arrival.priority) & 1) == 0)
    {
        RefuseClass(arrival.priority);
    }
    if (arrival.bytes > m_outputBytes)
    {
        throw FabricError(FabricTerm::Attribute("ns3::VoqBuffer", "OutputBytes"),
                          ": a packet of " + std::to_string(arrival.bytes) +
                              " bytes can never enter an output queue of " +
                              std::to_string(m_outputBytes) + " bytes",
                          {FabricRemedy::Use("a larger one")});
    }
    const uint32_t cls = ClassIndex(arrival.priority);
    Queue& queue = At(arrival.ingress, arrival.egress, cls);
    const uint64_t before = queue.bytes;
    const uint64_t after = before + arrival.bytes;
    Verdict verdict = ADMITTED;
    if (after > m_capacity)
    {
        if (!IsLossless(arrival.priority))
        {
            return {DropReason::ABOVE_THRESHOLD, false};
        }
        Ingress& ingress = m_ingress[std::size_t{arrival.ingress} * m_nClasses + cls];
        if (ingress.excess + Excess(after) - Excess(before) > m_headroom[arrival.ingress])
        {
            return {DropReason::HEADROOM_EXHAUSTED, false};
        }
        ingress.congested = true;
        verdict = ADMITTED_TO_HEADROOM;
    }
    SetLength(queue, arrival.ingress, arrival.egress, arrival.priority, after);
    const std::size_t end = std::size_t{arrival.egress} * m_nClasses + cls;
    m_longest[end] =
        std::max(m_longest[end], m_waitingBytes[arrival.egress][arrival.priority] + m_output[end]);
    Waiting& waiting = m_waitingFor[arrival.egress];
    waiting.longest = std::max(waiting.longest, waiting.bytes + waiting.outputBytes);
    m_usedBytes += arrival.bytes;
    m_maxUsedBytes = std::max(m_maxUsedBytes, m_usedBytes);
    return verdict;
}

bool
VoqBuffer::ReleaseRoom(uint16_t ingress, uint16_t egress, uint8_t priority, uint32_t bytes)
{
    const uint32_t cls = ClassIndex(priority);
    Queue& queue = At(ingress, egress, cls);
    SetLength(queue, ingress, egress, priority, queue.bytes - bytes);
    Ingress& source = m_ingress[std::size_t{ingress} * m_nClasses + cls];
    if (!source.congested || source.excess > 0 || source.nLong > 0)
    {
        return false;
    }
    source.congested = false;
    return true;
}

inline void
VoqBuffer::NoteTaken(const Queue& queue, uint16_t in, uint16_t out, uint32_t cls)
{
    if (queue.packets.empty())
    {
        OccupiedOf(std::size_t{out} * m_nClasses + cls, in) &= ~(uint64_t{1} << (in % 64));
    }
    --m_waitingFor[out].packets;
    --m_held;
}

inline bool
VoqBuffer::MayLeave(uint16_t out, const FabricPacketItem& item)
{
    EgressGate* gate = m_switch->GetPort(out)->GetGate();
    if (gate && !gate->MayPass(item))
    {
        return false;
    }
    if (m_filter && !m_filter->MayPass(out, item))
    {
        m_holding[out].holds = true;
        return false;
    }
    return true;
}

void
VoqBuffer::Hold(Ptr<FabricPacketItem> item, uint16_t egress)
{
    const uint16_t in = item->ingressPort;
    const int64_t nowPs = m_switch->GetNowPs();
    const bool isAlone = m_waitingFor[egress].packets == 0;
    const bool canCross = isAlone && m_outputs[egress].busyUntilPs <= nowPs &&
                          m_inputs[in].busyUntilPs <= nowPs &&
                          OutputOf(egress, *item) + item->bufferBytes <= m_outputBytes;
    if (canCross)
    {
        // it need not wait, and there is nothing to be chosen from
        m_holding[egress].holds = false;
        if (MayLeave(egress, *item))
        {
            m_arbiter->OnServed(egress, in);
            Transfer(std::move(item), in, egress);
            Serve(egress);
            return;
        }
    }
    const uint32_t cls = ClassIndex(item->bufferClass);
    auto& packets = At(in, egress, cls).packets;
    if (packets.full())
    {
        packets.set_capacity(std::max<std::size_t>(4, 2 * packets.capacity()));
    }
    packets.push_back(std::move(item));
    OccupiedOf(std::size_t{egress} * m_nClasses + cls, in) |= uint64_t{1} << (in % 64);
    ++m_waitingFor[egress].packets;
    ++m_held;
    if (!canCross)
    {
        Serve(egress);
    }
    else if (m_holding[egress].holds)
    {
        ArmRetry(egress);
    }
}

void
VoqBuffer::ArmSide(Side& side, uint32_t id)
{
    if (side.armedPs != side.busyUntilPs)
    {
        side.armedPs = side.busyUntilPs;
        m_switch->ArmBufferTimer(id, side.busyUntilPs);
    }
}

bool
VoqBuffer::FindCandidates(uint16_t out, uint32_t cls)
{
    const std::size_t end = std::size_t{out} * m_nClasses + cls;
    const int64_t nowPs = m_switch->GetNowPs();
    m_candidates.clear();
    for (std::size_t word = 0; word < m_nWords; ++word)
    {
        for (uint64_t left = m_occupied[end * m_nWords + word]; left != 0; left &= left - 1)
        {
            const auto in = static_cast<uint16_t>(64 * word + __builtin_ctzll(left));
            const Queue& queue = m_queues[end * m_nPorts + in];
            const FabricPacketItem& first = *queue.packets.front();
            const uint64_t outputBytes = OutputOf(out, first);
            if (outputBytes + first.bufferBytes > m_outputBytes)
            {
                continue;
            }
            if (m_inputs[in].busyUntilPs > nowPs)
            {
                ArmSide(m_inputs[in], in);
                if (outputBytes == 0)
                {
                    continue;
                }
            }
            if (MayLeave(out, first))
            {
                m_candidates.push_back({in, queue.bytes});
            }
        }
    }
    return !m_candidates.empty();
}

void
VoqBuffer::ServeWaiting(uint16_t out)
{
    Side& output = m_outputs[out];
    if (output.busyUntilPs > m_switch->GetNowPs())
    {
        ArmSide(output, m_nPorts + uint32_t{out});
        return;
    }
    m_holding[out].holds = false;
    for (uint32_t cls = m_nClasses; cls-- > 0;)
    {
        if (FindCandidates(out, cls))
        {
            const uint16_t in = m_candidates[m_arbiter->Select(out, m_candidates)].input;
            if (m_inputs[in].busyUntilPs <= m_switch->GetNowPs())
            {
                m_arbiter->OnServed(out, in);
                Queue& queue = At(in, out, cls);
                Ptr<FabricPacketItem> item = std::move(queue.packets.front());
                queue.packets.pop_front();
                NoteTaken(queue, in, out, cls);
                Transfer(std::move(item), in, out);
                Serve(out); // busy now: sees that the next one is looked at in time
                return;
            }
            break;
        }
    }
    if (m_holding[out].holds)
    {
        ArmRetry(out);
    }
}

void
VoqBuffer::ArmRetry(uint16_t out)
{
    Holding& holding = m_holding[out];
    const int64_t nowPs = m_switch->GetNowPs();
    const int64_t retryPs = m_filter->GetRetryPs(out);
    // one that comes too early asks again
    if (retryPs != FabricTime::NEVER && (holding.retryPs <= nowPs || retryPs < holding.retryPs))
    {
        holding.retryPs = retryPs;
        m_switch->ArmBufferTimer(2 * uint32_t{m_nPorts} + out, retryPs);
    }
}

void
VoqBuffer::Transfer(Ptr<FabricPacketItem> item, uint16_t in, uint16_t out)
{
    const uint32_t bytes = item->bufferBytes;
    OutputOf(out, *item) += bytes;
    m_waitingFor[out].outputBytes += bytes;
    const double ps = bytes * m_psPerByte;
    const auto wholePs = static_cast<int64_t>(ps); // rounded up without a call
    const int64_t endPs =
        m_switch->GetNowPs() + wholePs + (static_cast<double>(wholePs) < ps ? 1 : 0);
    m_inputs[in].busyUntilPs = endPs;
    m_inputs[in].next = static_cast<uint16_t>(out + 1);
    m_outputs[out].busyUntilPs = endPs;
    FabricNetDevice& egress = *m_switch->GetPort(out);
    if (EgressGate* gate = egress.GetGate())
    {
        gate->Pass(*item);
    }
    m_switch->Release(*item, out);
    m_switch->PassToEgress(egress, std::move(item));
}

void
VoqBuffer::CancelAdmission(uint32_t bytes)
{
    m_usedBytes -= bytes;
}

std::vector<Ptr<FabricPacketItem>>
VoqBuffer::TakeWaiting(uint16_t egress, uint8_t classes)
{
    std::vector<Ptr<FabricPacketItem>> taken;
    for (uint8_t priority = 0; priority < 8; ++priority)
    {
        if (((m_used & classes) >> priority & 1) == 0)
        {
            continue;
        }
        const uint32_t cls = ClassIndex(priority);
        for (uint16_t in = 0; in < m_nPorts; ++in)
        {
            Queue& queue = At(in, egress, cls);
            while (!queue.packets.empty())
            {
                taken.push_back(std::move(queue.packets.front()));
                queue.packets.pop_front();
                NoteTaken(queue, in, egress, cls);
                taken.back()->nextOutput = FabricPacketItem::UNKNOWN_PORT;
                m_usedBytes -= taken.back()->bufferBytes;
                m_switch->Release(*taken.back(), egress);
            }
        }
    }
    return taken;
}

void
VoqBuffer::OnDeparture(uint16_t egress, uint8_t priority, uint32_t bytes)
{
    m_output[std::size_t{egress} * m_nClasses + ClassIndex(priority)] -= bytes;
    m_waitingFor[egress].outputBytes -= bytes;
    m_usedBytes -= bytes;
    Serve(egress);
}

void
VoqBuffer::OnGateOpen(uint16_t egress)
{
    Serve(egress);
}

void
VoqBuffer::SetFilter(OutputFilter* filter)
{
    m_filter = filter;
}

void
VoqBuffer::HandleTimer(uint32_t id)
{
    if (id >= m_nPorts) // of an output: it is free, or the filter is to be asked again
    {
        Serve(static_cast<uint16_t>((id - m_nPorts) % m_nPorts));
        return;
    }
    Side& input = m_inputs[id];
    const uint16_t begin = input.next;
    for (uint16_t k = 0; k < m_nPorts && input.busyUntilPs <= m_switch->GetNowPs(); ++k)
    {
        Serve(static_cast<uint16_t>((begin + k) % m_nPorts));
    }
    if (input.busyUntilPs > m_switch->GetNowPs())
    {
        ArmSide(input, id); // other outputs may still wait for it
    }
}

uint64_t
VoqBuffer::GetNHeldPackets() const
{
    return m_held;
}

void
VoqBuffer::VisitHeld(uint16_t egress,
                     const std::function<void(const FabricPacketItem&)>& visit) const
{
    const std::size_t first = std::size_t{egress} * m_nClasses * m_nPorts;
    for (std::size_t queue = first; queue < first + std::size_t{m_nClasses} * m_nPorts; ++queue)
    {
        for (const Ptr<FabricPacketItem>& item : m_queues[queue].packets)
        {
            visit(*item);
        }
    }
}

uint64_t
VoqBuffer::GetWaitingBytes(uint16_t egress) const
{
    return m_waitingFor[egress].bytes;
}

uint64_t
VoqBuffer::GetWaitingBytes(uint16_t egress, uint8_t priority) const
{
    return m_waitingBytes[egress][priority];
}

uint64_t
VoqBuffer::GetMaxQueueBytes(uint16_t egress, uint8_t priority) const
{
    return ((m_used >> priority) & 1) == 0
               ? 0
               : m_longest[std::size_t{egress} * m_nClasses + ClassIndex(priority)];
}

uint64_t
VoqBuffer::GetMaxPortBytes(uint16_t egress) const
{
    return m_waitingFor[egress].longest;
}

double
VoqBuffer::GetMeanWaitingBytes(uint16_t egress, int64_t nowPs) const
{
    const Waiting& waiting = m_waitingFor[egress];
    const double sinceChange =
        static_cast<double>(waiting.bytes) * static_cast<double>(nowPs - waiting.sincePs);
    return nowPs > 0 ? (waiting.integral + sinceChange) / static_cast<double>(nowPs) : 0;
}

uint64_t
VoqBuffer::GetInputBytes(uint16_t ingress, uint16_t egress, uint8_t priority) const
{
    if (((m_used >> priority) & 1) == 0)
    {
        return 0;
    }
    const std::size_t end = std::size_t{egress} * m_nClasses + ClassIndex(priority);
    return m_queues[end * m_nPorts + ingress].bytes;
}

uint64_t
VoqBuffer::GetOutputBytes(uint16_t egress, uint8_t priority) const
{
    return m_output[std::size_t{egress} * m_nClasses + ClassIndex(priority)];
}

uint64_t
VoqBuffer::GetRoom(uint16_t egress) const
{
    uint64_t room = m_outputBytes;
    for (uint16_t in = 0; in < m_nPorts; ++in)
    {
        room += in == egress ? 0 : m_capacity + (m_lossless != 0 ? m_headroom[in] : 0);
    }
    return room;
}

uint64_t
VoqBuffer::GetHeadroomUsed(uint16_t ingress, uint8_t priority) const
{
    return m_ingress[std::size_t{ingress} * m_nClasses + ClassIndex(priority)].excess;
}

void
VoqBuffer::DoDispose()
{
    m_queues.clear();
    m_arbiter = nullptr;
    m_switch = nullptr;
    SwitchBuffer::DoDispose();
}

} // namespace ns3
