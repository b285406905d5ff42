// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_PROGRAMS_H
#define SIM_PROGRAMS_H

#include <ostream>
#include <string>

namespace ns3
{

/**
 * @brief Print what programs of ranks did: a line for each kind of collective and of mark, and for
 * each job, from collectives.csv, marks.csv, steps.csv and jobs.csv; nothing without these.
 *
 * Times are means and the longest one, in us; bus bandwidths are means, in GB/s, as nccl-tests has
 * them.
 * @param out where to
 * @param folder where the files are
 */
void PrintSimPrograms(std::ostream& out, const std::string& folder);

} // namespace ns3

#endif /* SIM_PROGRAMS_H */
