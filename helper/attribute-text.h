// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATTRIBUTE_TEXT_H
#define ATTRIBUTE_TEXT_H

#include "ns3/attribute.h"
#include "ns3/fabric-text.h"
#include "ns3/type-id.h"

#include <string>

/**
 * @file
 * @brief Attributes as a user writes them: what they take, and refusals before ns-3 ends the
 * program over a text that it cannot read.
 */

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Bounds of numbers as ns-3's checkers tell them.
 */
struct AttributeBounds
{
    std::string min; //!< least legal value; empty: any
    std::string max; //!< largest legal value; empty: any
};

/**
 * @ingroup dcfabric
 * @param checker of an attribute with bounds
 * @return the bounds in `double 0:1`
 */
AttributeBounds GetAttributeBounds(const AttributeChecker& checker);

/**
 * @ingroup dcfabric
 * @param checker of an attribute
 * @return its legal values with an article, such as `a whole number from 1 to 65535`
 */
std::string DescribeAttributeRange(const AttributeChecker& checker);

/**
 * @ingroup dcfabric
 * @param info an attribute
 * @return its default as a user would write it; `(none)` for a null object
 */
std::string FormatAttributeDefault(const TypeId::AttributeInformation& info);

/**
 * @ingroup dcfabric
 * @brief Refuse a text that ns-3 cannot read as the value, or that is out of range.
 * @param text what a user wrote
 * @param checker of the attribute or global value
 * @param where place for messages, such as `--ns3::SharedBuffer::Alpha`
 * @throws FabricError with the text and the legal values
 */
void CheckAttributeText(const std::string& text,
                        const Ptr<const AttributeChecker>& checker,
                        const FabricText& where);

/**
 * @ingroup dcfabric
 * @brief As above; the error also tells the default.
 * @param text what a user wrote
 * @param info the attribute
 * @param where place for messages
 * @throws FabricError with the text, the legal values and the default
 */
void CheckAttributeText(const std::string& text,
                        const TypeId::AttributeInformation& info,
                        const FabricText& where);

/**
 * @ingroup dcfabric
 * @brief Find an attribute of a class or its parents.
 * @param tid the class
 * @param name of the attribute
 * @param where place for messages, may be empty
 * @return the attribute
 * @throws FabricError with the nearest name, if there is none
 */
TypeId::AttributeInformation FindAttribute(TypeId tid,
                                           const std::string& name,
                                           const FabricText& where);

/**
 * @ingroup dcfabric
 * @brief Find a class.
 * @param name TypeId name
 * @param where place for messages
 * @param more end of the message: what else would be right
 * @return the class
 * @throws FabricError with the nearest name, if there is none
 */
TypeId FindClass(const std::string& name, const FabricText& where, const FabricText& more = {});

} // namespace ns3

#endif /* ATTRIBUTE_TEXT_H */
