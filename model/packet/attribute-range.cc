// SPDX-License-Identifier: GPL-2.0-only
#include "attribute-range.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/queue-size.h"

#include <functional>
#include <locale>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/**
 * @tparam V kind of attribute value
 * @tparam BASE ns-3's kind of checker for it
 * @tparam T what the value holds
 */
template <typename V, typename BASE, typename T>
class RangeChecker : public BASE, public AttributeRange
{
  public:
    /**
     * @param type name of V
     * @param range legal values in words
     * @param isLegal which they are
     */
    RangeChecker(std::string type, std::string range, std::function<bool(const T&)> isLegal)
        : m_type(std::move(type)),
          m_range(std::move(range)),
          m_isLegal(std::move(isLegal))
    {
    }

    bool Check(const AttributeValue& value) const override
    {
        const auto typed = dynamic_cast<const V*>(&value);
        return typed && m_isLegal(typed->Get());
    }

    std::string GetValueTypeName() const override
    {
        return m_type;
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return m_range;
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<V>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        const auto from = dynamic_cast<const V*>(&source);
        const auto to = dynamic_cast<V*>(&destination);
        if (from && to)
        {
            *to = *from;
        }
        return from && to;
    }

    std::string Describe() const override
    {
        return m_range;
    }

  private:
    std::string m_type;                      //!< name of V
    std::string m_range;                     //!< legal values in words
    std::function<bool(const T&)> m_isLegal; //!< which they are
};

} // namespace

Time
AttributeRange::GetMaxTime()
{
    return Hours(24);
}

Ptr<const AttributeChecker>
MakePositiveDoubleChecker(double max)
{
    std::ostringstream range;
    range.imbue(std::locale::classic());
    range << "a number above 0 and up to " << max;
    return Ptr<const AttributeChecker>(
        new RangeChecker<DoubleValue, AttributeChecker, double>(
            "ns3::DoubleValue",
            range.str(),
            [max](const double& value) { return value > 0 && value <= max; }),
        false);
}

Ptr<const AttributeChecker>
MakeRateChecker(uint64_t minBps)
{
    return Ptr<const AttributeChecker>(
        new RangeChecker<DataRateValue, DataRateChecker, DataRate>(
            "ns3::DataRateValue",
            // not 1000Tbps, which ns-3 cannot read
            "a rate with a unit, from " + std::to_string(minBps) + "bps to 1000000Gbps",
            [minBps](const DataRate& rate) {
                return rate.GetBitRate() >= minBps &&
                       rate.GetBitRate() <= AttributeRange::MAX_RATE_BPS;
            }),
        false);
}

Ptr<const AttributeChecker>
MakePositiveQueueSizeChecker()
{
    return Ptr<const AttributeChecker>(
        new RangeChecker<QueueSizeValue, QueueSizeChecker, QueueSize>(
            "ns3::QueueSizeValue",
            "a size from 1p or 1B to 4294967295p or 4294967295B",
            [](const QueueSize& size) { return size.GetValue() > 0; }),
        false);
}

} // namespace ns3
