// SPDX-License-Identifier: GPL-2.0-only
#ifndef SERIES_RECORDER_H
#define SERIES_RECORDER_H

#include "periodic-tasks.h"

#include "ns3/fabric.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Time series of a run in memory, one flat array a quantity: for scripts that draw them.
 *
 *     SeriesRecorder series(fabric, MicroSeconds(1));
 *     const uint32_t queue = series.WatchQueue(4, 2);
 *     const uint32_t rate = series.WatchRate(0);
 *     series.Start();
 *     Simulator::Run();
 *     series.GetTimes()[i]; series.GetValues(queue)[i];
 *
 * The first sample is of the time of Start(). Sampling ends with the simulation and, as
 * PeriodicTasks says, never keeps it going. The recorder has to live until Simulator::Destroy();
 * its arrays outlive the network.
 */
class SeriesRecorder
{
  public:
    /**
     * @brief Watch a network.
     * @param fabric the network
     * @param interval between two samples, at least 1 ps
     * @throws FabricError for a shorter interval
     */
    SeriesRecorder(Ptr<Fabric> fabric, Time interval);
    SeriesRecorder(const SeriesRecorder&) = delete;
    SeriesRecorder& operator=(const SeriesRecorder&) = delete;

    /**
     * @brief Record the bytes waiting in all classes of a port.
     * @param node number of the node
     * @param port number of the port
     * @return number of the series
     * @throws FabricError if there is no such node or port, or after Start()
     */
    uint32_t WatchQueue(uint32_t node, uint32_t port);

    /**
     * @brief Record the rate in bit/s that congestion control allows the sending PDCs of a host
     * together; 0 while all of them are idle.
     * @param host number of the node
     * @return number of the series
     * @throws FabricError if it is no host, or after Start()
     */
    uint32_t WatchRate(uint32_t host);

    /**
     * @brief Begin, after all series have been named.
     * @throws FabricError if called twice
     */
    void Start();

    /// @return times of the samples in s
    const std::vector<double>& GetTimes() const
    {
        return m_times;
    }

    /**
     * @param series its number
     * @return values of a series, one for each time
     * @throws FabricError if there is none of that number
     */
    const std::vector<double>& GetValues(uint32_t series) const;

  private:
    /// One quantity.
    struct Series
    {
        std::function<double()> read; //!< its value now
        std::vector<double> values;   //!< by sample
    };

    /// @return number of a new series
    uint32_t Add(std::function<double()> read);
    /// @return time of the next sample
    int64_t Sample(int64_t nowPs);

    Ptr<Fabric> m_fabric;         //!< network
    int64_t m_intervalPs;         //!< between two samples
    bool m_started{false};        //!< Start() was called
    PeriodicTasks m_tasks;        //!< when to sample
    std::vector<double> m_times;  //!< of the samples, in s
    std::vector<Series> m_series; //!< by number
};

} // namespace ns3

#endif /* SERIES_RECORDER_H */
