// SPDX-License-Identifier: GPL-2.0-only
#ifndef HPCC_INT_FEATURE_H
#define HPCC_INT_FEATURE_H

#include "int-stamper.h"
#include "switch-feature.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief INT on data packets: each packet that has an INT header takes the state of its egress as
 * it leaves (HPCC, SIGCOMM 2019, section 4.1).
 *
 * The record holds the time, the bytes that the port sent before this packet, the bytes of the
 * packet's class that wait behind it, and the rate. The header says which path the records are of:
 * the exclusive or of 12 bits of each switch on it, as there. These are bits of the egress port,
 * not of the switch alone: two links may lead from one switch to the same next one
 * (IntStamper::GetPathBits()).
 */
class HpccIntFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t GetHooks() const override;
    const char* GetClash() const override;
    Growth GetGrowth(const WireFormat& wire, uint8_t hops, bool exact) const override;
    Effects GetEffects() const override;
    void CheckRate(uint16_t port, uint64_t rateBps) const override;
    void Attach(FabricSwitch* sw, uint32_t number) override;
    void OnDequeue(FabricNetDevice& egress, FabricPacketItem& item) override;

    /// @return records that found no room
    uint64_t GetNOverflows() const
    {
        return m_stamper.GetNOverflows();
    }

  private:
    Ptr<IntFormat> m_format; //!< layout of the records
    Ptr<WireFormat> m_wire;  //!< sizes on the wire
    IntStamper m_stamper;    //!< writes the records
};

} // namespace ns3

#endif /* HPCC_INT_FEATURE_H */
