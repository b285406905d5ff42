// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

/**
 * @ingroup dcfabric-sim
 * @brief Let the heap of this process lie on huge pages where the system offers them.
 *
 * A large fabric touches a dozen places of memory for each packet and hop; on pages of 4 kB most of
 * them miss the translation buffer as well as the cache. Reserves address space, not memory. To be
 * called before anything large is allocated; does nothing where it is not known how.
 */
void UseHugePages();

#endif /* SIM_MEMORY_H */
