// SPDX-License-Identifier: GPL-2.0-only
#include "htsim-topology-file.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-text-file.h"
#include "ns3/fabric-time.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace ns3
{

bool
HtsimTopologyFile::Tier::operator==(const Tier& o) const
{
    const auto tie = [](const Tier& t) {
        return std::tie(t.downlinkBps,
                        t.radixUp,
                        t.radixDown,
                        t.queueUp,
                        t.queueDown,
                        t.oversubscribed,
                        t.bundle,
                        t.switchLatencyPs,
                        t.downlinkLatencyPs);
    };
    return tie(*this) == tie(o);
}

namespace
{

using TopoFile = HtsimTopologyFile;

constexpr uint32_t MAX_RADIX = 1U << 20;          //!< ports of a switch
constexpr uint64_t MAX_QUEUE = UINT32_MAX - 1;    //!< bytes; one more is no limit
constexpr uint64_t MAX_LINKS = 64U * 1024 * 1024; //!< of a topology

/// Reads one file.
class Parser
{
  public:
    /// @param path file to read
    explicit Parser(const std::string& path)
        : m_reader(path, '#')
    {
        m_file.path = path;
    }

    /// @return its contents
    TopoFile Parse()
    {
        while (m_reader.Next())
        {
            const std::string key = m_reader.GetLower(0);
            m_reader.ExpectFields(2, m_reader.GetFields()[0] + " value");
            if (key == "tier")
            {
                BeginTier();
            }
            else if (m_tier < 0)
            {
                ReadHeader(key);
            }
            else
            {
                ReadTier(key);
            }
        }
        CheckHeader();
        if (std::find(m_done.begin(), m_done.end(), false) != m_done.end())
        {
            m_reader.Refuse(
                "the file ends without tier " +
                std::to_string(std::find(m_done.begin(), m_done.end(), false) - m_done.begin()));
        }
        for (uint32_t k = 0; k < m_nTiers; k++)
        {
            CheckTier(k);
        }
        return m_file;
    }

  private:
    /// Begin a line `Tier k`.
    void BeginTier()
    {
        CheckHeader();
        const uint64_t k = m_reader.GetUint(1, "Tier", 0, m_nTiers - 1);
        if (m_done[k])
        {
            m_reader.Refuse("tier " + std::to_string(k) + " is given twice");
        }
        m_done[k] = true;
        m_file.tiers[k].line = m_reader.GetLine();
        m_tier = static_cast<int>(k);
        m_seen.clear();
    }

    /// Refuse a key that was there.
    void CheckNew(const std::string& key)
    {
        if (!m_seen.insert(key).second)
        {
            m_reader.Refuse(m_reader.GetFields()[0] + " is given twice");
        }
    }

    /// Refuse what cannot follow without a complete header.
    void CheckHeader()
    {
        const std::pair<const char*, uint32_t> needed[] = {{"Nodes", m_file.nodes},
                                                           {"Tiers", m_nTiers},
                                                           {"Podsize", m_file.podSize}};
        for (const auto& [name, value] : needed)
        {
            if (value == 0)
            {
                m_reader.Refuse(std::string("the header has no ") + name);
            }
        }
    }

    /// Read a line of the header.
    void ReadHeader(const std::string& key)
    {
        CheckNew(key);
        if (key == "nodes")
        {
            m_file.nodes = GetUint(1, FabricGraph::MAX_NODES);
        }
        else if (key == "tiers")
        {
            m_nTiers = GetUint(2, 3);
            m_file.tiers.resize(m_nTiers);
            m_done.resize(m_nTiers, false);
        }
        else if (key == "podsize")
        {
            m_file.podSize = GetUint(1, FabricGraph::MAX_NODES);
            m_file.podLine = m_reader.GetLine();
        }
        else
        {
            m_reader.Refuse("unknown key " + QuoteFabricText(m_reader.GetFields()[0]) +
                            " in the header; known: Nodes, Tiers, Podsize, then Tier");
        }
    }

    /// Read a line of a tier.
    void ReadTier(const std::string& key)
    {
        CheckNew(key);
        TopoFile::Tier& tier = m_file.tiers[m_tier];
        const bool top = m_tier + 1 == static_cast<int>(m_nTiers);
        if (top && (key == "radix_up" || key == "queue_up"))
        {
            m_reader.Refuse(m_reader.GetFields()[0] + ": the top tier has no ports upwards");
        }
        if (key == "downlink_speed_gbps")
        {
            CheckPlain();
            tier.downlinkBps = ParseFabricRateBps(m_reader.GetFields()[1] + "Gbps", Where());
            if (tier.downlinkBps == 0 || tier.downlinkBps > AttributeRange::MAX_RATE_BPS)
            {
                m_reader.Refuse("Downlink_speed_Gbps must be above 0 and at most 1000000");
            }
        }
        else if (key == "radix_up")
        {
            tier.radixUp = GetUint(1, MAX_RADIX);
        }
        else if (key == "radix_down")
        {
            tier.radixDown = GetUint(1, MAX_RADIX);
        }
        else if (key == "queue_up")
        {
            tier.queueUp = m_reader.GetUint(1, "Queue_Up", 1, MAX_QUEUE);
        }
        else if (key == "queue_down")
        {
            tier.queueDown = m_reader.GetUint(1, "Queue_Down", 1, MAX_QUEUE);
        }
        else if (key == "oversubscribed")
        {
            tier.oversubscribed = GetUint(1, MAX_RADIX);
            m_oversubscribedLines[m_tier] = m_reader.GetLine();
        }
        else if (key == "bundle")
        {
            tier.bundle = GetUint(1, MAX_RADIX);
        }
        else if (key == "switch_latency_ns")
        {
            tier.switchLatencyPs = GetNanoseconds(0);
            if (tier.switchLatencyPs % 2 != 0)
            {
                m_reader.Refuse("Switch_Latency_ns " + m_reader.GetFields()[1] +
                                " is not a multiple of 0.002 ns");
            }
        }
        else if (key == "downlink_latency_ns")
        {
            tier.downlinkLatencyPs = GetNanoseconds(1);
        }
        else
        {
            m_reader.Refuse(
                "unknown key " + QuoteFabricText(m_reader.GetFields()[0]) + " of tier " +
                std::to_string(m_tier) +
                "; known: Downlink_speed_Gbps, Radix_Up, Radix_Down, Queue_Up, Queue_Down, "
                "Oversubscribed, Bundle, Switch_Latency_ns, Downlink_Latency_ns");
        }
    }

    /// Refuse a tier that lacks something.
    void CheckTier(uint32_t k)
    {
        const TopoFile::Tier& tier = m_file.tiers[k];
        const auto missing = [this, k](const char* key) {
            m_reader.RefuseLine(m_file.tiers[k].line,
                                "tier " + std::to_string(k) + " has no " + key);
        };
        if (tier.downlinkBps == 0)
        {
            missing("Downlink_speed_Gbps");
        }
        if (tier.radixDown == 0)
        {
            missing("Radix_Down");
        }
        if (tier.radixUp == 0 && k + 1 < m_nTiers)
        {
            missing("Radix_Up");
        }
        if (tier.downlinkLatencyPs == 0)
        {
            missing("Downlink_Latency_ns");
        }
        if (tier.oversubscribed != 0)
        {
            CheckOversubscription(k);
        }
    }

    /// Refuse a ratio that the other keys do not have.
    void CheckOversubscription(uint32_t k)
    {
        const TopoFile::Tier& tier = m_file.tiers[k];
        if (k + 1 == m_nTiers)
        {
            if (tier.oversubscribed != 1)
            {
                m_reader.RefuseLine(m_oversubscribedLines[k],
                                    "Oversubscribed: the top tier has no links upwards");
            }
            return;
        }
        const auto down = static_cast<__uint128_t>(tier.radixDown) * tier.downlinkBps;
        const auto up = static_cast<__uint128_t>(tier.radixUp) * m_file.tiers[k + 1].downlinkBps;
        if (down != up * tier.oversubscribed)
        {
            const double ratio = static_cast<double>(down) / static_cast<double>(up);
            m_reader.RefuseLine(m_oversubscribedLines[k],
                                "Oversubscribed is " + std::to_string(tier.oversubscribed) +
                                    ", but Radix_Down x Downlink_speed_Gbps over Radix_Up x that "
                                    "of the next tier is " +
                                    std::to_string(ratio));
        }
    }

    /// @return place of the present value, for messages
    std::string Where() const
    {
        return m_reader.GetPlace() + ": " + m_reader.GetFields()[0];
    }

    /// Refuse a value that is more than a decimal number.
    void CheckPlain() const
    {
        const std::string& text = m_reader.GetFields()[1];
        if (text.find_first_not_of("0123456789.") != std::string::npos)
        {
            m_reader.Refuse(m_reader.GetFields()[0] + ": " + QuoteFabricText(text) +
                            " is not a number without sign and unit");
        }
    }

    /// @return the present value
    uint32_t GetUint(uint32_t min, uint32_t max) const
    {
        return static_cast<uint32_t>(
            m_reader.GetUint(1, m_reader.GetFields()[0].c_str(), min, max));
    }

    /// @return the present value, ps
    int64_t GetNanoseconds(int64_t minPs) const
    {
        CheckPlain();
        const int64_t ps = ParseFabricTimePs(m_reader.GetFields()[1] + "ns", Where());
        if (ps < minPs || ps > FabricGraph::MAX_DELAY_PS / 4)
        {
            m_reader.Refuse(m_reader.GetFields()[0] + ": " + m_reader.GetFields()[1] +
                            " ns is outside " + (minPs == 0 ? "0" : "1 ps") + " to 0.25 s");
        }
        return ps;
    }

    FabricTextReader m_reader;                  //!< the file
    TopoFile m_file;                            //!< contents
    uint32_t m_nTiers{0};                       //!< Tiers
    int m_tier{-1};                             //!< present tier, -1 in the header
    std::set<std::string> m_seen;               //!< keys of the present tier
    std::vector<bool> m_done;                   //!< tiers that were there
    uint32_t m_oversubscribedLines[3]{0, 0, 0}; //!< lines of Oversubscribed
};

/// How many switches there are.
struct Layout
{
    uint32_t pods{0};        //!< number of pods
    uint32_t hostsPerTor{0}; //!< hosts of a ToR
    uint32_t torsPerPod{0};  //!< ToRs of a pod
    uint32_t aggsPerPod{0};  //!< aggregation switches of a pod
    uint32_t cores{0};       //!< core switches
};

/**
 * @return what follows from them
 * @throws FabricError if they do not fit one another
 */
Layout
ComputeLayout(const TopoFile& file)
{
    uint32_t line = file.podLine;
    const auto check = [&file, &line](bool good, const std::string& why) {
        if (!good)
        {
            throw FabricError(file.path + (line > 0 ? ":" + std::to_string(line) : "") + ": " +
                              why);
        }
    };
    const auto number = [](uint64_t value) { return std::to_string(value); };
    const auto divide = [&](const char* a, uint64_t x, const char* b, uint64_t y) {
        check(y != 0 && x % y == 0 && x != 0,
              std::string(a) + " (" + number(x) + ") is not a multiple of " + b + " (" + number(y) +
                  ")");
        return static_cast<uint32_t>(x / y);
    };
    check(file.tiers.size() == 2 || file.tiers.size() == 3, "there must be 2 or 3 tiers");
    const TopoFile::Tier& tor = file.tiers[0];
    const TopoFile::Tier& agg = file.tiers[1];
    Layout layout;
    layout.pods = divide("Nodes", file.nodes, "Podsize", file.podSize);
    check(file.tiers.size() == 3 || layout.pods == 1,
          "with 2 tiers all hosts are one pod: Podsize (" + number(file.podSize) +
              ") must be Nodes (" + number(file.nodes) + ")");
    line = tor.line;
    layout.hostsPerTor =
        divide("Radix_Down of tier 0", tor.radixDown, "Bundle of tier 0", tor.bundle);
    layout.torsPerPod =
        divide("Podsize", file.podSize, "the number of hosts of a ToR", layout.hostsPerTor);
    layout.aggsPerPod = divide("Radix_Up of tier 0", tor.radixUp, "Bundle of tier 1", agg.bundle);
    line = agg.line;
    check(uint64_t{layout.torsPerPod} * agg.bundle == agg.radixDown,
          "Radix_Down of tier 1 (" + number(agg.radixDown) + ") must be the " +
              number(layout.torsPerPod) + " ToRs of a pod times the Bundle of " +
              number(agg.bundle) + ", or " + number(uint64_t{layout.torsPerPod} * agg.bundle));
    uint64_t links =
        uint64_t{file.nodes} * tor.bundle + uint64_t{layout.pods} * layout.torsPerPod * tor.radixUp;
    if (file.tiers.size() == 3)
    {
        const TopoFile::Tier& core = file.tiers[2];
        const uint32_t perAgg =
            divide("Radix_Up of tier 1", agg.radixUp, "Bundle of tier 2", core.bundle);
        line = core.line;
        check(uint64_t{layout.pods} * core.bundle == core.radixDown,
              "Radix_Down of tier 2 (" + number(core.radixDown) + ") must be the " +
                  number(layout.pods) + " pods times the Bundle of " + number(core.bundle) +
                  ", or " + number(uint64_t{layout.pods} * core.bundle));
        check(uint64_t{layout.aggsPerPod} * perAgg < FabricGraph::MAX_NODES,
              "there are too many core switches");
        layout.cores = layout.aggsPerPod * perAgg;
        links += uint64_t{layout.pods} * layout.aggsPerPod * agg.radixUp;
    }
    line = 0;
    const uint64_t switches =
        uint64_t{layout.pods} * (uint64_t{layout.torsPerPod} + layout.aggsPerPod) + layout.cores;
    check(switches + file.nodes <= FabricGraph::MAX_NODES && links <= MAX_LINKS,
          "the network has " + number(switches + file.nodes) + " nodes and " + number(links) +
              " links; at most " + number(FabricGraph::MAX_NODES) + " and " + number(MAX_LINKS) +
              " are laid");
    return layout;
}

} // namespace

FabricGraph
HtsimTopologyFile::BuildGraph() const
{
    const Layout layout = ComputeLayout(*this);
    const uint32_t tors = layout.pods * layout.torsPerPod;
    const uint32_t aggs = layout.pods * layout.aggsPerPod;
    FabricGraph graph;
    for (uint32_t i = 0; i < nodes; i++)
    {
        graph.AddHost(i / podSize);
    }
    for (uint32_t i = 0; i < tors; i++)
    {
        graph.AddSwitch(1, i / layout.torsPerPod, "tor-" + std::to_string(i));
    }
    for (uint32_t i = 0; i < aggs; i++)
    {
        graph.AddSwitch(2, i / layout.aggsPerPod, "agg-" + std::to_string(i));
    }
    for (uint32_t i = 0; i < layout.cores; i++)
    {
        graph.AddSwitch(3, 0, "core-" + std::to_string(i));
    }
    const auto join = [this, &graph](uint32_t lower, uint32_t upper, size_t tier) {
        const Tier& above = tiers[tier];
        // the part of the latency of both ends, see BuildGraph(); hosts have none
        const int64_t switches =
            above.switchLatencyPs / 2 + (tier > 0 ? tiers[tier - 1].switchLatencyPs / 2 : 0);
        for (uint32_t b = 0; b < above.bundle; b++)
        {
            const uint32_t link =
                graph.AddLink(lower, upper, above.downlinkBps, above.downlinkLatencyPs + switches);
            graph.SetQueueLimits(link, tier > 0 ? tiers[tier - 1].queueUp : 0, above.queueDown);
        }
    };
    const uint32_t firstTor = nodes;
    const uint32_t firstAgg = firstTor + tors;
    const uint32_t firstCore = firstAgg + aggs;
    for (uint32_t i = 0; i < nodes; i++)
    {
        join(i, firstTor + i / layout.hostsPerTor, 0);
    }
    for (uint32_t i = 0; i < tors; i++)
    {
        for (uint32_t j = 0; j < layout.aggsPerPod; j++)
        {
            join(firstTor + i, firstAgg + i / layout.torsPerPod * layout.aggsPerPod + j, 1);
        }
    }
    for (uint32_t i = 0; layout.cores > 0 && i < aggs; i++)
    {
        for (uint32_t c = i % layout.aggsPerPod; c < layout.cores; c += layout.aggsPerPod)
        {
            join(firstAgg + i, firstCore + c, 2);
        }
    }
    try
    {
        graph.Validate();
    }
    catch (const FabricError& error)
    {
        throw FabricError(ShowFabricPath(path) + ": " + error.what());
    }
    return graph;
}

HtsimTopologyFile
ReadHtsimTopology(const std::string& path)
{
    TopoFile file = Parser(path).Parse();
    ComputeLayout(file);
    return file;
}

void
WriteHtsimTopology(const HtsimTopologyFile& file, const std::string& path)
{
    std::string text = "Nodes " + std::to_string(file.nodes) + "\nTiers " +
                       std::to_string(file.tiers.size()) + "\nPodsize " +
                       std::to_string(file.podSize) + "\n";
    const auto line = [&text](const char* key, const std::string& value, bool wanted = true) {
        text += wanted ? std::string(key) + " " + value + "\n" : "";
    };
    for (size_t k = 0; k < file.tiers.size(); k++)
    {
        const TopoFile::Tier& tier = file.tiers[k];
        text += "\nTier " + std::to_string(k) + "\n";
        line("Downlink_speed_Gbps", FormatFabricDecimal(tier.downlinkBps, BPS_PER_GBPS));
        line("Radix_Down", std::to_string(tier.radixDown));
        line("Radix_Up", std::to_string(tier.radixUp), tier.radixUp != 0);
        line("Queue_Down", std::to_string(tier.queueDown), tier.queueDown != 0);
        line("Queue_Up", std::to_string(tier.queueUp), tier.queueUp != 0);
        line("Oversubscribed", std::to_string(tier.oversubscribed), tier.oversubscribed != 0);
        line("Bundle", std::to_string(tier.bundle), tier.bundle != 1);
        line(
            "Switch_Latency_ns",
            FormatFabricDecimal(static_cast<uint64_t>(tier.switchLatencyPs), FabricTime::PS_PER_NS),
            tier.switchLatencyPs != 0);
        line("Downlink_Latency_ns",
             FormatFabricDecimal(static_cast<uint64_t>(tier.downlinkLatencyPs),
                                 FabricTime::PS_PER_NS));
    }
    WriteFabricTextFile(path, text);
}

} // namespace ns3
