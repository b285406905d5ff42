// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_CLASSES_H
#define SCENARIO_CLASSES_H

#include "ns3/fabric-text.h"
#include "ns3/named-table.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a user may configure: the classes of a base class.
 */
struct ScenarioKind
{
    const char* title;      //!< what they are
    const char* base;       //!< TypeId
    const char* option{""}; //!< that chooses one; empty: none does
    const char* value{""};  //!< of the option, if only that makes use of them

    /// @return what they are, and by which option they are chosen
    FabricText GetHeading() const;
};

/**
 * @ingroup dcfabric
 * @return all kinds of classes, by title, to which others add
 */
NamedTable<ScenarioKind>& GetScenarioKindTable();

/**
 * @ingroup dcfabric
 * @return the entries of GetScenarioKindTable()
 */
const std::vector<ScenarioKind>& GetScenarioKinds();

/**
 * @ingroup dcfabric
 * @param tid class
 * @return its attributes, inherited ones of the module included
 */
std::vector<TypeId::AttributeInformation> ListScenarioClassAttributes(TypeId tid);

/**
 * @ingroup dcfabric
 * @param typeId of a class
 * @return options that choose it, with their values, such as `cc=hpcc`
 */
std::vector<FabricTerm> ListScenarioChoices(const std::string& typeId);

} // namespace ns3

#endif /* SCENARIO_CLASSES_H */
