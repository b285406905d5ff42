// SPDX-License-Identifier: GPL-2.0-only
#ifndef FNCC_INT_FEATURE_H
#define FNCC_INT_FEATURE_H

#include "int-stamper.h"
#include "switch-feature.h"

#include "ns3/nstime.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief INT on ACKs: before an ACK queues at its egress, it takes All_INT_Table[port it came in
 * by], the state of the port through which its data packets leave ([FNCC] section 3.2.1, algorithm
 * 1, lines 3 and 8-9).
 *
 * The table is keyed by port and data class. It is updated periodically (section 4.1):
 * with RefreshInterval greater than zero, an entry shows the state of its port at the latest
 * multiple of the interval. It is taken on demand, just before the state changes or when it is
 * read, without any timer.
 *
 * The header says which path the records are of, as HPCC's does (HpccIntFeature); the document is
 * silent on this. Without it a sender whose route changes compares counters of different ports.
 */
class FnccIntFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t GetHooks() const override;
    const char* GetClash() const override;
    Effects GetEffects() const override;
    Growth GetGrowth(const WireFormat& wire, uint8_t hops, bool exact) const override;
    void CheckRate(uint16_t port, uint64_t rateBps) const override;
    void Attach(FabricSwitch* sw, uint32_t number) override;
    void OnEnqueue(FabricNetDevice& egress, FabricPacketItem& item) override;
    void OnDequeue(FabricNetDevice& egress, FabricPacketItem& item) override;

    /**
     * @brief Read the table as an ACK would.
     * @param port a port
     * @return the entry
     */
    IntSample Lookup(uint16_t port);

    /// @return records that found no room
    uint64_t GetNOverflows() const
    {
        return m_stamper.GetNOverflows();
    }

  private:
    /// @return the state of a port, with the queues of all channels of data
    IntSample ReadPort(const FabricNetDevice& port, int64_t atPs) const;
    /// Take a port's entry if a multiple of the interval has passed; @p leftBytes of a packet have
    /// just left the queue and still belong to the state.
    void Refresh(const FabricNetDevice& port, uint32_t leftBytes);

    Ptr<IntFormat> m_format; //!< layout of the records
    Ptr<WireFormat> m_wire;  //!< sizes on the wire
    Time m_interval;         //!< time between two updates of the table
    uint8_t m_dataClass{3};  //!< class whose queue length the table shows
    /// Bit mask of virtual channels that the table shows beside DataClass
    uint8_t m_dataChannels{0};
    int64_t m_intervalPs{0};        //!< m_interval in ps
    std::vector<IntSample> m_table; //!< All_INT_Table, by port
    IntStamper m_stamper;           //!< writes the records
};

} // namespace ns3

#endif /* FNCC_INT_FEATURE_H */
