// SPDX-License-Identifier: GPL-2.0-only
#include "collective-plan.h"

#include "collective-blocks.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-text-file.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

/// Most ranks of a dimension, and rows of a matrix.
constexpr uint64_t MAX_SIZE = 65536;
/// Most channels: each pair of ranks numbers them with eight bits.
constexpr uint64_t MAX_CHANNELS = 64;

/// @return a number of an option, or what stands for one that is not there
uint32_t
ReadCount(const std::string& text, const std::string& key, uint64_t most, uint32_t fallback)
{
    return text.empty() ? fallback : static_cast<uint32_t>(ParseFabricUint(text, key, 1, most));
}

/// Refuse an option that a collective has no use for.
void
RefuseOption(const std::string& name, const std::string& key, const std::string& why)
{
    throw FabricError(name + " has no " + key + "=: " + why);
}

/**
 * @param channel number of a channel
 * @param size number of ranks
 * @return how far the ring of this channel goes from place to place: 1, then back, then the next
 * number without common divisor; again from the first one if there are no more
 */
uint32_t
GetStride(uint32_t channel, uint32_t size)
{
    if (channel == 0 || size < 3)
    {
        return 1;
    }
    uint32_t rest = channel / 2;
    uint32_t stride = 1;
    while (rest > 0)
    {
        ++stride;
        if (2 * uint64_t{stride} >= size)
        {
            stride = 1; // all are taken; with stride 1 it begins anew
            --rest;
        }
        else if (std::gcd(stride, size) == 1)
        {
            --rest;
        }
    }
    return channel % 2 == 0 ? stride : size - stride;
}

/**
 * @param stride of a ring
 * @param size number of ranks, without common divisor
 * @return what it has to be multiplied by to give 1 modulo the size
 */
uint32_t
Invert(uint32_t stride, uint32_t size)
{
    // Euclid's algorithm, extended
    int64_t r = size;
    int64_t next = stride;
    int64_t t = 0;
    int64_t factor = 1;
    while (next != 0)
    {
        const int64_t quotient = r / next;
        r = std::exchange(next, r - quotient * next);
        t = std::exchange(factor, t - quotient * factor);
    }
    return static_cast<uint32_t>((t % size + size) % size);
}

} // namespace

constexpr uint32_t CollectivePlan::MAX_LANES;

CollectivePlan::CollectivePlan(const std::string& name, const CollectiveOptions& options)
    : m_chunks(ReadCount(options.chunks, "chunks", MAX_LANES, 0)),
      m_channels(ReadCount(options.channels, "channels", MAX_CHANNELS, 1)),
      m_window(ReadCount(options.window, "window", MAX_SIZE, 0))
{
    if (options.dims.empty())
    {
        m_collective = FindRankCollective(name, options.algorithm);
        const RankCollective& collective = GetRankCollectives()[m_collective];
        if (collective.byDims)
        {
            throw FabricError(name + " algorithm=" + collective.algorithm +
                              " needs dims=, the ranks in each dimension, such as dims=8x16");
        }
        m_parts = collective.addOther ? 2 : 1;
        if (collective.inNetwork && !(options.chunks.empty() && options.window.empty()))
        {
            RefuseOption(name,
                         options.chunks.empty() ? "window" : "chunks",
                         "switches add one packet after the other; ns3::HostReduction::Window says "
                         "how many are under way");
        }
        if (m_window > 0 && !collective.windowed)
        {
            RefuseOption(name,
                         "window",
                         std::string(collective.algorithm) +
                             " takes one step after the other; algorithm=direct has one");
        }
    }
    else
    {
        ReadDims(name, options);
    }
    if (GetRankCollectives()[m_collective].getBusFactor(2) == 0 &&
        !(options.chunks.empty() && options.channels.empty()))
    {
        RefuseOption(name, options.chunks.empty() ? "channels" : "chunks", "it has no data to cut");
    }
    if (uint64_t{std::max(m_chunks, 1U)} * m_channels * m_parts > MAX_LANES)
    {
        throw FabricError("chunks= times channels= is too large: each rank would take the steps of "
                          "more than " +
                          std::to_string(MAX_LANES) + " parts by themselves");
    }
    ReadMatrix(name, options);
    const bool defaultChunks = m_chunks == 0 && !GetRankCollectives()[m_collective].getChunks;
    m_chunks = defaultChunks ? 1 : m_chunks;
    m_simple = m_phases.empty() && m_parts * m_chunks * m_channels == 1;
}

