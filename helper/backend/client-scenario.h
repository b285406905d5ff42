// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLIENT_SCENARIO_H
#define CLIENT_SCENARIO_H

#include "client-flow-source.h"
#include "client-options.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-scenario.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A scenario whose messages come from a program: a whole run for a client, from the words of
 * a command line to results in a folder.
 *
 * @code
 * ClientScenario scenario({"--topology=fat-tree:k=4", "--ranks=16"});
 * ClientFlowSource& client = scenario.GetClient();
 * client.Receive(1, 0, 1000, 7, [&client] { client.Finish(1); });
 * client.Send(0, 1, 1000, 7, [&client] { client.Finish(0); });
 * const ClientScenario::End end = scenario.Run();
 * @endcode
 *
 * The words are options of dcfabric-sim, and `--ranks` and `--per-host`. A workload that they name
 * is run beside what the client sends.
 *
 * Errors, warnings and notes name options as the words do, not classes and attributes.
 *
 * The simulator is of the process: one of these at a time. When it goes, attributes, seeds and the
 * simulator are as before.
 */
class ClientScenario
{
  public:
    /// How a run ended.
    enum class End
    {
        DONE,      //!< all ranks finished, or nothing was left to wait for
        STOPPED,   //!< the stop time came first
        VIOLATION, //!< it is stuck, or what must never happen did
    };

    /**
     * @brief Build the network.
     * @param words `--option=value` each
     * @throws FabricError for options that make no sense, and if there is such a scenario already
     */
    explicit ClientScenario(const std::vector<std::string>& words);
    ~ClientScenario();
    ClientScenario(const ClientScenario&) = delete;
    ClientScenario& operator=(const ClientScenario&) = delete;

    /// @return what sends and receives
    ClientFlowSource& GetClient()
    {
        return *m_client;
    }

    /// @return the run, once it is built
    const FabricScenario& GetScenario() const
    {
        return *m_scenario;
    }

    /// @return the present in ps
    uint64_t GetNowPs() const;

    /**
     * @brief Run the simulation and write the results. Once.
     * @return how it ended
     * @throws FabricError if it ran before or runs now, if the client goes on for ever at one time,
     * and if results cannot be written
     */
    End Run();

    /// @return true as long as Run() is in work
    bool IsRunning() const
    {
        return m_isRunning;
    }

    /// @return true once Run() is over
    bool IsOver() const
    {
        return m_hasRun && !m_isRunning;
    }

    /// @return what the end was like, unless all is well: which receives wait, for example
    const std::string& GetReport() const
    {
        return m_report;
    }

    /**
     * @param error what a call of GetClient() has thrown
     * @return its text in the words of a client
     */
    std::string Say(const FabricError& error) const;

    /// @return number of ranks
    uint32_t GetNRanks() const
    {
        return m_client->GetNRanks();
    }

    /// @return rate of a port of the host of rank 0, in bit/s
    uint64_t GetRateBps() const;

  private:
    /// There is one of a process.
    class Claim
    {
      public:
        Claim();
        ~Claim();
        Claim(const Claim&) = delete;
        Claim& operator=(const Claim&) = delete;
    };

    /// Leave the process as it was.
    void Close();

    using Sink = std::function<void(const FabricText&)>; //!< of warnings or notes

    Claim m_claim;                              //!< outlives the rest
    std::unique_ptr<FabricScenario> m_scenario; //!< see GetScenario()
    std::unique_ptr<ClientSpeaker> m_speaker;   //!< names options
    Sink m_warnings;                            //!< that of the process before
    Sink m_notes;                               //!< that of the process before
    ClientFlowSource* m_client{nullptr};        //!< see GetClient()
    bool m_isRunning{false};                    //!< see IsRunning()
    bool m_hasRun{false};                       //!< or runs
    std::string m_report;                       //!< see GetReport()
};

} // namespace ns3

#endif /* CLIENT_SCENARIO_H */
