// SPDX-License-Identifier: GPL-2.0-only
#ifndef WIRE_ERRORS_H
#define WIRE_ERRORS_H

#include "ns3/error-model.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Errors of a link that begin and end during a run: frames that are lost, and frames that
 * arrive damaged, which the receiver drops for their wrong check sequence.
 *
 * Each frame, link-level frames included, draws once, independent of its length and of others. The
 * receive error model that a port had before goes on beside this one.
 */
class WireErrors : public ErrorModel
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    WireErrors();
    ~WireErrors() override;

    /**
     * @brief Set the share of frames that are lost.
     * @param share 0 to 1
     */
    void SetLoss(double share);

    /**
     * @brief Set the share of the frames not lost that are damaged.
     * @param share 0 to 1
     */
    void SetCorruption(double share);

    /**
     * @brief Go on with another error model.
     * @param former asked about frames that arrive whole; null for none
     */
    void SetFormer(Ptr<ErrorModel> former);

    /// @return the other error model, null for none
    Ptr<ErrorModel> GetFormer() const
    {
        return m_former;
    }

    /// @return true if the last frame that IsCorrupt() refused had arrived, but damaged
    bool IsDamaged() const
    {
        return m_damaged;
    }

    /**
     * @brief Make draws independent of others.
     * @param stream stream to use
     * @return how many are used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    Ptr<UniformRandomVariable> m_draw; //!< one for each frame
    Ptr<ErrorModel> m_former;          //!< null for none
    double m_loss{0};                  //!< share of frames
    double m_corruption{0};            //!< share of the rest
    bool m_damaged{false};             //!< see IsDamaged()
};

} // namespace ns3

#endif /* WIRE_ERRORS_H */
