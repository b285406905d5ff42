// SPDX-License-Identifier: GPL-2.0-only
#include "job-placement.h"

#include "ns3/fabric-text-file.h"
#include "ns3/string.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The hosts that a file lists: numbers between blanks and line ends, counted from 0 as in
 * `place`.
 *
 * The job gets them even if others have some of them, too.
 */
class FilePlacement : public JobPlacement
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::vector<uint32_t> ListPlaces(const FabricGraph& graph) override;

    bool IsFixed() const override
    {
        return true;
    }

  private:
    std::string m_path; //!< attribute Path
};

NS_OBJECT_ENSURE_REGISTERED(FilePlacement);

namespace
{

[[maybe_unused]] const bool g_hasFilePlacement =
    GetJobPlacementTable().Add("by-rail",
                               {{"file",
                                 "ns3::FilePlacement",
                                 {{"PATH", "Path"}},
                                 "hosts that a file lists",
                                 "PATH",
                                 &FillFabricArgument}});

} // namespace

TypeId
FilePlacement::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FilePlacement")
                            .SetParent<JobPlacement>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<FilePlacement>()
                            .AddAttribute("Path",
                                          "File with the hosts.",
                                          StringValue(""),
                                          MakeStringAccessor(&FilePlacement::m_path),
                                          MakeStringChecker());
    return tid;
}

std::vector<uint32_t>
FilePlacement::ListPlaces(const FabricGraph& graph)
{
    std::vector<uint32_t> places;
    std::vector<bool> taken(graph.GetNHosts(), false);
    FabricTextReader reader(m_path, '#');
    while (reader.Next())
    {
        for (std::size_t field = 0; field < reader.GetFields().size(); ++field)
        {
            const auto place =
                static_cast<uint32_t>(reader.GetUint(field, "host", 0, graph.GetNHosts() - 1));
            if (taken[place])
            {
                reader.Refuse("host " + std::to_string(place) + " occurs twice");
            }
            taken[place] = true;
            places.push_back(place);
        }
    }
    return places;
}

} // namespace ns3
