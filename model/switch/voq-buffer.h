// SPDX-License-Identifier: GPL-2.0-only
#ifndef VOQ_BUFFER_H
#define VOQ_BUFFER_H

#include "output-filter.h"
#include "switch-buffer.h"
#include "voq-arbiter.h"

#include <array>
#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <vector>

namespace ns3
{

class EgressGate;

/**
 * @ingroup dcfabric
 * @brief The memory of a switch with virtual output queues and an output queue (VOQ+OQ, [RCM]
 * section 4).
 *
 * Each input has a queue for each output and class, of QueueBytes; each output has one queue for
 * each class, the port's queue disc, of OutputBytes. A packet waits at its input until the output
 * queue has room for it and both the input and the output are free of the packet before; it keeps
 * them busy for its size over SpeedUp x the rate of the fastest port. It may leave the output as
 * soon as its transfer begins, because the transfer is at least as fast as any wire; an empty
 * switch therefore adds no delay.
 *
 * *Who is next*: an output that is free serves its highest class that has a packet with room in the
 * output queue, and among the inputs the one that the Arbiter chooses. While packets wait in the
 * output queue, so that the wire has work, the choice is also among inputs that are busy, and the
 * output waits for its input: else one with packets for several outputs would get less than its
 * share of each. An input that has become free offers itself to the outputs in turn.
 *
 * *Credits for each virtual queue* (VoqCreditFlowControl): a packet also waits at its input until
 * the next switch has room in the queue to which it will go. Likewise while a filter of a switch
 * feature holds it back (SetFilter()).
 *
 * *Virtual channels*: a packet that changes its class waits at its input in the class of arrival,
 * and for room in the output queue of the other.
 *
 * *How long a queue is* for marks, INT and notifications: what waits in the output queue and, for
 * it, in the virtual queues of all inputs, in the class of the packet.
 *
 * *Lossless class*: a packet that does not fit into its queue goes to the headroom of its ingress
 * port and class and makes that congested, until the headroom is empty and no queue of the port and
 * class is above QueueBytes - ResumeOffset. *Lossy class*: such a packet is dropped.
 */
class VoqBuffer : public SwitchBuffer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    VoqBuffer();

    // from SwitchBuffer
    void Configure(const std::vector<uint64_t>& headroomBytes,
                   uint8_t losslessClasses,
                   uint8_t usedClasses) override;
    Verdict AdmitArrival(const Arrival& arrival) override;
    bool ReleaseRoom(uint16_t ingress, uint16_t egress, uint8_t priority, uint32_t bytes) override;
    bool HoldsPackets() const override;
    bool TakeArrival(Ptr<FabricPacketItem>& item, uint16_t egress) override;
    void Attach(FabricSwitch* owner) override;
    void Hold(Ptr<FabricPacketItem> item, uint16_t egress) override;
    void CancelAdmission(uint32_t bytes) override;
    std::vector<Ptr<FabricPacketItem>> TakeWaiting(uint16_t egress, uint8_t classes) override;
    void OnDeparture(uint16_t egress, uint8_t priority, uint32_t bytes) override;
    void OnGateOpen(uint16_t egress) override;
    void SetFilter(OutputFilter* filter) override;
    void HandleTimer(uint32_t id) override;
    uint64_t GetNHeldPackets() const override;
    void VisitHeld(uint16_t egress,
                   const std::function<void(const FabricPacketItem&)>& visit) const override;
    uint64_t GetWaitingBytes(uint16_t egress) const override;
    uint64_t GetWaitingBytes(uint16_t egress, uint8_t priority) const override;
    uint64_t GetMaxQueueBytes(uint16_t egress, uint8_t priority) const override;
    uint64_t GetMaxPortBytes(uint16_t egress) const override;
    double GetMeanWaitingBytes(uint16_t egress, int64_t nowPs) const override;
    /// @copydoc SwitchBuffer::GetInputBytes Those in the headroom are included.
    uint64_t GetInputBytes(uint16_t ingress, uint16_t egress, uint8_t priority) const override;

