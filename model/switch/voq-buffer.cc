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
    m_ends.assign(nEnds, {});
    m_outputs.assign(m_nPorts, {});
    m_inputs.assign(m_nPorts, {});
    m_occupied.assign(nEnds * m_nWords, 0);
    if (!m_arbiter)
    {
        m_arbiter = CreateObject<RoundRobinVoqArbiter>();
    }
    m_inTurn = dynamic_cast<RoundRobinVoqArbiter*>(PeekPointer(m_arbiter));
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
        owner->GetPort(port)->GetQueue().SetWaitingBytes(m_outputs[port].classes.data());
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
    Output& output = m_outputs[out];
    output.classes[priority] += bytes - queue.bytes;
    const int64_t nowPs = m_switch ? m_switch->GetNowPs() : 0;
    if (nowPs != output.sincePs)
    {
        output.integral +=
            static_cast<double>(output.bytes) * static_cast<double>(nowPs - output.sincePs);
        output.sincePs = nowPs;
    }
    output.bytes += bytes - queue.bytes;
    queue.bytes = bytes;
}

inline void
VoqBuffer::NoteAdmitted(Output& output, End& end, uint8_t priority, uint32_t bytes)
{
    end.longest = std::max(end.longest, output.classes[priority] + end.bytes);
    output.longest = std::max(output.longest, output.bytes + output.queueBytes);
    m_usedBytes += bytes;
    m_maxUsedBytes = std::max(m_maxUsedBytes, m_usedBytes);
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
    Output& output = m_outputs[arrival.egress];
    End& end = EndOf(arrival.egress, cls);
    NoteAdmitted(output, end, arrival.priority, arrival.bytes);
    return verdict;
}

inline bool
VoqBuffer::FreeRoom(Queue& queue, uint16_t in, uint16_t out, uint8_t priority, uint32_t bytes)
{
    SetLength(queue, in, out, priority, queue.bytes - bytes);
    Ingress& source = m_ingress[std::size_t{in} * m_nClasses + ClassIndex(priority)];
    if (!source.congested || source.excess > 0 || source.nLong > 0)
    {
        return false;
    }
    source.congested = false;
    return true;
}

bool
VoqBuffer::ReleaseRoom(uint16_t ingress, uint16_t egress, uint8_t priority, uint32_t bytes)
{
    Queue& queue = At(ingress, egress, ClassIndex(priority));
    return FreeRoom(queue, ingress, egress, priority, bytes);
}

inline void
VoqBuffer::Begin(uint16_t in, uint16_t out, uint32_t bytes, End& end, int64_t nowPs)
{
    if (m_arbiter == m_inTurn)
    {
        m_inTurn->OnServed(out, in);
    }
    else
    {
        m_arbiter->OnServed(out, in);
    }
    Output& output = m_outputs[out];
    end.bytes += bytes;
    output.queueBytes += bytes;
    const double ps = bytes * m_psPerByte;
    const auto wholePs = static_cast<int64_t>(ps); // rounded up without a call
    const int64_t endPs = nowPs + wholePs + (static_cast<double>(wholePs) < ps ? 1 : 0);
    output.side.busyUntilPs = endPs;
    m_inputs[in].busyUntilPs = endPs;
    m_inputs[in].next = static_cast<uint16_t>(out + 1);
}

inline void
VoqBuffer::NoteTaken(const Queue& queue, uint16_t in, uint16_t out, uint32_t cls)
{
    if (queue.packets.empty())
    {
        OccupiedOf(std::size_t{out} * m_nClasses + cls, in) &= ~(uint64_t{1} << (in % 64));
    }
    if (--EndOf(out, cls).packets == 0)
    {
        m_outputs[out].waiting &= static_cast<uint8_t>(~(1U << cls));
    }
    --m_outputs[out].packets;
    --m_held;
}

inline bool
VoqBuffer::MayLeave(uint16_t out, EgressGate* gate, const FabricPacketItem& item)
{
    if (gate && !gate->MayPass(item))
    {
        return false;
    }
    if (m_filter && !m_filter->MayPass(out, item))
    {
        m_outputs[out].holds = true;
        m_outputs[out].shutOut = false;
        return false;
    }
    return true;
}

inline bool
VoqBuffer::CanCross(uint16_t in, uint16_t out, const FabricPacketItem& item, uint32_t bytes)
{
    const int64_t nowPs = m_switch->GetNowPs();
    const Output& output = m_outputs[out];
    return output.packets == 0 && output.side.busyUntilPs <= nowPs &&
           m_inputs[in].busyUntilPs <= nowPs && OutputOf(out, item) + bytes <= m_outputBytes;
}

inline void
VoqBuffer::ArmSide(Side& side, uint32_t id)
{
    if (side.armedPs != side.busyUntilPs)
    {
        side.armedPs = side.busyUntilPs;
        m_switch->ArmBufferTimer(id, side.busyUntilPs);
    }
}

inline void
VoqBuffer::Serve(uint16_t out)
{
    Output& output = m_outputs[out];
    if (output.packets == 0 || output.shutOut)
    {
        return;
    }
    const int64_t nowPs = m_switch->GetNowPs();
    if (output.side.busyUntilPs > nowPs)
    {
        ArmSide(output.side, m_nPorts + uint32_t{out});
        return;
    }
    ServeFree(out, nowPs);
}

