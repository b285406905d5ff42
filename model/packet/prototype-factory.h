// SPDX-License-Identifier: GPL-2.0-only
#ifndef PROTOTYPE_FACTORY_H
#define PROTOTYPE_FACTORY_H

#include "ns3/object-factory.h"
#include "ns3/object.h"

#include <memory>
#include <string>
#include <typeinfo>
#include <utility>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief An ObjectFactory for many objects: the first is a prototype, the others are copies of it.
 *
 * An ObjectFactory sets each attribute of each object from its default, by name and text: some
 * 50,000 instructions for a congestion control, several times those of a short flow. Copies are
 * made of classes that are Clonable; all others, such as those of users that say nothing, are made
 * as by an ObjectFactory. The result is the same: the prototype is made anew when a default has
 * changed (AttributeDefaults), and is never used itself. Copies of a PrototypeFactory share it
 * until one of them is changed.
 */
class PrototypeFactory
{
  public:
    /// Makes nothing until SetTypeId().
    PrototypeFactory();

    /**
     * @brief Take over type and attributes.
     * @param factory that has them
     */
    PrototypeFactory(const ObjectFactory& factory); // NOLINT(google-explicit-constructor)

    /**
     * @brief Choose a class; attributes are kept.
     * @param type its TypeId, or its name
     */
    template <typename T>
    void SetTypeId(const T& type)
    {
        ObjectFactory factory = GetFactory();
        factory.SetTypeId(type);
        *this = factory;
    }

    /**
     * @brief Set attributes.
     * @param args names and values, as of ObjectFactory::Set()
     */
    template <typename... Args>
    void Set(Args&&... args)
    {
        ObjectFactory factory = GetFactory();
        factory.Set(std::forward<Args>(args)...);
        *this = factory;
    }

    /// @return the class
    TypeId GetTypeId() const
    {
        return GetFactory().GetTypeId();
    }

    /// @return type and attributes
    const ObjectFactory& GetFactory() const;

    /// @return type and attributes
    operator const ObjectFactory&() const // NOLINT(google-explicit-constructor)
    {
        return GetFactory();
    }

    /// @return a new object
    Ptr<Object> Create() const;

    /// @tparam T its class or a base @return a new object
    template <typename T>
    Ptr<T> Create() const
    {
        Ptr<Object> object = Create();
        if (m_base == &typeid(T))
        {
            return Ptr<T>(static_cast<T*>(PeekPointer(object)));
        }
        Ptr<T> made = object->GetObject<T>();
        m_base = PeekPointer(made) == PeekPointer(object) ? &typeid(T) : nullptr;
        return made;
    }

    /// Makes a copy of an object.
    using Cloner = Ptr<Object> (*)(const Object&);

    /**
     * @brief Have objects of a class copied.
     * @param type exactly that class
     * @param cloner makes a copy
     */
    static void AddCloner(const std::type_info& type, Cloner cloner);

  private:
    struct State;
    std::shared_ptr<State> m_state; //!< type, attributes and prototype
    /// Base of the objects for which they have been asked before; null: none
    mutable const std::type_info* m_base{nullptr};
};

/**
 * @ingroup dcfabric
 * @brief Says that copies of an object of a class that has not been started are as good as new
 * ones: the copy constructor copies all that attributes set, and nothing is to be counted or drawn
 * for each object. Classes that are derived from it have to say so themselves.
 * @tparam T the class
 */
template <typename T>
class Clonable
{
  public:
    Clonable()
    {
        PrototypeFactory::AddCloner(typeid(T), [](const Object& object) {
            return Ptr<Object>(new T(static_cast<const T&>(object)), false);
        });
    }
};

/// After NS_OBJECT_ENSURE_REGISTERED(): objects of that class are Clonable.
#define DCFABRIC_OBJECT_CLONABLE(type) static const Clonable<type> g_clonable##type

} // namespace ns3

#endif /* PROTOTYPE_FACTORY_H */
