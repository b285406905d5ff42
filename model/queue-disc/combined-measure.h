// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMBINED_MEASURE_H
#define COMBINED_MEASURE_H

#include "congestion-measure.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Several measures as one ([Patent] (13): "any combination of measures"): each times a
 * weight, which also turns its unit into that of the others, and then combined as a class that is
 * derived from this one says.
 *
 * The result is rounded down. Whether it scales with the rate of the link is said by its first
 * measure; the weights have to fit.
 */
class CombinedMeasure : public CongestionMeasure
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
    /// @copydoc CongestionMeasure::GetLevel @throws FabricError if no measure was given
    uint64_t GetLevel(const QueueView& queue, const QueueDiscItem& item) override;
    void OnArrival(const QueueView& queue, const QueueDiscItem& item) override;
    void OnDeparture(const QueueView& queue, const QueueDiscItem& item) override;
    bool ScalesWithRate() const override;

  protected:
    /// @param separator what is between the terms of the attribute Terms
    explicit CombinedMeasure(char separator);

    /**
     * @param level of the measures so far, times their weights
     * @param one of the next measure, times its weight
     * @return of all these together
     */
    virtual double Combine(double level, double one) const = 0;

    /// A copy has measures of its own from now on.
    void ForkTerms();

    /**
     * @brief Replace all measures; written as the attribute Terms of the derived class.
     * @throws FabricError if it does not make sense
     */
    void SetTerms(std::string terms);
    /// @return what SetTerms() was given
    std::string GetTerms() const;

  private:
    /// One of the measures.
    struct Term
    {
        double weight;                  //!< factor
        Ptr<CongestionMeasure> measure; //!< of this object alone
        std::string text;               //!< as written in Terms, empty if added otherwise
    };

    char m_separator;          //!< of terms
    std::vector<Term> m_terms; //!< in the order in which they were added
};

} // namespace ns3

#endif /* COMBINED_MEASURE_H */
