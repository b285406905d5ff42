// SPDX-License-Identifier: GPL-2.0-only
#ifndef POLICY_DEFAULT_H
#define POLICY_DEFAULT_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a policy may know of the network when it says what it needs of others there.
 */
struct PolicyNetwork
{
    uint64_t rateBps{0};  //!< of the fastest link, in bit/s
    int64_t baseRttPs{0}; //!< largest base RTT, of a full packet and its ACK, in ps
};

/**
 * @ingroup dcfabric
 * @brief What a policy needs of another one where the user has set nothing: the value of an
 * attribute, or the class of a policy.
 *
 * Each kind of policy has a function ListDefaults() that returns those of a policy, with its
 * attributes as they are. FabricHelper applies them when it installs a network; what a user has
 * set, in whatever way, stays (DeclaredDefaults). A default for a class that the network does not
 * use has no effect.
 *
 *     return {{"ns3::CreditFlowControl", "BufferBytes", "131072"},
 *             {"ns3::ReliabilityPolicy", "", "ns3::SelectiveRepeat"}};
 */
struct PolicyDefault
{
    /// What holds if policies need different values.
    enum class Clash : uint8_t
    {
        REFUSE, //!< none: the user has to say
        LARGER, //!< the larger number
    };

    std::string type;      //!< class that has the attribute, or a class below it; without attribute
                           //!< the base class of a kind: `ns3::ReliabilityPolicy` or
                           //!< `ns3::MarkingProfile`
    std::string attribute; //!< its name; empty: the value is the class to be taken
    std::string value;     //!< as text
    Clash clash{Clash::REFUSE}; //!< beside other policies

    /// @return what is needed where packets of a flow overtake one another
    static std::vector<PolicyDefault> WherePacketsOvertake();

    /// @return what is needed where ECN marks are read
    static std::vector<PolicyDefault> WhereMarksAreRead();
};

} // namespace ns3

#endif /* POLICY_DEFAULT_H */
