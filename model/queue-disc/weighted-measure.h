// SPDX-License-Identifier: GPL-2.0-only
#ifndef WEIGHTED_MEASURE_H
#define WEIGHTED_MEASURE_H

#include "congestion-measure.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A weighted sum of other measures; the weights also turn their units into one.
 *
 * The sum is rounded down. Whether it scales with the rate of the link is said by its first
 * measure; the weights have to fit.
 */
class WeightedMeasure : public CongestionMeasure
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Add a measure.
     * @param weight at least 0
     * @param measure its settings
     * @throws FabricError for a negative weight
     */
    void Add(double weight, Ptr<const CongestionMeasure> measure);

    // from CongestionMeasure
    Ptr<CongestionMeasure> Fork() const override;
    /// @copydoc CongestionMeasure::GetLevel @throws FabricError if no measure was given
    uint64_t GetLevel(const QueueView& queue, const QueueDiscItem& item) override;
    void OnArrival(const QueueView& queue, const QueueDiscItem& item) override;
    void OnDeparture(const QueueView& queue, const QueueDiscItem& item) override;
    bool ScalesWithRate() const override;

  private:
    /// One of the measures.
    struct Term
    {
        double weight;                  //!< factor
        Ptr<CongestionMeasure> measure; //!< of this object alone
        std::string text;               //!< as written in Terms, empty if added otherwise
    };

    /**
     * @brief Replace all measures; written as the attribute Terms.
     * @throws FabricError if it does not make sense
     */
    void SetTerms(std::string terms);
    /// @return what SetTerms() was given
    std::string GetTerms() const;

    std::vector<Term> m_terms; //!< in the order in which they were added
};

} // namespace ns3

#endif /* WEIGHTED_MEASURE_H */
