// SPDX-License-Identifier: GPL-2.0-only
#include "reduction-feature.h"

#include "reduction-frame.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-switch.h"
#include "ns3/fabric-time.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ReductionFeature);

TypeId
ReductionFeature::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ReductionFeature")
            .SetParent<SwitchFeature>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ReductionFeature>()
            .AddAttribute("Memory",
                          "Bytes of payload that all trees of in-network reduction together may "
                          "keep in a switch; 0: any number.",
                          UintegerValue(32000000),
                          MakeUintegerAccessor(&ReductionFeature::m_memory),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("ReduceRate",
                          "Rate at which a switch adds contributions, one after the other, counted "
                          "by their payload; 0: it takes no time.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&ReductionFeature::m_rate),
                          MakeRateChecker(0))
            .AddAttribute("ReduceDelay",
                          "Time from the last contribution, once it is added, until the sum leaves "
                          "the switch.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&ReductionFeature::m_delay),
                          MakeTimeChecker(Seconds(0), Seconds(1)));
    return tid;
}

ReductionFeature::ReductionFeature() = default;

ReductionFeature::~ReductionFeature() = default;

uint32_t
ReductionFeature::GetHooks() const
{
    return CONSUME;
}

const char*
ReductionFeature::GetClash() const
{
    return "both would add the same packets";
}

int64_t
ReductionFeature::GetDelayPs() const
{
    return FabricTime::ToPs(m_delay);
}

void
ReductionFeature::AddTree(const Tree& tree, uint64_t bytes)
{
    m_used += bytes;
    auto state = std::make_unique<State>(
        State{tree, ReductionSlots(tree.window, static_cast<uint32_t>(tree.children.size())), {}});
    for (uint32_t child = 0; child < tree.children.size(); ++child)
    {
        state->children.emplace(tree.children[child].port, child);
    }
    m_trees[tree.group] = std::move(state);
}

std::vector<uint32_t>
ReductionFeature::ListMissing(uint32_t group, uint64_t number) const
{
    std::vector<uint32_t> nodes;
    const auto found = m_trees.find(group);
    if (found == m_trees.end())
    {
        return nodes;
    }
    for (const uint32_t child : found->second->slots.ListMissing(number))
    {
        nodes.push_back(found->second->tree.children[child].address);
    }
    return nodes;
}

bool
ReductionFeature::OnConsume(FabricNetDevice& ingress, FabricPacketItem& item)
{
    if (item.type != ReductionFields::TYPE)
    {
        return false;
    }
    const auto& fields = item.As<ReductionFields>();
    const auto found = m_trees.find(fields.group);
    if (found == m_trees.end())
    {
        return false;
    }
    State& state = *found->second;
    if (fields.way == ReductionFields::DOWN)
    {
        OnResult(state, fields);
        return true;
    }
    const auto child = state.children.find(ingress.GetPort());
    if (child == state.children.end())
    {
        return false;
    }
    OnContribution(state, child->second, item);
    return true;
}

void
ReductionFeature::OnContribution(State& state, uint32_t child, const FabricPacketItem& item)
{
    const auto& fields = item.As<ReductionFields>();
    const ReductionSlots::Verdict verdict = state.slots.Contribute(fields.number, child);
    if (verdict == ReductionSlots::Verdict::LATE)
    {
        ++m_counts.late;
        return;
    }
    if (verdict == ReductionSlots::Verdict::REPEAT)
    {
        ++m_counts.repeats;
        OnRepeat(state, child, fields.number);
        return;
    }
    ReductionSlots::Slot& slot = state.slots.At(fields.number);
    ++m_counts.contributions;
    if (slot.ranks == 0)
    {
        m_counts.maxSlots = std::max(m_counts.maxSlots, ++m_open);
        slot.operation = fields.operation;
        slot.root = fields.root;
    }
    slot.ranks += fields.ranks;
    slot.payloadBytes = std::max(slot.payloadBytes, fields.payloadBytes);
    const int64_t nowPs = m_switch->GetNowPs();
    int64_t donePs = nowPs;
    if (const uint64_t rateBps = m_rate.GetBitRate(); rateBps > 0 && fields.payloadBytes > 0)
    {
        m_addedPs =
            std::max(m_addedPs, nowPs) +
            static_cast<int64_t>(
                (static_cast<__uint128_t>(fields.payloadBytes) * 8000000000000 + rateBps - 1) /
                rateBps);
        donePs = m_addedPs;
    }
    if (verdict != ReductionSlots::Verdict::LAST)
    {
        return;
    }
    donePs += GetDelayPs();
    if (donePs == nowPs && m_adding.empty())
    {
        Complete(state, slot);
        return;
    }
    // one without payload does not wait for the adder, but for those before it
    donePs = m_adding.empty() ? donePs : std::max(donePs, m_adding.back().donePs);
    m_adding.push_back({donePs, fields.group, fields.number});
    m_switch->ArmTimer(m_number, donePs);
}