void
CollectivePlan::ReadDims(const std::string& name, const CollectiveOptions& options)
{
    std::string text = options.dims;
    std::replace(text.begin(), text.end(), 'x', ',');
    for (const std::string& item : SplitFabricList(text))
    {
        m_dims.push_back(static_cast<uint32_t>(
            ParseFabricUint(item, "dims '" + options.dims + "'", 1, MAX_SIZE)));
    }
    std::vector<std::string> known;
    for (const RankCollective& one : GetRankCollectives())
    {
        if (one.byDims)
        {
            known.emplace_back(one.name);
        }
    }
    if (std::find(known.begin(), known.end(), name) == known.end())
    {
        FindRankCollective(name, ""); // refuses what is none at all
        RefuseOption(name, "dims", "those that have are " + JoinFabricNames(known));
    }
    const auto count = static_cast<uint32_t>(m_dims.size());
    std::vector<std::string> algorithms = SplitFabricList(options.algorithm);
    if (algorithms.empty() || (algorithms.size() == 1 && algorithms[0] == "hierarchical"))
    {
        algorithms.assign(1, "ring");
    }
    if (algorithms.size() == 1)
    {
        algorithms.resize(count, algorithms[0]);
    }
    if (algorithms.size() != count)
    {
        throw FabricError("algorithm '" + options.algorithm + "' has " +
                          std::to_string(algorithms.size()) + " names, dims '" + options.dims +
                          "' has " + FormatFabricCount(count, "dimension") +
                          "; give one for all, or one for each");
    }
    m_collective = FindRankCollective(name, "hierarchical");
    bool windowed = false;
    const auto add = [&](const std::string& operation, uint32_t dim) {
        const uint32_t collective = FindRankCollective(operation, algorithms[dim]);
        const RankCollective& one = GetRankCollectives()[collective];
        if (one.byDims)
        {
            throw FabricError("algorithm '" + options.algorithm +
                              "': a dimension cannot be hierarchical again; give all dims");
        }
        if (one.inNetwork)
        {
            throw FabricError("algorithm '" + options.algorithm +
                              "': switches do not add along a dimension; leave dims= out, or make "
                              "groups of the ranks of each dimension");
        }
        m_phases.push_back({collective, dim});
        m_parts = one.addOther ? 2 : m_parts;
        windowed = windowed || one.windowed;
    };
    // the way in scatters, the way out gathers; an all-reduce does both, and turns in the last one
    const bool both = name == "allreduce";
    for (uint32_t dim = 0; name != "allgather" && dim + (both ? 1 : 0) < count; ++dim)
    {
        add("reducescatter", dim);
    }
    if (both)
    {
        add("allreduce", count - 1);
    }
    for (uint32_t dim = both ? count - 1 : count; name != "reducescatter" && dim-- > 0;)
    {
        add("allgather", dim);
    }
    if (m_window > 0 && !windowed)
    {
        RefuseOption(name, "window", "none of its dimensions has algorithm=direct");
    }
}

void
CollectivePlan::ReadMatrix(const std::string& name, const CollectiveOptions& options)
{
    m_transposed = !options.transposed.empty();
    m_matrixPath = m_transposed ? options.transposed : options.matrix;
    if (m_matrixPath.empty())
    {
        return;
    }
    if (m_transposed && !options.matrix.empty())
    {
        throw FabricError("matrix= contradicts transposed=, which names the matrix, too");
    }
    if (!GetRankCollectives()[m_collective].sizeForPeer)
    {
        RefuseOption(name, m_transposed ? "transposed" : "matrix", "alltoall has one");
    }
    FabricTextReader reader(m_matrixPath, '#');
    auto matrix = std::make_shared<Matrix>();
    while (reader.Next())
    {
        matrix->emplace_back();
        for (std::size_t i = 0; i < reader.GetFields().size(); ++i)
        {
            for (const std::string& item : SplitFabricList(reader.GetFields()[i]))
            {
                if (!item.empty()) // commas may have spaces behind them
                {
                    matrix->back().push_back(
                        ParseFabricUint(item, reader.GetPlace() + ": factor", 0, UINT32_MAX));
                }
            }
        }
        if (matrix->back().size() != matrix->front().size())
        {
            reader.Refuse("the row has " + FormatFabricCount(matrix->back().size(), "number") +
                          ", the first one has " + std::to_string(matrix->front().size()));
        }
    }
    if (matrix->empty() || matrix->size() != matrix->front().size())
    {
        throw FabricError(ShowFabricPath(m_matrixPath) + ": " +
                          FormatFabricCount(matrix->size(), "row") +
                          "; a matrix has as many as its rows have numbers, one for each rank");
    }
    m_matrix = matrix;
}

