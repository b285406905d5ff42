// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_ERROR_H
#define FABRIC_ERROR_H

#include <stdexcept>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Input or a configuration that the module refuses.
 *
 * The message says what is wrong, where (file and line for files, both sides for a combination) and
 * what would be right. Programs end with exit status 2, Python sees an exception.
 */
class FabricError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * @ingroup dcfabric
 * @brief Refuse an object from within its NotifyConstructionCompleted().
 * @tparam T type of the object
 * @param object released here: nobody else does, because ns-3 forgets one whose construction throws
 * @param message what, where, what would be right
 * @throws FabricError always
 */
template <typename T>
[[noreturn]] void
RefuseConstruction(T& object, const std::string& message)
{
    const FabricError error(message); // the message may be of the object
    object.Unref();
    throw error;
}

} // namespace ns3

#endif /* FABRIC_ERROR_H */