void
ReductionFeature::OnRepeat(State& state, uint32_t child, uint64_t number)
{
    ReductionSlots::Slot& slot = state.slots.At(number);
    if (slot.state == ReductionSlots::State::RESULT)
    {
        ++m_counts.answers;
        SendDown(state, slot, state.tree.children[child]);
    }
    else if (slot.state == ReductionSlots::State::SUMMED && state.slots.Asks(number, child))
    {
        ++m_counts.sentAgain;
        SendUp(state, slot);
    }
}

void
ReductionFeature::OnResult(State& state, const ReductionFields& fields)
{
    ReductionSlots::Slot& slot = state.slots.At(fields.number);
    if (slot.number != fields.number || slot.state != ReductionSlots::State::SUMMED)
    {
        ++m_counts.late;
        return;
    }
    slot.ranks = fields.ranks;
    slot.payloadBytes = fields.payloadBytes;
    Finish(state, slot);
}

void
ReductionFeature::Complete(State& state, ReductionSlots::Slot& slot)
{
    ++m_counts.sums;
    if (state.tree.parentPort == FabricPacketItem::NO_PORT)
    {
        Finish(state, slot);
        return;
    }
    slot.state = ReductionSlots::State::SUMMED;
    SendUp(state, slot);
}

void
ReductionFeature::Finish(State& state, ReductionSlots::Slot& slot)
{
    --m_open;
    slot.state = ReductionSlots::State::RESULT;
    for (const Child& child : state.tree.children)
    {
        SendDown(state, slot, child);
    }
}

void
ReductionFeature::SendUp(const State& state, const ReductionSlots::Slot& slot)
{
    Send(state,
         slot,
         ReductionFields::UP,
         slot.payloadBytes,
         state.tree.parentPort,
         state.tree.parentAddress);
}

void
ReductionFeature::SendDown(const State& state, const ReductionSlots::Slot& slot, const Child& child)
{
    bool needs = true; // the payload
    if (slot.operation == ReductionFields::REDUCE)
    {
        needs = std::binary_search(child.hosts.begin(), child.hosts.end(), slot.root);
    }
    else if (slot.operation == ReductionFields::BROADCAST)
    {
        needs = child.hosts.size() > 1 || child.hosts.front() != slot.root;
    }
    Send(state,
         slot,
         ReductionFields::DOWN,
         needs ? slot.payloadBytes : uint16_t{0},
         child.port,
         child.address);
}

void
ReductionFeature::Send(const State& state,
                       const ReductionSlots::Slot& slot,
                       ReductionFields::Way way,
                       uint16_t payloadBytes,
                       uint16_t port,
                       uint32_t address)
{
    ReductionFields fields{};
    fields.way = way;
    fields.operation = slot.operation;
    fields.payloadBytes = payloadBytes;
    fields.group = state.tree.group;
    fields.root = slot.root;
    fields.ranks = slot.ranks;
    fields.number = slot.number;
    m_switch->Originate(MakeReductionItem(m_switch->GetAddress(),
                                          address,
                                          state.tree.priority,
                                          *state.tree.wire,
                                          fields),
                        port);
}

void
ReductionFeature::OnTimer(int64_t nowPs)
{
    while (!m_adding.empty() && m_adding.front().donePs <= nowPs)
    {
        const Adding adding = m_adding.front();
        m_adding.pop_front();
        State& state = *m_trees.at(adding.group);
        Complete(state, state.slots.At(adding.number));
    }
}

void
ReductionFeature::DoDispose()
{
    m_trees.clear();
    m_adding.clear();
    SwitchFeature::DoDispose();
}

} // namespace ns3
