// SPDX-License-Identifier: GPL-2.0-only
#include "injection-throttle.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(InjectionThrottle);

TypeId
InjectionThrottle::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::InjectionThrottle").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

std::vector<PolicyDefault>
InjectionThrottle::ListDefaults(const PolicyNetwork& /* network */) const
{
    return {};
}

void
InjectionThrottle::Attach(FabricNetDevice& port, uint8_t dataClass)
{
    m_port = &port;
    m_classes = static_cast<uint8_t>(1U << dataClass);
}

int64_t
InjectionThrottle::AssignStreams(int64_t /* stream */)
{
    return 0;
}

void
InjectionThrottle::DoDispose()
{
    m_port = nullptr;
    Object::DoDispose();
}

} // namespace ns3