    /**
     * @param egress port
     * @param priority class
     * @return bytes in an output queue
     */
    uint64_t GetOutputBytes(uint16_t egress, uint8_t priority) const;
    /**
     * @param egress port
     * @return bytes that can wait for an output in a class at most: in its queue, in the virtual
     * queues of the other inputs and, if any class is lossless, in their headroom
     */
    uint64_t GetRoom(uint16_t egress) const;
    /**
     * @param ingress port
     * @param priority class
     * @return bytes that a lossless ingress has beyond its queues
     */
    uint64_t GetHeadroomUsed(uint16_t ingress, uint8_t priority) const;

  protected:
    void DoDispose() override;

  private:
    /// A virtual output queue.
    struct Queue
    {
        boost::circular_buffer<Ptr<FabricPacketItem>> packets; //!< in order of arrival
        uint64_t bytes{0}; //!< of these packets, and of one that has been admitted
    };

    /// What came in through one port in one class.
    struct Ingress
    {
        uint64_t excess{0};    //!< bytes of its queues above QueueBytes, each queue by itself
        uint32_t nLong{0};     //!< its queues above QueueBytes - ResumeOffset
        bool congested{false}; //!< the peer has been told to stop
    };

    /// One side of the crossbar at a port.
    struct Side
    {
        int64_t busyUntilPs{0}; //!< end of the transfer
        int64_t armedPs{0};     //!< time of the pending timer, if it is in the future
        uint16_t next{0};       //!< input side: output behind the last one served
    };

    /// An output in one class.
    struct End
    {
        uint64_t bytes{0};   //!< in the output queue
        uint64_t longest{0}; //!< most of these and of those that waited for it at inputs
        uint32_t packets{0}; //!< of this class that wait at inputs
    };

    /// An output: what waits for it in virtual queues, and what its filter does.
    struct Output
    {
        Side side;                         //!< its side of the crossbar
        uint32_t packets{0};               //!< that wait at inputs
        uint8_t waiting{0};                //!< bit mask: classes, by index, in which some wait
        bool holds{false};                 //!< the filter held something back at the last look
        bool shutOut{false};               //!< its gate refused all that wait at the last look
        uint64_t bytes{0};                 //!< that wait
        uint64_t queueBytes{0};            //!< in its output queues
        uint64_t longest{0};               //!< most bytes of both
        double integral{0};                //!< of bytes over the time until sincePs, in byte x ps
        int64_t sincePs{0};                //!< of the last change
        int64_t retryPs{0};                //!< when to ask the filter again, if in the future
        std::array<uint64_t, 8> classes{}; //!< bytes that wait, by class 0 to 7
    };

    /// @return index of a class among those in use
    uint32_t ClassIndex(uint8_t priority) const
    {
        return m_classIndex[priority];
    }

    /// @return the queue
    Queue& At(uint16_t in, uint16_t out, uint32_t cls)
    {
        return m_queues[(std::size_t{out} * m_nClasses + cls) * m_nPorts + in];
    }

    /// @return the output in one class
    End& EndOf(uint16_t out, uint32_t cls)
    {
        return m_ends[std::size_t{out} * m_nClasses + cls];
    }

    /// @return bytes in the output queue to which a packet goes, which may be of another class than
    /// its input queue (VirtualChannels)
    uint64_t& OutputOf(uint16_t out, const FabricPacketItem& item)
    {
        return EndOf(out, ClassIndex(item.GetPriority())).bytes;
    }

    /// Give a queue a new length, and change what depends on it.
    void SetLength(Queue& queue, uint16_t in, uint16_t out, uint8_t priority, uint64_t bytes);

    /// @return bytes of a queue above its capacity
    uint64_t Excess(uint64_t bytes) const
    {
        return bytes > m_capacity ? bytes - m_capacity : 0;
    }

    /// @return the word of m_occupied in which an input is
    uint64_t& OccupiedOf(std::size_t end, uint16_t in)
    {
        return m_occupied[end * m_nWords + in / 64U];
    }

