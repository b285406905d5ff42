// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAME_LOSS_H
#define FRAME_LOSS_H

#include "ns3/error-model.h"
#include "ns3/random-variable-stream.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A RateErrorModel that loses frames of any size alike, with the same draws, for a port that
 * asks it without a detour (Loses()).
 *
 * Its unit has to be ERROR_UNIT_PACKET; it draws from the RanVar that it has when it is asked
 * first.
 */
class FrameLoss final : public RateErrorModel
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    FrameLoss();
    ~FrameLoss() override;

    /// @return true if the next frame is lost
    bool Loses()
    {
        if (!IsEnabled())
        {
            return false;
        }
        if (!m_draw)
        {
            FindDraw();
        }
        return m_draw->GetValue() < GetRate();
    }

  private:
    /// Get the random variable of the base class.
    void FindDraw();

    Ptr<RandomVariableStream> m_draw; //!< of the base class; null: not known yet
};

} // namespace ns3

#endif /* FRAME_LOSS_H */