inline void
VoqBuffer::Keep(const Ptr<FabricPacketItem>& item, uint16_t in, uint16_t out, bool couldCross)
{
    const uint32_t cls = ClassIndex(item->bufferClass);
    auto& packets = At(in, out, cls).packets;
    Output& output = m_outputs[out];
    if (packets.empty())
    {
        output.shutOut = couldCross && !output.holds; // the first one of a queue has not been asked
    }
    if (packets.full())
    {
        packets.set_capacity(std::max<std::size_t>(4, 2 * packets.capacity()));
    }
    packets.push_back(item);
    OccupiedOf(std::size_t{out} * m_nClasses + cls, in) |= uint64_t{1} << (in % 64);
    ++EndOf(out, cls).packets;
    output.waiting |= static_cast<uint8_t>(1U << cls);
    ++output.packets;
    ++m_held;
    if (!couldCross)
    {
        Serve(out);
    }
    else if (output.holds)
    {
        ArmRetry(out);
    }
}

bool
VoqBuffer::TakeArrival(Ptr<FabricPacketItem>& item, uint16_t egress)
{
    FabricPacketItem& packet = *PeekPointer(item);
    const uint16_t in = packet.ingressPort;
    const uint8_t priority = packet.bufferClass;
    const uint32_t bytes = packet.size;
    if (((m_used >> priority) & 1) == 0 || priority != packet.GetPriority())
    {
        return false;
    }
    const uint32_t cls = ClassIndex(priority);
    Output& output = m_outputs[egress];
    End& end = EndOf(egress, cls);
    if (CanCross(in, egress, packet, bytes) && bytes <= m_longAbove && !m_filter &&
        !m_switch->TellsAdmissions())
    {
        FabricNetDevice& port = *m_switch->GetPort(egress);
        EgressGate* gate = port.GetGate();
        if (!gate || gate->Pass(packet))
        {
            // What it adds to lengths and takes off again nobody sees but in maxima, for which
            // nothing else waits. It leaves the ingress port congested or not.
            m_usedBytes += bytes;
            m_maxUsedBytes = std::max(m_maxUsedBytes, m_usedBytes);
            end.longest = std::max(end.longest, end.bytes + bytes);
            output.longest = std::max(output.longest, output.queueBytes + bytes);
            packet.bufferBytes = bytes;
            Begin(in, egress, bytes, end, m_switch->GetNowPs());
            m_switch->TellReleased(packet, false);
            m_switch->PassToEgress(port, item);
            Serve(egress);
            return true;
        }
    }
    Queue& queue = At(in, egress, cls);
    const uint64_t after = queue.bytes + bytes;
    if (after > m_longAbove || bytes > m_outputBytes)
    {
        return false;
    }
    SetLength(queue, in, egress, priority, after);
    NoteAdmitted(output, end, priority, bytes);
    packet.bufferBytes = bytes;
    m_switch->TellAdmitted(packet, egress);
    Hold(item, egress);
    return true;
}

inline uint16_t
VoqBuffer::ChooseInput(uint16_t out, uint32_t cls, int64_t nowPs)
{
    const std::size_t end = std::size_t{out} * m_nClasses + cls;
    const Queue* queues = m_queues.data() + end * m_nPorts;
    const uint64_t* words = m_occupied.data() + end * m_nWords;
    EgressGate* gate = m_switch->GetPort(out)->GetGate();
    const auto isCandidate = [&](uint16_t in) __attribute__((always_inline))
    {
        const FabricPacketItem& first = *queues[in].packets.front();
        const uint64_t outputBytes = OutputOf(out, first);
        if (outputBytes + first.bufferBytes > m_outputBytes)
        {
            m_outputs[out].shutOut = false;
            return false;
        }
        Side& input = m_inputs[in];
        if (input.busyUntilPs > nowPs)
        {
            ArmSide(input, in);
            if (outputBytes == 0)
            {
                m_outputs[out].shutOut = false;
                return false;
            }
        }
        return MayLeave(out, gate, first);
    };
    // nearly always a single input waits
    if (m_nWords == 1 && (words[0] & (words[0] - 1)) == 0)
    {
        const auto in = static_cast<uint16_t>(__builtin_ctzll(words[0]));
        return isCandidate(in) ? in : NO_INPUT;
    }
    const auto chooseAmong = [&]() __attribute__((noinline))
    {
        m_candidates.clear();
        for (std::size_t word = 0; word < m_nWords; ++word)
        {
            for (uint64_t left = words[word]; left != 0; left &= left - 1)
            {
                const auto in = static_cast<uint16_t>(64 * word + __builtin_ctzll(left));
                if (isCandidate(in))
                {
                    m_candidates.push_back({in, queues[in].bytes});
                }
            }
        }
        return m_candidates.size() > 1 ? m_candidates[m_arbiter->Select(out, m_candidates)].input
               : m_candidates.empty()  ? NO_INPUT
                                       : m_candidates.front().input;
    };
    return chooseAmong();
}

