// SPDX-License-Identifier: GPL-2.0-only
#include "global-links.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"

namespace ns3
{

namespace
{

/// Where a port of a round leads.
struct RoundEnd
{
    uint32_t group; //!< the other group
    uint32_t port;  //!< port of the round there
};

/// How a round of ports joins groups.
struct GlobalArrangement
{
    std::string name; //!< as users write it

    /**
     * @param i group
     * @param d port of the round, below g - 1
     * @param g groups
     * @return far end
     */
    RoundEnd (*getEnd)(uint32_t i, uint32_t d, uint32_t g);
};

RoundEnd
GetAbsoluteEnd(uint32_t i, uint32_t d, uint32_t /*g*/)
{
    const uint32_t group = d < i ? d : d + 1;
    return {group, i < group ? i : i - 1};
}

RoundEnd
GetRelativeEnd(uint32_t i, uint32_t d, uint32_t g)
{
    return {(i + d + 1) % g, g - 2 - d};
}

RoundEnd
GetPalmTreeEnd(uint32_t i, uint32_t d, uint32_t g)
{
    return {(i + g - d - 1) % g, g - 2 - d};
}

RoundEnd
GetCirculantEnd(uint32_t i, uint32_t d, uint32_t g)
{
    const uint32_t offset = d / 2 + 1;
    if (2 * offset == g)
    {
        // the group across, which is as far either way
        return {(i + offset) % g, d};
    }
    return d % 2 == 0 ? RoundEnd{(i + offset) % g, d + 1} : RoundEnd{(i + g - offset) % g, d - 1};
}

const std::vector<GlobalArrangement> g_globalArrangements = {
    {"absolute", &GetAbsoluteEnd},
    {"relative", &GetRelativeEnd},
    {"palm-tree", &GetPalmTreeEnd},
    {"circulant", &GetCirculantEnd},
};

} // namespace

std::vector<GlobalLink>
ArrangeGlobalLinks(const std::string& arrangement, uint32_t groups, uint32_t ports)
{
    const auto& rule = FindFabricName(g_globalArrangements, arrangement, "arrangement");
    if (groups < 1 || groups - 1 > ports)
    {
        throw FabricError("groups=" + std::to_string(groups) +
                          " cannot all reach one another: a group has " + std::to_string(ports) +
                          " global links, enough for 1 to " + std::to_string(uint64_t{ports} + 1) +
                          " groups (groups=0: as many as fit)");
    }
    std::vector<GlobalLink> links;
    const uint32_t round = groups - 1;
    if (round == 0)
    {
        return links;
    }
    const uint32_t used = ports / round * round;
    links.reserve(size_t{groups} * used / 2);
    for (uint32_t i = 0; i < groups; i++)
    {
        for (uint32_t port = 0; port < used; port++)
        {
            const RoundEnd end = rule.getEnd(i, port % round, groups);
            if (i < end.group)
            {
                links.push_back({i, port, end.group, port / round * round + end.port});
            }
        }
    }
    return links;
}

std::vector<std::string>
GetGlobalArrangements()
{
    std::vector<std::string> names;
    names.reserve(g_globalArrangements.size());
    for (const auto& rule : g_globalArrangements)
    {
        names.push_back(rule.name);
    }
    return names;
}

} // namespace ns3
