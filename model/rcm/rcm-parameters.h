// SPDX-License-Identifier: GPL-2.0-only
#ifndef RCM_PARAMETERS_H
#define RCM_PARAMETERS_H

#include "ns3/flow-sample-memory.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/qcn-congestion-point.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What the paper leaves open of regional congestion mitigation, as attributes that say what
 * they are. All parts of it read them here; those of general parts are in their structures.
 */
class RcmParameters : public Object,
                      public QcnCongestionPoint::Parameters,
                      public FlowSampleMemory::Parameters
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    double remoteWeight{0};          //!< of RcmRegion, w
    Time remoteTimeout;              //!< of RcmRegion
    uint32_t maxFlows{0};            //!< of RcmRegion
    double minShare{0};              //!< of RcmWindow
    uint64_t measureBytes{0};        //!< of RcmWindow
    uint64_t maxMeasureBytes{0};     //!< of RcmWindow
    Time cutSpacing;                 //!< of RcmWindow
    uint32_t detourNotifications{0}; //!< of RcmRegion
    double detourDegree{0};          //!< of RcmRegion
    uint64_t reserveBytes{0};        //!< of RcmRegion
    double detourFill{0};            //!< of RcmRegion
    Time detourTimeout;              //!< of DetourTable

  protected:
    /**
     * @brief Compare the attributes.
     * @throws FabricError if two contradict each other
     */
    void NotifyConstructionCompleted() override;
};

} // namespace ns3

#endif /* RCM_PARAMETERS_H */