inline void
VoqBuffer::Transfer(const Ptr<FabricPacketItem>& item,
                    Queue& queue,
                    uint16_t in,
                    uint16_t out,
                    int64_t nowPs)
{
    const FabricPacketItem& packet = *PeekPointer(item);
    const uint32_t bytes = packet.bufferBytes;
    Begin(in, out, bytes, EndOf(out, ClassIndex(packet.GetPriority())), nowPs);
    FabricNetDevice& egress = *m_switch->GetPort(out);
    if (EgressGate* gate = egress.GetGate())
    {
        gate->PassAllowed(packet);
    }
    m_switch->TellReleased(packet, FreeRoom(queue, in, out, packet.bufferClass, bytes));
    m_switch->PassToEgress(egress, item);
}

void
VoqBuffer::ServeFree(uint16_t out, int64_t nowPs)
{
    m_outputs[out].holds = false;
    m_outputs[out].shutOut = true; // unless there is another reason
    for (uint32_t left = m_outputs[out].waiting; left != 0;)
    {
        const uint32_t cls = 31U - static_cast<uint32_t>(__builtin_clz(left));
        left ^= 1U << cls;
        const uint16_t in = ChooseInput(out, cls, nowPs);
        if (in == NO_INPUT)
        {
            continue;
        }
        m_outputs[out].shutOut = false;
        if (m_inputs[in].busyUntilPs > nowPs)
        {
            break;
        }
        Queue& queue = At(in, out, cls);
        const Ptr<FabricPacketItem> item = queue.packets.front();
        queue.packets.pop_front();
        NoteTaken(queue, in, out, cls);
        Transfer(item, queue, in, out, nowPs);
        Serve(out); // busy now: sees that the next one is looked at in time
        return;
    }
    if (m_outputs[out].holds)
    {
        ArmRetry(out);
    }
}

void
VoqBuffer::Hold(Ptr<FabricPacketItem> item, uint16_t egress)
{
    const uint16_t in = item->ingressPort;
    const bool canCross = CanCross(in, egress, *item, item->bufferBytes);
    if (canCross)
    {
        // it need not wait, and there is nothing to be chosen from
        m_outputs[egress].holds = false;
        if (MayLeave(egress, m_switch->GetPort(egress)->GetGate(), *item))
        {
            Queue& queue = At(in, egress, ClassIndex(item->bufferClass));
            Transfer(item, queue, in, egress, m_switch->GetNowPs());
            Serve(egress);
            return;
        }
    }
    Keep(item, in, egress, canCross);
}

void
VoqBuffer::ArmRetry(uint16_t out)
{
    Output& output = m_outputs[out];
    const int64_t nowPs = m_switch->GetNowPs();
    const int64_t retryPs = m_filter->GetRetryPs(out);
    // one that comes too early asks again
    if (retryPs != FabricTime::NEVER && (output.retryPs <= nowPs || retryPs < output.retryPs))
    {
        output.retryPs = retryPs;
        m_switch->ArmBufferTimer(2 * uint32_t{m_nPorts} + out, retryPs);
    }
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
    m_outputs[egress].shutOut = false;
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
    EndOf(egress, ClassIndex(priority)).bytes -= bytes;
    m_outputs[egress].queueBytes -= bytes;
    m_usedBytes -= bytes;
    Serve(egress);
}

void
VoqBuffer::OnGateOpen(uint16_t egress)
{
    m_outputs[egress].shutOut = false;
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
    const int64_t nowPs = m_switch->GetNowPs();
    const uint16_t begin = input.next < m_nPorts ? input.next : 0;
    uint16_t out = begin;
    do
    {
        if (input.busyUntilPs > nowPs)
        {
            break;
        }
        Serve(out);
        out = out + 1 < m_nPorts ? out + 1 : 0;
    } while (out != begin);
    if (input.busyUntilPs > nowPs)
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
    return m_outputs[egress].bytes;
}

uint64_t
VoqBuffer::GetWaitingBytes(uint16_t egress, uint8_t priority) const
{
    return m_outputs[egress].classes[priority];
}

uint64_t
VoqBuffer::GetMaxQueueBytes(uint16_t egress, uint8_t priority) const
{
    return ((m_used >> priority) & 1) == 0
               ? 0
               : m_ends[std::size_t{egress} * m_nClasses + ClassIndex(priority)].longest;
}

uint64_t
VoqBuffer::GetMaxPortBytes(uint16_t egress) const
{
    return m_outputs[egress].longest;
}

double
VoqBuffer::GetMeanWaitingBytes(uint16_t egress, int64_t nowPs) const
{
    const Output& output = m_outputs[egress];
    const double sinceChange =
        static_cast<double>(output.bytes) * static_cast<double>(nowPs - output.sincePs);
    return nowPs > 0 ? (output.integral + sinceChange) / static_cast<double>(nowPs) : 0;
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
    return m_ends[std::size_t{egress} * m_nClasses + ClassIndex(priority)].bytes;
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
    m_inTurn = nullptr;
    m_switch = nullptr;
    SwitchBuffer::DoDispose();
}

} // namespace ns3
