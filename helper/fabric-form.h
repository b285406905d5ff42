// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Objects as a command line writes them, from one table: their names, classes and keys.
 */
#ifndef FABRIC_FORM_H
#define FABRIC_FORM_H

#include "fabric-spec.h"

#include "ns3/object.h"
#include "ns3/ptr.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief How objects of a class are written: `name`, `name:key=value,key=value` or `name:PATH`.
 *
 * A key sets an attribute; its range and default are those of the attribute.
 */
struct FabricForm
{
    /// A key and what it sets.
    struct Key
    {
        const char* name;      //!< as written
        const char* attribute; //!< null: only `fill` reads the key
        bool isSize{false};    //!< true: a number of bytes, which may have a unit
        const char* alias{""}; //!< another name for it, as papers have it; empty: none
    };

    std::string name;              //!< before the colon
    const char* type;              //!< TypeId name
    std::vector<Key> keys;         //!< what may follow the colon
    const char* help{""};          //!< a few words for users, in reStructuredText
    const char* argument{nullptr}; //!< what follows the colon in place of keys, such as `PATH`

    /// Gives an object what the user wrote; null: FillFabricKeys().
    void (*fill)(const FabricForm& form, FabricSpec& spec, Object& object){nullptr};
};

/**
 * @ingroup dcfabric
 * @brief Set the attributes whose keys the user wrote; others keep their defaults.
 * @param form of the object
 * @param spec what the user wrote
 * @param object to be changed
 * @throws FabricError for an unknown key or a value that the attribute does not take
 */
void FillFabricKeys(const FabricForm& form, FabricSpec& spec, Object& object);

/**
 * @ingroup dcfabric
 * @brief Set the attribute of the only key to all that follows the colon.
 * @param form,spec,object as above
 * @throws FabricError if nothing follows
 */
void FillFabricArgument(const FabricForm& form, FabricSpec& spec, Object& object);

/**
 * @ingroup dcfabric
 * @param form of the object
 * @return how a user writes it, keys with their defaults, such as `dumbbell:switches=3,senders=2`
 */
std::string WriteFabricForm(const FabricForm& form);

/**
 * @ingroup dcfabric
 * @param text what the user wrote
 * @param what is chosen, for messages, such as `topology`
 * @param forms all there are
 * @return the object
 * @throws FabricError for an unknown name or key, listing the known ones, or a malformed value
 */
Ptr<Object> MakeFabricObject(const std::string& text,
                             const std::string& what,
                             const std::vector<FabricForm>& forms);

} // namespace ns3

#endif /* FABRIC_FORM_H */
