// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_SIGNALS_H
#define SIM_SIGNALS_H

namespace ns3
{

/**
 * @brief What asks the program to end before its time, with the results that it has.
 *
 * That is SIGINT, SIGTERM and SIGHUP (unless it was ignored, as under nohup), and the end of the
 * process that started the program, if that wants it: the environment variable DCFABRIC_PARENT
 * names the descriptor of a pipe whose other end only that process holds. The Python package sets
 * it, so that no run goes on when Python has died.
 */
class SimSignals
{
  public:
    /// From now on signals end the program with the status of an interrupted run, whatever it
    /// reads or sets up; after BeginRun() they are noted, and a second one of the same kind ends
    /// it at once. Writing to a closed pipe or beyond the limit of file sizes becomes an error of
    /// the call instead of a signal.
    static void Catch();

    /// There are results to be saved from now on.
    static void BeginRun();

    /// @return number of the first signal, SIGHUP if the parent has gone; 0 for none yet
    static int Get();
};

} // namespace ns3

#endif /* SIM_SIGNALS_H */
