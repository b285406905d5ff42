// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_WARNING_H
#define FABRIC_WARNING_H

#include "ns3/fabric-text.h"

#include <functional>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Tell the user of something that is no error, but that he should know: input that was not
 * taken as it stands.
 *
 * One line on standard error, `warning: TEXT`, unless SetFabricWarningSink() says otherwise.
 *
 * @param text what, where, and what was made of it
 */
void WarnFabric(const FabricText& text);

/**
 * @ingroup dcfabric
 * @brief Take warnings instead of standard error. Of the process, not of a network: files are read
 * before there is one.
 * @param sink gets the text of each warning; empty: standard error again
 * @return the sink before
 */
std::function<void(const FabricText&)> SetFabricWarningSink(
    std::function<void(const FabricText&)> sink);

/**
 * @ingroup dcfabric
 * @brief Tell the user what was found or decided, which he need not change.
 *
 * One line on standard error, `note: TEXT`, unless SetFabricNoteSink() says otherwise.
 *
 * @param text what and where
 */
void NoteFabric(const FabricText& text);

/**
 * @ingroup dcfabric
 * @brief Take notes instead of standard error, as SetFabricWarningSink() does warnings.
 * @param sink gets the text of each note; empty: standard error again
 * @return the sink before
 */
std::function<void(const FabricText&)> SetFabricNoteSink(
    std::function<void(const FabricText&)> sink);

} // namespace ns3

#endif /* FABRIC_WARNING_H */
