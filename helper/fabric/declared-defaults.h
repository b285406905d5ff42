// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What the policies of a network need of one another, where a user has set nothing.
 */
#ifndef DECLARED_DEFAULTS_H
#define DECLARED_DEFAULTS_H

#include "ns3/object-factory.h"
#include "ns3/policy-default.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The defaults that policies declare (PolicyDefault), together.
 *
 * A value that a user has set stays: by a setter of a helper, by Config::SetDefault() or on the
 * command line, or by NS_ATTRIBUTE_DEFAULT, even if it is that of the class. Where two policies
 * need different values, the larger one holds if both of them say so
 * (PolicyDefault::Clash::LARGER); otherwise they are refused by name.
 */
class DeclaredDefaults
{
  public:
    /**
     * @brief Note what a policy needs.
     * @param owner class of the policy
     * @param defaults of it
     * @throws FabricError if the policy names a class or an attribute that does not exist
     */
    void Add(TypeId owner, const std::vector<PolicyDefault>& defaults);

    /// Note what others have noted.
    void Add(const DeclaredDefaults& others);

    /**
     * @param kind base class of a kind of policy, such as `ns3::ReliabilityPolicy`
     * @return class that policies want for it; empty: none
     * @throws FabricError if they want different ones
     */
    std::string FindClass(const std::string& kind) const;

    /**
     * @brief Set attributes of a factory that a user has left as they are.
     * @param factory of a policy, of a node or of a port
     * @throws FabricError if policies need different values, or one that the attribute does not
     * take
     */
    void Apply(ObjectFactory& factory) const;

    /// @return names `ns3::Class::Attribute` of all attributes, each once
    std::vector<std::string> ListAttributes() const;

  private:
    /// What one policy needs.
    struct Entry
    {
        TypeId owner;         //!< who
        PolicyDefault wanted; //!< what
    };

    /**
     * @param entries of one thing
     * @return of several values the one that holds; null for no entry
     */
    static const Entry* Choose(const std::vector<const Entry*>& entries);

    std::vector<Entry> m_entries; //!< in the order of Add()
};

/**
 * @ingroup dcfabric
 * @param factory of an object
 * @param attribute its name
 * @return true if a user has given the attribute a value, in the factory or for all objects; false
 * also if there is no such attribute
 */
bool IsAttributeChosen(const ObjectFactory& factory, const std::string& attribute);

/**
 * @ingroup dcfabric
 * @param factory of an object
 * @return true if a user has given any of its attributes a value: he means this class
 */
bool IsAnyAttributeChosen(const ObjectFactory& factory);

} // namespace ns3

#endif /* DECLARED_DEFAULTS_H */
