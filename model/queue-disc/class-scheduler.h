// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLASS_SCHEDULER_H
#define CLASS_SCHEDULER_H

#include "ns3/object.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Chooses the class that sends next. One instance serves one queue disc.
 */
class ClassScheduler : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param eligible bit mask of classes with a packet that may go, not 0
     * @param headBytes size of the first packet of each eligible class
     * @return the class whose first packet is to be sent; it is sent
     */
    virtual uint8_t Select(uint8_t eligible, const std::array<uint32_t, 8>& headBytes) = 0;

    /// @return true if Select() reads headBytes
    virtual bool NeedsHeadBytes() const
    {
        return false;
    }

    /**
     * @return true if nothing is to be remembered of a class that sends while no other is eligible:
     * Select() is then not asked about one class alone, and OnEmpty() is not called
     */
    virtual bool IgnoresLoneClass() const
    {
        return false;
    }

    /**
     * @brief A class has run empty.
     * @param priority class, 0 to 7
     */
    virtual void OnEmpty(uint8_t priority);
};

/**
 * @ingroup dcfabric
 * @brief The highest eligible class goes first (IEEE 802.1Q strict priority).
 */
class StrictPriorityScheduler : public ClassScheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint8_t Select(uint8_t eligible, const std::array<uint32_t, 8>& headBytes) override;

    bool IgnoresLoneClass() const override
    {
        return true;
    }
};

/**
 * @ingroup dcfabric
 * @brief Deficit round robin (Shreedhar and Varghese, SIGCOMM 1995) over the classes with a
 * quantum; classes with quantum 0 are strict and go first, the highest of them before the others.
 */
class DeficitRoundRobinScheduler : public ClassScheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint8_t Select(uint8_t eligible, const std::array<uint32_t, 8>& headBytes) override;
    bool NeedsHeadBytes() const override;
    void OnEmpty(uint8_t priority) override;

    /**
     * @brief Set the quanta.
     * @param quanta eight numbers of bytes separated by commas, class 0 first
     * @throws FabricError if there are not eight numbers
     */
    void SetQuanta(std::string quanta);

    /// @return the quanta as a comma list
    std::string GetQuanta() const;

  private:
    std::array<uint32_t, 8> m_quanta{};  //!< bytes a class may send in a round
    std::array<uint32_t, 8> m_deficit{}; //!< bytes a class may still send in its turn
    uint8_t m_strict{0};                 //!< classes without quantum
    uint8_t m_turn{0};                   //!< class whose turn it is
    bool m_inTurn{false};                //!< m_turn has received its quantum
};

} // namespace ns3

#endif /* CLASS_SCHEDULER_H */
