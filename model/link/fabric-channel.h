// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_CHANNEL_H
#define FABRIC_CHANNEL_H

#include "link-change.h"

#include "ns3/channel.h"
#include "ns3/nstime.h"

#include <array>

namespace ns3
{

class FabricNetDevice;

/**
 * @ingroup dcfabric
 * @brief A full-duplex link between two ports: a delay. Rates belong to the ports.
 */
class FabricChannel : public Channel
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Make a link, without the search of ns-3 for its attributes.
     * @param delay attribute Delay
     * @return a link that joins nothing
     */
    static Ptr<FabricChannel> Create(Time delay);

    /**
     * @brief Join two ports.
     * @param a one port
     * @param b the other port
     * @throws FabricError if the delay is less than one tick of the simulator
     */
    void Connect(Ptr<FabricNetDevice> a, Ptr<FabricNetDevice> b);

    /**
     * @brief Have something happen to the link, at both its ends.
     * @param change what and when, not before the present
     * @throws FabricError for a time in the past or a rate of 0
     */
    void ScheduleChange(const LinkChange& change);

    /// @return the propagation delay, one way
    Time GetDelay() const;

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    Time m_delay;                                  //!< one way
    std::array<Ptr<FabricNetDevice>, 2> m_devices; //!< both ends
};

} // namespace ns3

#endif /* FABRIC_CHANNEL_H */
