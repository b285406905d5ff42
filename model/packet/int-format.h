// SPDX-License-Identifier: GPL-2.0-only
#ifndef INT_FORMAT_H
#define INT_FORMAT_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief One in-network telemetry record in natural units.
 *
 * After a trip through the packed form time and bytes are known only modulo the wrap of their
 * fields; use IntFormat for differences.
 */
struct IntSample
{
    int64_t timePs{0};      //!< when the record was taken, in ps
    uint64_t txBytes{0};    //!< bytes the port has sent
    uint64_t queueBytes{0}; //!< bytes waiting in the queue
    uint64_t rateBps{0};    //!< capacity of the link in bit/s
};

/**
 * @ingroup dcfabric
 * @brief Layout and units of INT records, shared by the switches that write and the senders that
 * read them.
 *
 * The packed record has 64 bits: rate code 4, time stamp 24, transmitted bytes 20, queue length 16
 * ([FNCC] section 4.3; HPCC, SIGCOMM 2019, section 4.1). The counters wrap; a queue longer than its
 * field is clipped to the largest value. With the attribute Exact, records are not packed and any
 * link rate may be used.
 */
class IntFormat : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    IntFormat();

    /// @return true if records are carried unpacked
    bool IsExact() const
    {
        return m_exact;
    }

    /**
     * @param rateBps a link rate in bit/s
     * @return its code, 1 to 15
     * @throws FabricError if the rate has none (choose Exact for such links)
     */
    static uint8_t RateToCode(uint64_t rateBps);

    /**
     * @param code a rate code
     * @return the rate in bit/s, 0 for an unused code
     */
    static uint64_t CodeToRate(uint8_t code);

    /**
     * @brief Pack a sample.
     * @param sample the natural values
     * @param rateCode code of sample.rateBps, see RateToCode()
     * @return the 64-bit record, most significant field first: rate, time, bytes, queue
     */
    uint64_t Pack(const IntSample& sample, uint8_t rateCode) const;

    /**
     * @param record a packed record
     * @return its natural values, modulo the wraps
     */
    IntSample Unpack(uint64_t record) const;

    /**
     * @param now the later sample
     * @param before the earlier sample of the same port
     * @return elapsed time in ps, the wrap undone once
     */
    int64_t TimeDelta(const IntSample& now, const IntSample& before) const;

    /**
     * @param now the later sample
     * @param before the earlier sample of the same port
     * @return bytes sent between them, the wrap undone once
     */
    uint64_t ByteDelta(const IntSample& now, const IntSample& before) const;

    /**
     * @brief The span within which differences are unambiguous at a rate.
     * @param rateBps rate of the link in bit/s
     * @return the shorter of the time wrap and the time the byte counter takes to wrap, in ps;
     *         the largest int64_t if records are exact
     */
    int64_t ShortestWrapPs(uint64_t rateBps) const;

  private:
    /// Link rates by code in Gb/s; zero is unused.
    static constexpr std::array<uint64_t, 16>
        RATE_GBPS{0, 10, 25, 40, 50, 100, 200, 400, 800, 1600};

    /**
     * @param bits number, less than 64
     * @return that many ones
     */
    static constexpr uint64_t Mask(unsigned bits)
    {
        return (uint64_t{1} << bits) - 1;
    }

    static constexpr unsigned TIME_BITS = 24;
    static constexpr unsigned BYTES_BITS = 20;
    static constexpr unsigned QUEUE_BITS = 16;

    bool m_exact;         //!< records are not packed
    Time m_timeUnit;      //!< unit of the time stamp
    uint32_t m_byteUnit;  //!< unit of transmitted bytes
    uint32_t m_queueUnit; //!< unit of the queue length in bytes
    int64_t m_timeUnitPs; //!< m_timeUnit in ps

    /**
     * @brief Set the unit of the time stamp.
     * @param unit at least 1 ps
     * @throws FabricError if it is less
     */
    void SetTimeUnit(Time unit);

    /// @return the unit of the time stamp
    Time GetTimeUnit() const
    {
        return m_timeUnit;
    }
};

// On the way of every record: in line.

inline uint64_t
IntFormat::CodeToRate(uint8_t code)
{
    return RATE_GBPS[code & 0xf] * 1000000000;
}

inline uint64_t
IntFormat::Pack(const IntSample& sample, uint8_t rateCode) const
{
    const uint64_t time = static_cast<uint64_t>(sample.timePs / m_timeUnitPs) & Mask(TIME_BITS);
    const uint64_t bytes = (sample.txBytes / m_byteUnit) & Mask(BYTES_BITS);
    const uint64_t queue = std::min(sample.queueBytes / m_queueUnit, Mask(QUEUE_BITS));
    return (uint64_t{rateCode} << (TIME_BITS + BYTES_BITS + QUEUE_BITS)) |
           (time << (BYTES_BITS + QUEUE_BITS)) | (bytes << QUEUE_BITS) | queue;
}

inline IntSample
IntFormat::Unpack(uint64_t record) const
{
    IntSample sample;
    sample.queueBytes = (record & Mask(QUEUE_BITS)) * m_queueUnit;
    sample.txBytes = ((record >> QUEUE_BITS) & Mask(BYTES_BITS)) * m_byteUnit;
    sample.timePs = static_cast<int64_t>((record >> (BYTES_BITS + QUEUE_BITS)) & Mask(TIME_BITS)) *
                    m_timeUnitPs;
    sample.rateBps = CodeToRate(static_cast<uint8_t>(record >> (64 - 4)));
    return sample;
}

inline int64_t
IntFormat::TimeDelta(const IntSample& now, const IntSample& before) const
{
    const int64_t delta = now.timePs - before.timePs;
    return (delta < 0 && !m_exact) ? delta + (m_timeUnitPs << TIME_BITS) : delta;
}

inline uint64_t
IntFormat::ByteDelta(const IntSample& now, const IntSample& before) const
{
    if (now.txBytes < before.txBytes && !m_exact)
    {
        return now.txBytes + (uint64_t{m_byteUnit} << BYTES_BITS) - before.txBytes;
    }
    return now.txBytes - before.txBytes;
}

} // namespace ns3

#endif /* INT_FORMAT_H */
