/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef DCFABRIC_BACKEND_H
#define DCFABRIC_BACKEND_H

/**
 * @file
 * @brief A network for other simulators: messages between ranks over a simulated data-center
 * fabric, behind an interface in C (doc/backend.rst).
 *
 * The network owns the clock. A client opens it, sends, receives and schedules, and runs it; the
 * network calls the client's functions, in which the client sends, receives and schedules again.
 * None of them is called within a call of the client, and all by the thread that is in dcf_run().
 *
 * What happens at one time is told after all packets of that time, in rounds: receives that are
 * complete, then sends that are acknowledged, then what was scheduled; each by rank and in the
 * order of the calls. What a function leads to at the same time comes in the next round.
 *
 * Times are in picoseconds. A call that is refused says why in dcf_error().
 */

#include <stddef.h>
#include <stdint.h>

/** Version of this interface. */
#define DCF_ABI 1

#ifdef __cplusplus
extern "C"
{
#endif

    /** A network and what runs on it. */
    typedef struct dcf_backend dcf_backend;

    /** What the network calls. */
    typedef void (*dcf_fn)(void*);

    /** What dcf_run() returns. */
    enum
    {
        DCF_DONE = 0,     /**< all ranks have finished, or nothing was left to wait for */
        DCF_STOPPED = 1,  /**< the time of the option stop came first */
        DCF_ERROR = 2,    /**< it was refused, or results cannot be written */
        DCF_VIOLATION = 3 /**< it is stuck, or what must never happen did */
    };

    /**
     * @brief Build a network. A process has one at a time.
     * @param argc number of words
     * @param argv options of dcfabric-sim, `--option=value` each, without a name of a program; and
     * `--ranks=N --per-host=K`: of N ranks the first K are on the first host, and so on. Without
     * N, there are K ranks on each host; without K, one. A workload that is named runs beside them
     * @param error filled with the reason if it is refused; may be null
     * @param len size of that, with its closing zero
     * @return the network, for dcf_close(); null if it is refused
     */
    dcf_backend* dcf_open(int argc, const char* const* argv, char* error, size_t len);

    /**
     * @param backend the network
     * @return number of ranks
     */
    int dcf_ranks(const dcf_backend* backend);

    /**
     * @param backend the network
     * @return the present, ps
     */
    uint64_t dcf_now_ps(const dcf_backend* backend);

    /**
     * @brief Be called after some time.
     * @param backend the network
     * @param delta_ps from now, ps; 0: at this time, once the present function has returned
     * @param fn to be called
     * @param arg given to it
     * @return 0; negative if it is refused
     */
    int dcf_schedule(dcf_backend* backend, uint64_t delta_ps, dcf_fn fn, void* arg);

    /**
     * @brief Send a message now.
     * @param backend the network
     * @param src rank that sends
     * @param dst rank that receives, maybe the same
     * @param bytes length, up to 2^60; 0 counts as 1
     * @param tag by which it is received
     * @param on_sent called when the sender has the last acknowledgement; may be null
     * @param arg given to it
     * @return 0; negative if it is refused
     */
    int dcf_send(dcf_backend* backend,
                 uint32_t src,
                 uint32_t dst,
                 uint64_t bytes,
                 uint64_t tag,
                 dcf_fn on_sent,
                 void* arg);

    /**
     * @brief Receive from now on. Bytes of the same ranks and tag fill receives in their order,
     * however many messages bring them; what is left over waits for the next receive.
     * @param backend the network
     * @param dst rank that receives
     * @param src rank that sends
     * @param bytes to be received, up to 2^60; 0 counts as 1
     * @param tag of the message
     * @param on_received called when the last byte is there, perhaps at this time; may be null
     * @param arg given to it
     * @return 0; negative if it is refused
     */
    int dcf_recv(dcf_backend* backend,
                 uint32_t dst,
                 uint32_t src,
                 uint64_t bytes,
                 uint64_t tag,
                 dcf_fn on_received,
                 void* arg);

    /**
     * @brief A rank has nothing more to do. When all have said so the run ends, once all messages
     * have arrived and are acknowledged and what asked to be told of them was called. Where no rank
     * says so, it ends when nothing is left to wait for.
     * @param backend the network
     * @param rank which; once is enough
     */
    void dcf_finish(dcf_backend* backend, uint32_t rank);

    /**
     * @brief Simulate, and write the results into the folder of the option `out`. Once.
     * @param backend the network
     * @return DCF_DONE, or why not; dcf_error() says more, as which receives wait
     */
    int dcf_run(dcf_backend* backend);

    /**
     * @param backend the network
     * @param dim dimension; the network has dimension 0 only
     * @return rate of a port of a host, GB/s; -1 for other dimensions
     */
    double dcf_bandwidth(const dcf_backend* backend, int dim);

    /**
     * @param backend the network
     * @return why the last call that was refused was, or how the run ended; empty at first. Valid
     * until the next call
     */
    const char* dcf_error(const dcf_backend* backend);

    /**
     * @brief Give everything back. No effect within dcf_run().
     * @param backend the network; null: nothing is done
     */
    void dcf_close(dcf_backend* backend);

#ifdef __cplusplus
}
#endif

#endif /* DCFABRIC_BACKEND_H */
