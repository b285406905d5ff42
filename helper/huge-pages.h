// SPDX-License-Identifier: GPL-2.0-only
#ifndef HUGE_PAGES_H
#define HUGE_PAGES_H

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Let the heap of this process lie on huge pages where the system offers them.
 *
 * A large fabric touches a dozen places of memory for each packet and hop; on pages of 4 kB most of
 * them miss the translation buffer as well as the cache. Reserves address space, not memory. To be
 * called before anything large is allocated; does nothing where it is not known how.
 */
void UseHugePages();

} // namespace ns3

#endif /* HUGE_PAGES_H */
