// SPDX-License-Identifier: GPL-2.0-only
#include "placed-jobs.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

#include <memory>
#include <set>
#include <utility>

namespace ns3
{

namespace
{

/// @return a job, for messages
std::string
NameJob(const RankJob& job)
{
    const std::string& name = job.GetParts().front().name;
    return name.empty() ? "the job" : "job " + name;
}

/// Give a job its hosts. @param taken by others; its own are added
void
PlaceJob(JobRequest& request, std::set<uint32_t>& taken)
{
    const std::size_t wanted = request.job.GetPlaces().size();
    std::vector<uint32_t> own;
    for (const uint32_t place : request.places)
    {
        if (own.size() < wanted && (request.fixed || taken.count(place) == 0))
        {
            own.push_back(place);
        }
    }
    if (own.size() < wanted)
    {
        const std::size_t others = request.places.size() - own.size();
        throw FabricError(
            NameJob(request.job) + " needs " + FormatFabricCount(wanted, "host") + ", and there " +
            (own.size() == 1 ? "is " : "are ") + std::to_string(own.size()) + " for it" +
            (request.fixed ? std::string(" in its list")
                           : ": other jobs have " + std::to_string(others) + " of " +
                                 std::to_string(request.places.size())) +
            "; put more ranks on each, or choose a larger " + FabricTerm::Option("topology"));
    }
    request.job.Move(own);
    taken.insert(own.begin(), own.end());
}

} // namespace

RankJob
PlaceJobs(std::vector<JobRequest> jobs)
{
    std::set<uint32_t> taken;
    for (const bool fixed : {true, false})
    {
        for (JobRequest& request : jobs)
        {
            if (request.fixed == fixed)
            {
                PlaceJob(request, taken);
            }
        }
    }
    std::unique_ptr<RankJob> all;
    for (JobRequest& request : jobs)
    {
        if (!all && !request.isMute)
        {
            all = std::make_unique<RankJob>(std::move(request.job));
        }
        else if (!request.isMute)
        {
            all->Append(request.job);
        }
    }
    return std::move(*all);
}

} // namespace ns3
