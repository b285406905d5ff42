// SPDX-License-Identifier: GPL-2.0-only
#include "reordering-memory.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ReorderingMemory);

TypeId
ReorderingMemory::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ReorderingMemory")
                            .SetParent<Object>()
                            .SetGroupName("Dcfabric")
                            .HideFromDocumentation()
                            .AddConstructor<ReorderingMemory>();
    return tid;
}

Ptr<ReorderingMemory>
ReorderingMemory::Of(Object& host)
{
    Ptr<ReorderingMemory> memory = host.GetObject<ReorderingMemory>();
    if (!memory)
    {
        memory = CreateObject<ReorderingMemory>();
        host.AggregateObject(memory);
    }
    return memory;
}

} // namespace ns3
