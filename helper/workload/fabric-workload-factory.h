// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_WORKLOAD_FACTORY_H
#define FABRIC_WORKLOAD_FACTORY_H

#include "fabric-workload.h"

#include "ns3/fabric-form.h"
#include "ns3/named-table.h"

#include <cstdint>
#include <string>
#include <vector>

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
 * @return all workloads that a command line can name: a new one is a line of this table
 */
NamedTable<FabricForm>& GetFabricWorkloadTable();

/**
 * @ingroup dcfabric
 * @return the entries of GetFabricWorkloadTable()
 */
const std::vector<FabricForm>& GetFabricWorkloadForms();

/**
 * @ingroup dcfabric
 * @param text workloads with plus signs between them
 * @return each of them; in a path a sign is one only before the name of a workload
 */
std::vector<std::string> SplitFabricWorkloads(const std::string& text);

/**
 * @ingroup dcfabric
 * @brief A workload as a user writes it, and when it starts.
 */
struct FabricWorkloadText
{
    std::string spec;   //!< one of GetFabricWorkloadForms()
    int64_t startPs{0}; //!< how much later than it would, in ps
};

/**
 * @ingroup dcfabric
 * @brief Split a start off, as in `program:train.txt@3ms` or `websearch@1ms`.
 * @param text one of SplitFabricWorkloads()
 * @return the workload and its start. What follows the last `@` belongs to a path if it has a
 * slash, or if there is a file of that name
 * @throws FabricError if it is no time
 */
FabricWorkloadText SplitFabricStart(const std::string& text);

/**
 * @ingroup dcfabric
 * @brief Make a workload from its command line form, such as `incast:fan-in=4` or `flows:PATH`,
 * or several at once, such as `alltoall+incast:fan-in=4@50us` (MixedWorkload).
 * @param spec one of GetFabricWorkloadForms(), or several with plus signs between them; keys left
 * out keep the attribute's default
 * @param options load and duration of Poisson arrivals, where the user gave them: of all parts that
 * have such
 * @return the workload
 * @throws FabricError for an unknown name or key (listing the known ones), a malformed value or CDF
 * file, or an option that has no effect on this workload
 */
Ptr<FabricWorkload> MakeFabricWorkload(
    const std::string& spec,
    const FabricWorkloadOptions& options = FabricWorkloadOptions());

} // namespace ns3

#endif /* FABRIC_WORKLOAD_FACTORY_H */
