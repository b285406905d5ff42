// SPDX-License-Identifier: GPL-2.0-only
#include "prototype-factory.h"

#include "attribute-defaults.h"

#include <typeindex>
#include <unordered_map>

namespace ns3
{

namespace
{

/// @return what copies the objects of each class
std::unordered_map<std::type_index, PrototypeFactory::Cloner>&
GetCloners()
{
    static std::unordered_map<std::type_index, PrototypeFactory::Cloner> cloners;
    return cloners;
}

} // namespace

/**
 * @brief What copies of a PrototypeFactory share.
 */
struct PrototypeFactory::State
{
    ObjectFactory factory;                //!< type and attributes
    Ptr<const Object> prototype;          //!< null: none has been made
    Cloner cloner{nullptr};               //!< copies it; null: nothing does
    AttributeDefaults* defaults{nullptr}; //!< of its class
    uint64_t version{0};                  //!< of them, when it was made
};

PrototypeFactory::PrototypeFactory()
    : m_state(std::make_shared<State>())
{
}

PrototypeFactory::PrototypeFactory(const ObjectFactory& factory)
    : PrototypeFactory()
{
    m_state->factory = factory;
}

const ObjectFactory&
PrototypeFactory::GetFactory() const
{
    return m_state->factory;
}

Ptr<Object>
PrototypeFactory::Create() const
{
    State& state = *m_state;
    if (state.prototype && state.defaults->GetVersion() == state.version)
    {
        return state.cloner(*state.prototype);
    }
    Ptr<Object> object = state.factory.Create();
    const Object& made = *object;
    const auto found = GetCloners().find(typeid(made));
    if (found != GetCloners().end())
    {
        state.cloner = found->second;
        state.prototype = state.cloner(made);
        state.defaults = &AttributeDefaults::Of(state.factory.GetTypeId());
        state.version = state.defaults->GetVersion();
    }
    return object;
}

void
PrototypeFactory::AddCloner(const std::type_info& type, Cloner cloner)
{
    GetCloners()[type] = cloner;
}

} // namespace ns3
