// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_ERROR_H
#define FABRIC_ERROR_H

#include "fabric-text.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a user could do about a refusal.
 */
struct FabricRemedy
{
    const char* verb; //!< `use`, `add`, `set`; empty: what is the whole of it
    FabricText what;  //!< to use, to add, to set

    /**
     * @param what it
     * @return to choose something
     */
    static FabricRemedy Use(const FabricText& what);
    /**
     * @param what it
     * @return to have something as well
     */
    static FabricRemedy Add(const FabricText& what);
    /**
     * @param what the attribute, with its value
     * @return to give an attribute a value
     */
    static FabricRemedy Set(const FabricText& what);
    /**
     * @param what to do, beginning with a verb
     * @return anything else
     */
    static FabricRemedy Do(const FabricText& what);
};

/**
 * @ingroup dcfabric
 * @brief Input or a configuration that the module refuses.
 *
 * It says what is wrong, where (file and line for files, both sides for a combination) and what
 * would be right. what() has the words of C++, which name classes and attributes; a program that
 * spells these otherwise says GetText() with a speaker of its own. Programs end with exit status 2,
 * Python sees an exception.
 */
class FabricError : public std::runtime_error
{
  public:
    /// @param text all that is to be said, with a place in front if there is one
    explicit FabricError(const FabricText& text);

    /**
     * @param subject what is refused
     * @param conflict why, with what it clashes; written behind the subject as it is
     * @param remedies what a user could do, the best first; each of them is enough
     */
    FabricError(const FabricText& subject,
                const FabricText& conflict,
                const std::vector<FabricRemedy>& remedies);

    /// @return what is refused; empty if that is not told apart
    const FabricText& GetSubject() const;
    /// @return why; all of the text if there is no subject
    const FabricText& GetConflict() const;
    /// @return what a user could do
    const std::vector<FabricRemedy>& GetRemedies() const;
    /// @return all of it: subject, conflict, and the remedies as `use A, B, or set C`
    FabricText GetText() const;

    /**
     * @param place where it happened, with what separates it: `flows.txt:3: `
     * @return the same error, which begins with the place
     */
    FabricError At(const FabricText& place) const;

  private:
    FabricText m_place;                   //!< see At()
    FabricText m_subject;                 //!< see GetSubject()
    FabricText m_conflict;                //!< see GetConflict()
    std::vector<FabricRemedy> m_remedies; //!< see GetRemedies()
};

/**
 * @ingroup dcfabric
 * @brief Do something whose errors are to name a place.
 * @tparam F of the action
 * @param place see FabricError::At()
 * @param action what to do
 * @return what it returns
 * @throws FabricError the action's, at the place
 */
template <typename F>
auto
AtPlace(const FabricText& place, F action)
{
    try
    {
        return action();
    }
    catch (const FabricError& error)
    {
        throw error.At(place);
    }
}

/**
 * @ingroup dcfabric
 * @brief Refuse an object from within its NotifyConstructionCompleted().
 * @tparam T type of the object
 * @param object released here: nobody else does, because ns-3 forgets one whose construction throws
 * @param text what, where, what would be right
 * @throws FabricError always
 */
template <typename T>
[[noreturn]] void
RefuseConstruction(T& object, const FabricText& text)
{
    const FabricError error(text); // the text may be of the object
    object.Unref();
    throw error;
}

} // namespace ns3

#endif /* FABRIC_ERROR_H */
