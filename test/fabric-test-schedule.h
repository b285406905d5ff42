// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_SCHEDULE_H
#define FABRIC_TEST_SCHEDULE_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <functional>
#include <utility>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Calls at a later time.
 */

namespace ns3::tests
{

/**
 * @brief Call it.
 * @param function what to call
 */
inline void
CallNow(std::function<void()> function)
{
    function();
}

/**
 * @param delay from now on
 * @param function what to call
 * @return the event; ns-3.35 makes none of a lambda
 */
inline EventId
CallIn(Time delay, std::function<void()> function)
{
    return Simulator::Schedule(delay, &CallNow, std::move(function));
}

} // namespace ns3::tests

#endif /* FABRIC_TEST_SCHEDULE_H */
