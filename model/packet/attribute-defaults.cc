// SPDX-License-Identifier: GPL-2.0-only
#include "attribute-defaults.h"

#include <map>
#include <memory>

namespace ns3
{

AttributeDefaults&
AttributeDefaults::Of(TypeId type)
{
    // never destroyed: the values may belong to libraries that are gone by then
    static auto& all = *new std::map<uint16_t, std::unique_ptr<AttributeDefaults>>();
    std::unique_ptr<AttributeDefaults>& known = all[type.GetUid()];
    if (!known)
    {
        known.reset(new AttributeDefaults(type));
    }
    return *known;
}

AttributeDefaults::AttributeDefaults(TypeId type)
    : m_type(type)
{
    Read();
}

void
AttributeDefaults::Read()
{
    std::size_t at = 0;
    bool changed = false;
    const auto note = [&](const Ptr<const AttributeValue>& value) {
        if (at == m_defaults.size())
        {
            m_defaults.emplace_back();
        }
        changed = changed || m_defaults[at].value != value;
        m_defaults[at].value = value;
        ++at;
    };
    TypeId type = m_type;
    for (bool more = true; more; more = type.HasParent(), type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            note(type.GetAttribute(i).initialValue);
        }
    }
    for (Default& one : m_defaults)
    {
        one.references = one.value->GetReferenceCount();
    }
    m_version += changed ? 1 : 0;
}

} // namespace ns3