    /// A packet leaves its virtual queue. @return as ReleaseRoom()
    bool FreeRoom(Queue& queue, uint16_t in, uint16_t out, uint8_t priority, uint32_t bytes);
    /// The head of a queue has been taken out of it.
    void NoteTaken(const Queue& queue, uint16_t in, uint16_t out, uint32_t cls);
    /// @return true if a packet may leave for an output, for all that its gate (null: it has none)
    /// and the filter say
    bool MayLeave(uint16_t out, EgressGate* gate, const FabricPacketItem& item);

    /// Start a transfer to an output, if something waits for it and one can start; or see that it
    /// is looked at when it is free.
    void Serve(uint16_t out);
    /// The same, where something waits and the output is free.
    void ServeFree(uint16_t out, int64_t nowPs);
    /**
     * @brief Find what an output takes next of a class that waits; inputs that are busy will offer
     * themselves and count only while the output queue is not empty.
     * @return the input, busy or not; NO_INPUT: there is none
     */
    uint16_t ChooseInput(uint16_t out, uint32_t cls, int64_t nowPs);
    /// @return true if nothing is in the way of a packet but what MayLeave() says
    bool CanCross(uint16_t in, uint16_t out, const FabricPacketItem& item, uint32_t bytes);
    /// A packet has been admitted: note the most that there was.
    void NoteAdmitted(Output& output, End& end, uint8_t priority, uint32_t bytes);
    /// Put a packet into its virtual queue. @param couldCross gate or filter held it back, and it
    /// is the only one for its output
    void Keep(const Ptr<FabricPacketItem>& item, uint16_t in, uint16_t out, bool couldCross);
    /// A packet begins to cross.
    void Begin(uint16_t in, uint16_t out, uint32_t bytes, End& end, int64_t nowPs);
    /// Move a packet, which is in a virtual queue no more but has its room.
    void Transfer(const Ptr<FabricPacketItem>& item,
                  Queue& queue,
                  uint16_t in,
                  uint16_t out,
                  int64_t nowPs);
    /// See that an output whose filter holds packets is looked at when that is to be asked again.
    void ArmRetry(uint16_t out);
    /// See that a side is looked at when it becomes free; @p id is that of its timer.
    void ArmSide(Side& side, uint32_t id);

    static constexpr uint16_t NO_INPUT = UINT16_MAX; //!< of ChooseInput()

    uint64_t m_queueBytes{0}; //!< bytes that each virtual output queue (input, output, class) holds
    uint64_t m_outputBytes{0};             //!< capacity of an output queue
    uint64_t m_resumeOffset{0};            //!< attribute: hysteresis in bytes
    uint64_t m_capacity{0};                //!< of a virtual output queue, since Configure()
    uint64_t m_longAbove{0};               //!< bytes that keep a peer paused, since Configure()
    double m_speedUp{0};                   //!< over the fastest port
    Ptr<VoqArbiter> m_arbiter;             //!< chooses the input
    Ptr<RoundRobinVoqArbiter> m_inTurn;    //!< the same, if it is one: called without a detour
    OutputFilter* m_filter{nullptr};       //!< says what may leave; null: all
    FabricSwitch* m_switch{nullptr};       //!< owner
    uint16_t m_nPorts{0};                  //!< of the switch
    uint32_t m_nClasses{0};                //!< in use
    std::array<uint8_t, 8> m_classIndex{}; //!< ClassIndex()
    std::size_t m_nWords{0};               //!< of an output and class in m_occupied
    std::vector<uint64_t> m_headroom;      //!< of each class of a port
    std::vector<Queue> m_queues;           //!< by egress, class and ingress
    std::vector<Ingress> m_ingress;        //!< by ingress and class
    std::vector<End> m_ends;               //!< by egress and class
    std::vector<Output> m_outputs;         //!< by egress
    std::vector<Side> m_inputs;            //!< by ingress
    std::vector<uint64_t> m_occupied;      //!< inputs with packets, bit by bit, by egress and class
    double m_psPerByte{0};                 //!< of a transfer
    uint64_t m_held{0};                    //!< packets here
    std::vector<VoqCandidate> m_candidates; //!< scratch
};

} // namespace ns3

#endif /* VOQ_BUFFER_H */
