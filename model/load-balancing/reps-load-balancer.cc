// SPDX-License-Identifier: GPL-2.0-only
#include "reps-load-balancer.h"

#include "packet-spraying.h"
#include "private-entropy-store.h"

#include "ns3/assert.h"
#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RepsLoadBalancer);
DCFABRIC_OBJECT_CLONABLE(RepsLoadBalancer);

TypeId
RepsLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RepsLoadBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("Dcfabric")
            .AddConstructor<RepsLoadBalancer>()
            .AddAttribute("Store",
                          "Class of the store of entropies: ns3::PrivateEntropyStore (each PDC has "
                          "room of its own) or ns3::SharedEntropyStore (all of a NIC share it).",
                          TypeIdValue(PrivateEntropyStore::GetTypeId()),
                          MakeTypeIdAccessor(&RepsLoadBalancer::SetStoreType,
                                             &RepsLoadBalancer::GetStoreType),
                          MakeTypeIdChecker())
            .AddAttribute("Fresh",
                          "Class of what makes an entropy when none is stored: "
                          "ns3::RandomSprayLoadBalancer, or ns3::RoundRobinSprayLoadBalancer (a "
                          "counter).",
                          TypeIdValue(RandomSprayLoadBalancer::GetTypeId()),
                          MakeTypeIdAccessor(&RepsLoadBalancer::SetFreshType,
                                             &RepsLoadBalancer::GetFreshType),
                          MakeTypeIdChecker())
            .AddAttribute("Expiry",
                          "Entropies of a connection that is not recurrent are valid for less than "
                          "this time after their ACK.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&RepsLoadBalancer::m_expiry),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("Group",
                          "Connections of a NIC whose policies name the same group share a store; "
                          "0: those of one policy do.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RepsLoadBalancer::m_group),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Recurrent",
                          "Connections come back: entropies do not expire, and the next PDC to "
                          "the same host and in the same class takes them over.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RepsLoadBalancer::m_recurrent),
                          MakeBooleanChecker());
    return tid;
}

void
RepsLoadBalancer::SetStoreType(TypeId type)
{
    if (!type.IsChildOf(EntropyStore::GetTypeId()) || !type.HasConstructor())
    {
        throw FabricError(FabricTerm::Attribute("ns3::RepsLoadBalancer", "Store"),
                          ": " + FabricTerm::Class(type) + " is no store of entropies",
                          {FabricRemedy::Use(FabricTerm::Class("ns3::PrivateEntropyStore")),
                           FabricRemedy::Use(FabricTerm::Class("ns3::SharedEntropyStore"))});
    }
    m_storeType = type;
}

void
RepsLoadBalancer::SetFreshType(TypeId type)
{
    if (!type.IsChildOf(LoadBalancer::GetTypeId()) || !type.HasConstructor() ||
        type == GetTypeId() || type.IsChildOf(GetTypeId()))
    {
        throw FabricError(
            FabricTerm::Attribute("ns3::RepsLoadBalancer", "Fresh"),
            ": " + FabricTerm::Class(type) + " makes no fresh entropies",
            {FabricRemedy::Use(FabricTerm::Class("ns3::RandomSprayLoadBalancer")),
             FabricRemedy::Use(FabricTerm::Class("ns3::RoundRobinSprayLoadBalancer"))});
    }
    m_freshType = type;
}

Ptr<Object>
RepsLoadBalancer::MakeShared(uint64_t acksPerRtt) const
{
    ObjectFactory factory;
    factory.SetTypeId(m_storeType);
    Ptr<EntropyStore> store = factory.Create<EntropyStore>();
    store->Configure(acksPerRtt);
    return store;
}

void
RepsLoadBalancer::Join(Ptr<Object> shared, uint64_t connection)
{
    const auto store = DynamicCast<EntropyStore>(shared);
    NS_ASSERT_MSG(store, "not of MakeShared()");
    if (m_group > 0 && store->GetInstanceTypeId() != m_storeType)
    {
        throw FabricError(FabricTerm::Attribute("ns3::RepsLoadBalancer", "Group"),
                          " " + std::to_string(m_group) + " has " +
                              FabricTerm::Class(store->GetInstanceTypeId()) +
                              ", but another policy of it " + m_storeType.GetName(),
                          {FabricRemedy::Do("set the same Store")});
    }
    m_store = store;
    m_fifo = m_recurrent ? m_store->OpenRecurrent(connection)
                         : m_store->Open(FabricTime::ToPs(m_expiry));
}

void
RepsLoadBalancer::Start(uint16_t entropy)
{
    NS_ASSERT_MSG(m_store, "Join() comes first");
    ObjectFactory factory;
    factory.SetTypeId(m_freshType);
    m_fresh = factory.Create<LoadBalancer>();
    if (m_fresh->NeedsRandomVariable())
    {
        m_fresh->SetRandomVariable(m_random);
    }
    m_fresh->Start(entropy);
}

uint16_t
RepsLoadBalancer::ChooseEntropy(int64_t nowPs, bool retransmission)
{
    uint16_t entropy = 0;
    if (m_store->Take(m_fifo, nowPs, entropy))
    {
        return entropy;
    }
    return m_fresh->ChooseEntropy(nowPs, retransmission);
}

std::vector<PolicyDefault>
RepsLoadBalancer::ListDefaults(const PolicyNetwork& network) const
{
    auto defaults = LoadBalancer::ListDefaults(network);
    const auto marks = PolicyDefault::WhereMarksAreRead();
    defaults.insert(defaults.end(), marks.begin(), marks.end());
    return defaults;
}

void
RepsLoadBalancer::OnAck(int64_t nowPs, uint16_t entropy, bool marked)
{
    if (!marked)
    {
        m_store->Save(m_fifo, entropy, nowPs);
    }
    m_fresh->OnAck(nowPs, entropy, marked);
}

bool
RepsLoadBalancer::NeedsLosses() const
{
    return m_fresh->NeedsLosses();
}

void
RepsLoadBalancer::OnTrim(int64_t nowPs, uint16_t entropy, bool lastHop)
{
    m_fresh->OnTrim(nowPs, entropy, lastHop);
}

void
RepsLoadBalancer::OnLoss(int64_t nowPs, uint16_t entropy)
{
    m_fresh->OnLoss(nowPs, entropy);
}

void
RepsLoadBalancer::OnTimeout(int64_t nowPs)
{
    m_fresh->OnTimeout(nowPs);
}

void
RepsLoadBalancer::DoDispose()
{
    if (m_store && !m_recurrent)
    {
        m_store->Close(m_fifo);
    }
    m_store = nullptr;
    m_random = nullptr;
    if (m_fresh)
    {
        m_fresh->Dispose();
        m_fresh = nullptr;
    }
    LoadBalancer::DoDispose();
}

} // namespace ns3
