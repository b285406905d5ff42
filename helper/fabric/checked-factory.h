// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Object factories for helpers: what ns-3 would end the program over is a FabricError.
 */
#ifndef CHECKED_FACTORY_H
#define CHECKED_FACTORY_H

#include "ns3/attribute.h"
#include "ns3/object-factory.h"

#include <string>
#include <utility>

namespace ns3
{

/**
 * @param kind what it makes, for errors
 * @param base TypeId name that the type must descend from
 * @param type TypeId name
 * @return a factory
 * @throws FabricError that lists the known types, if this is none
 */
ObjectFactory MakeCheckedFactory(const std::string& kind,
                                 const std::string& base,
                                 const std::string& type);

/**
 * @brief Set an attribute.
 * @param factory to be changed
 * @param name of the attribute
 * @param value its value
 * @throws FabricError for an unknown name or an invalid value
 */
void SetCheckedAttribute(ObjectFactory& factory,
                         const std::string& name,
                         const AttributeValue& value);

/// End of the recursion below.
inline void
SetCheckedAttributes(ObjectFactory& /* factory */)
{
}

/**
 * @brief Set attributes.
 * @param factory to be changed
 * @param name of an attribute
 * @param value its value
 * @param rest further names and values
 * @throws FabricError as above
 */
template <typename... Rest>
void
SetCheckedAttributes(ObjectFactory& factory,
                     const std::string& name,
                     const AttributeValue& value,
                     Rest&&... rest)
{
    SetCheckedAttribute(factory, name, value);
    SetCheckedAttributes(factory, std::forward<Rest>(rest)...);
}

/**
 * @param kind,base,type as above
 * @param args names and values of attributes
 * @return a factory with attributes
 * @throws FabricError as above
 */
template <typename... Args>
ObjectFactory
MakeCheckedFactory(const std::string& kind,
                   const std::string& base,
                   const std::string& type,
                   Args&&... args)
{
    ObjectFactory factory = MakeCheckedFactory(kind, base, type);
    SetCheckedAttributes(factory, std::forward<Args>(args)...);
    return factory;
}

} // namespace ns3

#endif /* CHECKED_FACTORY_H */
