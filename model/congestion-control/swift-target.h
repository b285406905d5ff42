// SPDX-License-Identifier: GPL-2.0-only
#ifndef SWIFT_TARGET_H
#define SWIFT_TARGET_H

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Target of the fabric delay in Swift (SIGCOMM 2020, section 3.5) and Falcon: a fixed part,
 * and one for the flows that share a queue, which small windows tell of:
 * max(0, min(a / sqrt(w) + b, range)) of a window of w packets.
 */
class SwiftTarget
{
  public:
    /**
     * @brief Begin.
     * @param fixedPs part that does not depend on the window, in ps
     * @param rangePs most that is added, in ps
     * @param minPackets window at and below which all of it is added, below maxPackets
     * @param maxPackets window at and above which nothing is added
     */
    void Start(double fixedPs, double rangePs, double minPackets, double maxPackets);

    /**
     * @param packets window
     * @return target in ps
     */
    double GetPs(double packets) const;

    /// @return the largest target in ps
    double GetLargestPs() const
    {
        return m_fixedPs + m_rangePs;
    }

  private:
    double m_fixedPs{0}; //!< whatever the window
    double m_rangePs{0}; //!< most that is added
    double m_a{0};       //!< a in ps
    double m_b{0};       //!< b in ps
};

} // namespace ns3

#endif /* SWIFT_TARGET_H */
