// SPDX-License-Identifier: GPL-2.0-only
#include "wire-errors.h"

#include "ns3/packet.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(WireErrors);

TypeId
WireErrors::GetTypeId()
{
    static TypeId tid = TypeId("ns3::WireErrors")
                            .SetParent<ErrorModel>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<WireErrors>();
    return tid;
}

WireErrors::WireErrors()
    : m_draw(CreateObject<UniformRandomVariable>())
{
}

WireErrors::~WireErrors() = default;

void
WireErrors::SetLoss(double share)
{
    m_loss = share;
}

void
WireErrors::SetCorruption(double share)
{
    m_corruption = share;
}

void
WireErrors::SetFormer(Ptr<ErrorModel> former)
{
    m_former = former;
}

int64_t
WireErrors::AssignStreams(int64_t stream)
{
    m_draw->SetStream(stream);
    return 1;
}

bool
WireErrors::DoCorrupt(Ptr<Packet> packet)
{
    m_damaged = false;
    if (m_loss > 0 || m_corruption > 0)
    {
        const double draw = m_draw->GetValue();
        if (draw < m_loss)
        {
            return true;
        }
        m_damaged = draw < m_loss + (1 - m_loss) * m_corruption;
        if (m_damaged)
        {
            return true;
        }
    }
    return m_former && m_former->IsCorrupt(packet);
}

void
WireErrors::DoReset()
{
    m_damaged = false;
    if (m_former)
    {
        m_former->Reset();
    }
}

} // namespace ns3
