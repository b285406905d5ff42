// SPDX-License-Identifier: GPL-2.0-only
#ifndef INJECTION_THROTTLE_H
#define INJECTION_THROTTLE_H

#include "ns3/fabric-packet-item.h"
#include "ns3/object.h"
#include "ns3/policy-default.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

class FabricNetDevice;

/**
 * @ingroup dcfabric
 * @brief Limits what a port of a NIC injects of a class, all PDCs together, beside what congestion
 * controls say of each.
 *
 * The NIC asks it before it takes a packet of that class from any PDC. Control packets, packets of
 * ns-3's IP stack and other classes do not ask. Without one a NIC has a null pointer.
 */
class InjectionThrottle : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Names and values.
    using Counters = std::vector<std::pair<const char*, uint64_t>>;

    /**
     * @param network where the policy is to work
     * @return what it needs of others where the user has set nothing, with its attributes as they
     * are; the default is nothing
     */
    virtual std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const;

    /**
     * @brief Serve a port; once, after its flow control and its peer's know their sizes.
     * @param port of a NIC, outlives this object
     * @param dataClass the class that is limited, 0 to 7
     * @throws FabricError if it cannot work there
     */
    virtual void Attach(FabricNetDevice& port, uint8_t dataClass);

    /**
     * @brief Fix random streams.
     * @param stream first one
     * @return how many are used, at most 1
     */
    virtual int64_t AssignStreams(int64_t stream);

    /**
     * @brief A packet of the limited class could go.
     *
     * Where that becomes earlier afterwards, the throttle wakes the port
     * (FabricNetDevice::ScheduleWake()).
     * @param nowPs time in ps
     * @return when it may, in ps: the present if it may now, FabricTime::NEVER if not before
     * something else happens
     */
    virtual int64_t GetReadyPs(int64_t nowPs) = 0;

    /**
     * @brief A packet of the limited class goes.
     * @param item the packet
     * @param nowPs time in ps
     */
    virtual void OnInject(const FabricPacketItem& item, int64_t nowPs) = 0;

    /**
     * @param nowPs time in ps
     * @return what it has counted by now, the same names at any time and for any object of a class
     */
    virtual Counters GetCounters(int64_t nowPs) = 0;

    /// @return bit mask with the class that is limited
    uint8_t GetClasses() const
    {
        return m_classes;
    }

  protected:
    void DoDispose() override;

    FabricNetDevice* m_port{nullptr}; //!< the port
    uint8_t m_classes{0};             //!< see GetClasses()
};

} // namespace ns3

#endif /* INJECTION_THROTTLE_H */
