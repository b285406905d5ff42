// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_WORKLOAD_FACTORY_H
#define FABRIC_WORKLOAD_FACTORY_H

#include "fabric-workload.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a user may say about any workload beside its own keys; empty means not given.
 */
struct FabricWorkloadOptions
{
    std::string load;     //!< offered load, 0 < load, such as `0.5`
    std::string duration; //!< span in which flows arrive, such as `2ms`
};

/**
 * @ingroup dcfabric
 * @brief Make a workload from its command line form.
 *
 * `websearch`, `hadoop`, `enterprise`, `datamining`, `alistorage`, `googlerpc`, `cdf:PATH` (Poisson
 * arrivals; take load and duration), `hotspot:traffic=0.85,hosts=0.15,sizes=websearch` (or
 * `size=1MB`; the same arrivals, most of them to few hosts), `permutation:size=2MB`,
 * `incast:fan-in=16,size=1MB,dst=0`, `pairs:size=2MB` (on a dumbbell sender i to receiver i),
 * `alltoall:size=100kB`, `allreduce-ring:size=1MB`, `allreduce-hd:size=1MB`, `flows:PATH` (HPCC or
 * ConWeave flow file), `cm:PATH,unit=us` (htsim connection matrix). Keys left out keep the
 * attribute's default.
 *
 * @param spec the command line form
 * @param options load and duration, where the user gave them
 * @return the workload
 * @throws FabricError for an unknown name or key (listing the known ones), a malformed value or CDF
 * file, or an option that has no effect on this workload
 */
Ptr<FabricWorkload> MakeFabricWorkload(
    const std::string& spec,
    const FabricWorkloadOptions& options = FabricWorkloadOptions());

} // namespace ns3

#endif /* FABRIC_WORKLOAD_FACTORY_H */
