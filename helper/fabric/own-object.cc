// SPDX-License-Identifier: GPL-2.0-only
#include "own-object.h"

#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/pointer.h"

#include <cstddef>

namespace ns3
{

void
GiveOwnObject(ObjectBase& owner, const std::string& attribute)
{
    PointerValue given;
    if (!owner.GetAttributeFailSafe(attribute, given) || !given.GetObject() ||
        !given.GetObject()->GetInstanceTypeId().HasConstructor())
    {
        return;
    }
    ObjectFactory factory;
    factory.SetTypeId(given.GetObject()->GetInstanceTypeId());
    const Ptr<Object> own = factory.Create<Object>();
    for (TypeId tid = own->GetInstanceTypeId(); tid != Object::GetTypeId(); tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation info = tid.GetAttribute(i);
            if ((info.flags & TypeId::ATTR_GET) != 0 && (info.flags & TypeId::ATTR_SET) != 0)
            {
                const Ptr<AttributeValue> value = info.checker->Create();
                given.GetObject()->GetAttribute(info.name, *value);
                own->SetAttribute(info.name, *value);
            }
        }
    }
    owner.SetAttribute(attribute, PointerValue(own));
}

} // namespace ns3
