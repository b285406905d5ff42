// SPDX-License-Identifier: GPL-2.0-only
#ifndef RCM_PARAMETERS_H
#define RCM_PARAMETERS_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What the paper leaves open of regional congestion mitigation, as attributes that say what
 * they are. All parts of it read them here.
 */
class RcmParameters : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint64_t qeq{0};                 //!< of RcmDetector, bytes
    double wq{0};                    //!< of RcmDetector
    uint64_t sampleBytes{0};         //!< of RcmDetector
    Time notifySpacing;              //!< of RcmDetector
    uint32_t camDepth{0};            //!< of RcmFlowCam, samples
    uint32_t minHits{0};             //!< of RcmFlowCam, samples
    uint64_t camBytes{0};            //!< of RcmFlowCam
    double remoteWeight{0};          //!< of RcmRegion, w
    Time remoteTimeout;              //!< of RcmRegion
    uint32_t maxFlows{0};            //!< of RcmRegion
    double minShare{0};              //!< of RcmWindow
    uint64_t measureBytes{0};        //!< of RcmWindow
    uint64_t maxMeasureBytes{0};     //!< of RcmWindow
    Time cutSpacing;                 //!< of RcmWindow
    uint32_t detourNotifications{0}; //!< of RcmDetours
    double detourDegree{0};          //!< of RcmDetours
    uint64_t reserveBytes{0};        //!< of RcmDetours
    double detourFill{0};            //!< of RcmDetours
    Time detourTimeout;              //!< of RcmDetours

  protected:
    /// @brief Compare the attributes. @throws FabricError if two contradict each other
    void NotifyConstructionCompleted() override;
};

} // namespace ns3

#endif /* RCM_PARAMETERS_H */
