// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What a run tells the process that has started it, as lines of JSON (doc/describe.rst).
 */
#ifndef SIM_EVENTS_H
#define SIM_EVENTS_H

#include "ns3/fabric-text.h"
#include "ns3/json-writer.h"
#include "ns3/scenario-progress.h"

#include <string>

namespace ns3
{

/**
 * @brief Writes events to a descriptor that the user named, by `--progress=json:FD`.
 *
 * A reader who is slow or goes away does not stop the run: progress that does not fit is left out,
 * and after an error nothing more is written.
 */
class SimEvents
{
  public:
    /// To nobody.
    SimEvents() = default;

    /**
     * @brief Tell what a user wants to hear.
     * @param progress value of --progress; others than `json:FD` are for somebody else
     * @throws FabricError if it names a descriptor that is none or cannot be written to
     */
    explicit SimEvents(const std::string& progress);

    /**
     * @brief Find out who listens before options are read, which may be refused.
     * @param argc,argv as given to main()
     * @return what is to be told
     * @throws FabricError as the constructor
     */
    static SimEvents Find(int argc, char** argv);

    /// @return true if somebody listens
    bool IsOpen() const
    {
        return m_descriptor >= 0;
    }

    /**
     * @brief Tell how far the run is.
     * @param state of the run
     */
    void TellProgress(const ScenarioProgress::State& state);

    /**
     * @brief Tell that the run has ended; a reader who is slow gets some time.
     * @param status as in summary.json
     * @param exitStatus of the program
     * @param folder where the results are
     */
    void TellEnd(const std::string& status, int exitStatus, const std::string& folder);

    /**
     * @brief Tell what was refused; a reader who is slow gets some time.
     * @param reason why
     * @param speaker has the words of the command line
     * @param exitStatus of the program
     */
    void TellError(const FabricText& reason, const FabricSpeaker& speaker, int exitStatus);

  private:
    /// Write an object on a line, if there is room for it in so many milliseconds.
    void Write(const JsonWriter& event, int patienceMs);

    int m_descriptor{-1}; //!< -1: nobody listens
};

} // namespace ns3

#endif /* SIM_EVENTS_H */
