// SPDX-License-Identifier: GPL-2.0-only
#include "channel-classes.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

/// @return the classes of a comma list, which begins with that of the sender
std::vector<uint8_t>
ReadChannelList(const ChannelNeeds& needs,
                const char* attribute,
                const std::string& text,
                uint8_t sender)
{
    std::vector<uint8_t> classes;
    std::istringstream in(text);
    std::string word;
    while (std::getline(in, word, ','))
    {
        if (word.size() != 1 || word[0] < '0' || word[0] > '7')
        {
            throw FabricError(FabricTerm::Attribute(needs.routing, attribute) + ": \"" + text +
                              "\" is no list of classes, 0 to 7, such as " +
                              std::to_string(sender) + ",1");
        }
        classes.push_back(static_cast<uint8_t>(word[0] - '0'));
    }
    if (classes.front() != sender || classes.size() != needs.nChannels)
    {
        throw FabricError(FabricTerm::Attribute(needs.routing, attribute) + " is \"" + text +
                          "\", but it needs " + std::to_string(needs.nChannels) +
                          " classes, the first of them that of the hosts, " +
                          std::to_string(sender) + "; list so many, or none");
    }
    return classes;
}

} // namespace

std::vector<std::vector<uint8_t>>
AssignChannelClasses(const ChannelNeeds& needs)
{
    std::vector<std::vector<uint8_t>> families;
    uint8_t used = needs.takenClasses;
    const auto take = [&](uint8_t priority) {
        if ((used >> priority) & 1)
        {
            throw FabricError(FabricTerm::Class(needs.routing) + " has class " +
                              std::to_string(priority) +
                              " as a virtual channel, but it is used otherwise; list another one "
                              "in DataClasses or ControlClasses");
        }
        used |= 1U << priority;
    };
    const auto senders = static_cast<uint8_t>((1U << needs.dataClass) | (1U << needs.controlClass) |
                                              needs.otherClasses);
    for (uint8_t c = 0; c < 8; ++c)
    {
        if ((senders >> c) & 1)
        {
            const bool isData = c == needs.dataClass;
            const std::string& chosen = isData                    ? needs.data
                                        : c == needs.controlClass ? needs.control
                                                                  : std::string();
            families.push_back(
                chosen.empty()
                    ? std::vector<uint8_t>{c}
                    : ReadChannelList(needs, isData ? "DataClasses" : "ControlClasses", chosen, c));
        }
    }
    for (const std::vector<uint8_t>& family : families)
    {
        std::for_each(family.begin(), family.end(), take);
    }
    for (std::vector<uint8_t>& family : families)
    {
        const int first = family.front();
        const int side = first == needs.dataClass ? -1 : 1;
        for (const int step : {side, -side})
        {
            for (int c = first + step; c >= 0 && c < 8 && family.size() < needs.nChannels;
                 c += step)
            {
                if (((used >> c) & 1) == 0)
                {
                    take(static_cast<uint8_t>(c));
                    family.push_back(static_cast<uint8_t>(c));
                }
            }
        }
        if (family.size() < needs.nChannels)
        {
            throw FabricError(
                FabricTerm::Class(needs.routing),
                " needs " + std::to_string(needs.nChannels) + " virtual channels for each of the " +
                    std::to_string(families.size()) +
                    " classes of hosts under a lossless flow control, but there are 8 classes in "
                    "all",
                {FabricRemedy::Use("fewer classes (one for data and control)"),
                 FabricRemedy::Use(FabricTerm::Any("ns3::RoutingAlgorithm", "another", "routing")),
                 FabricRemedy::Use(FabricTerm::None("ns3::LinkFlowControl", "flow control"))});
        }
    }
    return families;
}

} // namespace ns3