void
CollectivePlan::CheckSize(uint32_t size) const
{
    if (!m_phases.empty())
    {
        uint64_t product = 1;
        for (const uint32_t dim : m_dims)
        {
            product = std::min<uint64_t>(product * dim, UINT32_MAX);
        }
        if (product != size)
        {
            throw FabricError("dims= are of " + FormatFabricCount(product, "rank") +
                              ", the group has " + std::to_string(size));
        }
    }
    if (m_matrix && m_matrix->size() != size)
    {
        throw FabricError(ShowFabricPath(m_matrixPath) + ": the matrix is of " +
                          FormatFabricCount(m_matrix->size(), "rank") + ", the group has " +
                          std::to_string(size));
    }
}

uint32_t
CollectivePlan::CountLanes(uint32_t size, uint64_t bytes) const
{
    const auto getChunks = GetRankCollectives()[m_collective].getChunks;
    const uint32_t chunks = m_chunks > 0 ? m_chunks : getChunks(size, bytes / m_channels);
    return std::min(chunks, MAX_LANES / (m_channels * m_parts)) * m_channels * m_parts;
}

uint32_t
CollectivePlan::CountSteps() const
{
    uint32_t steps = 0;
    for (const Phase& phase : m_phases)
    {
        steps += GetRankCollectives()[phase.collective].getNSteps(m_dims[phase.dim]);
    }
    return steps;
}

void
CollectivePlan::AddStepOf(const RankCollective& collective,
                          uint32_t step,
                          uint32_t lane,
                          uint32_t index,
                          uint32_t size,
                          uint64_t bytes,
                          std::vector<RankExchange>& exchanges) const
{
    const uint32_t stride = collective.turns ? GetStride(lane % m_channels, size) : 1;
    if (stride == 1)
    {
        const bool other = collective.addOther && lane / m_channels % 2 == 1;
        (other ? collective.addOther : collective.addStep)(step, index, size, bytes, exchanges);
        return;
    }
    const auto place =
        static_cast<uint32_t>(uint64_t{index} * Invert(stride, size) % size); // in this ring
    const std::size_t first = exchanges.size();
    collective.addStep(step, place, size, bytes, exchanges);
    for (std::size_t i = first; i < exchanges.size(); ++i)
    {
        exchanges[i].peer = static_cast<uint32_t>(uint64_t{exchanges[i].peer} * stride % size);
    }
}

void
CollectivePlan::AddStepOfLane(uint32_t step,
                              uint32_t lane,
                              uint32_t lanes,
                              uint32_t index,
                              uint32_t size,
                              uint64_t bytes,
                              std::vector<RankExchange>& exchanges) const
{
    uint64_t part = GetBlockBytes(bytes, lane, 1, lanes);
    if (m_phases.empty())
    {
        AddStepOf(GetRankCollectives()[m_collective], step, lane, index, size, part, exchanges);
        return;
    }
    std::size_t phase = 0;
    for (uint32_t steps = 0;; ++phase, step -= steps)
    {
        const Phase& one = m_phases[phase];
        steps = GetRankCollectives()[one.collective].getNSteps(m_dims[one.dim]);
        if (step < steps)
        {
            break;
        }
    }
    // within the blocks that the rank has in the dimensions further inside
    const uint32_t dim = m_phases[phase].dim;
    uint32_t below = 1; // places from one rank of this dimension to the next
    for (uint32_t d = 0; d < dim; ++d)
    {
        part = GetBlockBytes(part, index / below % m_dims[d], 1, m_dims[d]);
        below *= m_dims[d];
    }
    const uint32_t own = index / below % m_dims[dim];
    const std::size_t first = exchanges.size();
    AddStepOf(GetRankCollectives()[m_phases[phase].collective],
              step,
              lane,
              own,
              m_dims[dim],
              part,
              exchanges);
    for (std::size_t i = first; i < exchanges.size(); ++i)
    {
        exchanges[i].peer = index - own * below + exchanges[i].peer * below;
    }
}

bool
CollectivePlan::HasSameMessages(const CollectivePlan& o) const
{
    const bool samePhases = std::equal(m_phases.begin(),
                                       m_phases.end(),
                                       o.m_phases.begin(),
                                       o.m_phases.end(),
                                       [](const Phase& a, const Phase& b) {
                                           return a.collective == b.collective && a.dim == b.dim;
                                       });
    const bool sameMatrix = m_matrix == o.m_matrix || m_matrixPath == o.m_matrixPath ||
                            (m_matrix && o.m_matrix && *m_matrix == *o.m_matrix);
    return samePhases && sameMatrix && m_collective == o.m_collective && m_chunks == o.m_chunks &&
           m_channels == o.m_channels && m_parts == o.m_parts && m_dims == o.m_dims &&
           m_transposed == o.m_transposed;
}

} // namespace ns3
