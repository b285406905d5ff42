// SPDX-License-Identifier: GPL-2.0-only
#ifndef SOURCE_PDCS_H
#define SOURCE_PDCS_H

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Numbers that a receiver gives to the sending PDCs of its sources.
 *
 * A source numbers its PDCs upwards, and they mostly come in this order: then a new one takes eight
 * bytes behind the others of its source, and is found to be new at once. Else they are searched for
 * by halves.
 */
class SourcePdcs
{
    using Entry = std::pair<uint32_t, uint32_t>; //!< number there, number here

    /// @return the first entry of some that does not come before a PDC
    template <typename Entries>
    static auto Search(Entries& all, uint32_t pdc)
    {
        return std::lower_bound(
            all.begin(),
            all.end(),
            pdc,
            [](const Entry& entry, uint32_t wanted) { return entry.first < wanted; });
    }

  public:
    /**
     * @brief Add one.
     * @param src fabric address of the source
     * @param pdc number of the PDC there
     * @param number given here
     * @return false: it is there already, and nothing changes
     */
    bool Add(uint32_t src, uint32_t pdc, uint32_t number)
    {
        std::vector<Entry>& all = m_bySource[src];
        if (all.empty() || all.back().first < pdc)
        {
            all.emplace_back(pdc, number);
            return true;
        }
        const auto place = Search(all, pdc);
        if (place->first == pdc)
        {
            return false;
        }
        all.insert(place, {pdc, number});
        return true;
    }

    /**
     * @param src,pdc as above
     * @return its number here; null: it is not there
     */
    const uint32_t* Find(uint32_t src, uint32_t pdc) const
    {
        const auto source = m_bySource.find(src);
        if (source == m_bySource.end() || source->second.empty() ||
            source->second.back().first < pdc)
        {
            return nullptr;
        }
        const auto place = Search(source->second, pdc);
        return place->first == pdc ? &place->second : nullptr;
    }

    /**
     * @brief Forget one, if it is there.
     * @param src,pdc as above
     */
    void Remove(uint32_t src, uint32_t pdc)
    {
        const auto source = m_bySource.find(src);
        if (source == m_bySource.end())
        {
            return;
        }
        std::vector<Entry>& all = source->second;
        const auto place = Search(all, pdc);
        if (place != all.end() && place->first == pdc)
        {
            all.erase(place);
        }
    }

    /// Forget all.
    void Clear()
    {
        m_bySource.clear();
    }

  private:
    std::unordered_map<uint32_t, std::vector<Entry>> m_bySource; //!< each in ascending order
};

} // namespace ns3

#endif /* SOURCE_PDCS_H */
