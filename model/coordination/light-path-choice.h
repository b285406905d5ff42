// SPDX-License-Identifier: GPL-2.0-only
#ifndef LIGHT_PATH_CHOICE_H
#define LIGHT_PATH_CHOICE_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Which of the local paths a flow takes, and how many of them are light ([CCM] section
 * 6.3.5).
 *
 * The draft leaves the choice among light paths open. Here a flow stays where it is while that path
 * is light, because each move reorders its packets; else it takes the light path for which least
 * waits, and among equals one by its hash. A path that has just taken a flow takes no other one
 * until what that flow brings can be seen: else all flows of a heavy path would move to the same
 * light one at once.
 */
class LightPathChoice
{
  public:
    /// A path.
    struct Path
    {
        uint16_t port;    //!< output
        bool isLight;     //!< light for this flow
        uint64_t bytes;   //!< that wait for it
        bool takes{true}; //!< another flow may move there now
    };

    /// What was found.
    struct Result
    {
        uint16_t port;   //!< output to be taken
        uint16_t nLight; //!< light paths, the present one included if it is
    };

    /**
     * @param paths all that can be taken; may be empty
     * @param present output that the flow has
     * @param mayMove it may get another one
     * @param hash of the flow
     * @return the output: the present one if it is light, nothing else is, or the flow may not move
     */
    static Result Choose(const std::vector<Path>& paths,
                         uint16_t present,
                         bool mayMove,
                         uint32_t hash);
};

} // namespace ns3

#endif /* LIGHT_PATH_CHOICE_H */
