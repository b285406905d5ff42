// SPDX-License-Identifier: GPL-2.0-only
#include "rank-operation.h"

#include "ns3/rank-collective.h"

namespace ns3
{

constexpr uint32_t RankOperation::ANY_NAME;
constexpr uint32_t RankOperation::MAX_CHANNELS;

namespace
{

/// @return name of what blocks
const char*
NameOfKind(const RankOperation& operation)
{
    switch (operation.kind)
    {
    case RankOperation::Kind::SEND:
        return "send";
    case RankOperation::Kind::RECV:
        return "recv";
    case RankOperation::Kind::PUT:
        return "put";
    case RankOperation::Kind::GET:
        return "get";
    case RankOperation::Kind::WAIT:
        return "wait";
    case RankOperation::Kind::COLLECTIVE:
        return GetRankCollectives()[operation.collective].name;
    case RankOperation::Kind::COMPUTE:
        return "compute";
    case RankOperation::Kind::MARK:
    case RankOperation::Kind::MARK_BEGIN:
    case RankOperation::Kind::MARK_END:
        return "mark";
    case RankOperation::Kind::REPEAT:
    case RankOperation::Kind::NEXT:
        return "repeat";
    case RankOperation::Kind::UNTIL:
    case RankOperation::Kind::AGAIN:
        return "until";
    case RankOperation::Kind::IF:
        return "if";
    case RankOperation::Kind::END:
        return "end";
    }
    return "";
}

} // namespace

std::string
NameRankOperation(const RankOperation& operation)
{
    return std::string(operation.blocking ? "" : "i") + NameOfKind(operation);
}

} // namespace ns3
