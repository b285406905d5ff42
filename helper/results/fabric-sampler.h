// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_SAMPLER_H
#define FABRIC_SAMPLER_H

#include "trace-file.h"

#include "ns3/fabric.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class FlowRecorder;

/**
 * @ingroup dcfabric
 * @brief What a time series is made of, before the run.
 */
struct TraceStart
{
    const FlowRecorder& recorder; //!< of the flows, and of the network; outlives the series
    std::string path;             //!< of its file, or the beginning of the names of several
    std::string header;           //!< first line of its file
};

/**
 * @ingroup dcfabric
 * @brief Writes one time series of a fabric to a file (see TraceSeries).
 *
 * Of several processes (ranks) of a simulation all call Sample() and Finish() at the same time.
 */
class FabricSampler
{
  public:
    virtual ~FabricSampler() = default;

    /**
     * @brief Take a sample.
     * @param nowPs the present in ps
     */
    virtual void Sample(int64_t nowPs) = 0;

    /**
     * @brief Complete the file; nothing may follow.
     * @param endPs end of the run in ps
     */
    virtual void Finish(int64_t endPs) = 0;
};

/**
 * @ingroup dcfabric
 * @brief Leaves out what a line drawn through the remaining points shows as well.
 *
 * A value is due for a row when it differs from the one before; the sample before the change is
 * then due as well if it had been left out. Values begin at 0, so what is never used has no rows.
 */
class SampleThinner
{
  public:
    /**
     * @brief Watch a number of values, all 0 now.
     * @param count how many
     */
    explicit SampleThinner(std::size_t count);

    /**
     * @param index which value
     * @param value its present
     * @return true if the sample before the present one has to be written first
     */
    bool IsPreviousDue(std::size_t index, uint64_t value) const
    {
        const State& state = m_states[index];
        return state.value != value && state.writtenSample != m_sample;
    }

    /**
     * @param index which value
     * @return the value that was written last
     */
    uint64_t GetPrevious(std::size_t index) const
    {
        return m_states[index].value;
    }

    /**
     * @param index which value
     * @param value its present
     * @return true if the present sample has to be written; remembers it
     */
    bool Update(std::size_t index, uint64_t value)
    {
        State& state = m_states[index];
        if (state.value == value)
        {
            return false;
        }
        state = {value, m_sample + 1};
        return true;
    }

    /**
     * @param index which value
     * @return true if the last sample of a value has not been written
     */
    bool IsLastDue(std::size_t index) const
    {
        return m_states[index].writtenSample != 0 && m_states[index].writtenSample != m_sample;
    }

    /**
     * @brief The samples of one time are over.
     * @param nowPs that time in ps
     */
    void EndSample(int64_t nowPs)
    {
        ++m_sample;
        m_previousPs = nowPs;
    }

    /// @return time of the sample before the present one, in ps
    int64_t GetPreviousPs() const
    {
        return m_previousPs;
    }

  private:
    /// What is known of a value.
    struct State
    {
        uint64_t value{0};         //!< in the last row
        uint64_t writtenSample{0}; //!< number of the sample of the last row, from 1; 0: none
    };

    std::vector<State> m_states; //!< by index
    uint64_t m_sample{0};        //!< samples that are over
    int64_t m_previousPs{0};     //!< time of the last one
};

/**
 * @ingroup dcfabric
 * @brief A time series that is written when things happen; what happens at one time comes in the
 * order of nodes.
 */
class EventRecorder : public FabricSampler
{
  public:
    /**
     * @brief Write what has happened before a time.
     * @param nowPs the present in ps
     */
    void Sample(int64_t nowPs) override;
    void Finish(int64_t endPs) override;

  protected:
    /// @param start what it is made of
    explicit EventRecorder(const TraceStart& start);

    /**
     * @brief Begin a row, which begins with its time.
     * @param nowPs when it has happened, in ps
     * @param node where
     * @return text to be appended to: a comma and the next column
     */
    std::string& BeginRow(int64_t nowPs, uint32_t node);

    const Ptr<Fabric> m_fabric; //!< network, which may outlive the simulation

  private:
    TraceFile m_file; //!< file
};

/**
 * @ingroup dcfabric
 * @brief Writes values of all ports, thinned as SampleThinner says: `time_ns,node,port,...`.
 */
class PortSampler : public FabricSampler
{
  public:
    void Sample(int64_t nowPs) override;
    void Finish(int64_t endPs) override;

  protected:
    /**
     * @param start what it is made of; the first columns are the node and the port
     * @param nValues values of a port
     */
    explicit PortSampler(const TraceStart& start, std::size_t nValues = 1);

    /**
     * @param port number in m_ports
     * @param value which of its values
     * @param nowPs the present in ps
     * @return the value
     */
    virtual uint64_t Read(std::size_t port, std::size_t value, int64_t nowPs) = 0;

    /**
     * @brief Append what follows the port in a row.
     * @param text row
     * @param port the port
     * @param value which of its values
     * @param number the value
     * @param spanPs time since the sample before
     */
    virtual void AppendValue(std::string& text,
                             const FabricNetDevice& port,
                             std::size_t value,
                             uint64_t number,
                             int64_t spanPs) const = 0;

    const std::vector<FabricNetDevice*> m_ports; //!< all that this process simulates

  private:
    /// Parts of a sample, in the order of the file.
    enum class Part : int64_t
    {
        PREVIOUS, //!< rows of the sample before, so that times ascend
        PRESENT,  //!< rows of this one
    };

    /// Write a row.
    void WriteRow(Part part, std::size_t index, uint64_t number, int64_t spanPs);

    TraceFile m_file;            //!< file
    std::size_t m_nValues;       //!< of a port
    std::vector<uint64_t> m_now; //!< by port and value
    int64_t m_nowPs{0};          //!< time of the present sample
    int64_t m_spanPs{1};         //!< length of the last sample
    SampleThinner m_thinner;     //!< by port and value
};

/**
 * @brief @ingroup dcfabric
 * @param fabric the network
 * @return all ports of a fabric that this process simulates, in the order of nodes and ports
 */
std::vector<FabricNetDevice*> GetFabricPorts(const Fabric& fabric);

} // namespace ns3

#endif /* FABRIC_SAMPLER_H */
