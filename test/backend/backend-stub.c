/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * @file
 * @brief A client in C of the library for other simulators: checks of its promises, and a ring
 * all-reduce by a system layer that works as that of ASTRA-sim does.
 *
 *     backend-stub CHECK [OPTION...]       status 0 if the library does as it should
 *     backend-stub ring:BYTES,DELAY_NS[,STEPS] [OPTION...]
 *
 * Options are those of dcf_open(); --ranks and --topology have defaults that fit the check.
 */
#include "dcfabric-backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PS_PER_NS 1000
#define MAX_WORDS 32
#define MAX_CALLS 64

static const char* g_words[MAX_WORDS]; /* options */
static int g_nWords = 0;
static dcf_backend* g_net = NULL; /* network of the check */
static int g_failed = 0;

/* What was called, and when. */
static struct
{
    const char* name;
    uint64_t ps;
} g_calls[MAX_CALLS];

static int g_nCalls = 0;

#define EXPECT(condition, what)                                                                    \
    do                                                                                             \
    {                                                                                              \
        if (!(condition))                                                                          \
        {                                                                                          \
            fprintf(stderr, "line %d: %s\n", __LINE__, what);                                      \
            g_failed = 1;                                                                          \
        }                                                                                          \
    } while (0)

/* Open the network of the check with the user's options behind those of the check, or refuse. */
static void
Open(const char* const* own, int nOwn)
{
    const char* words[2 * MAX_WORDS];
    char error[1000];
    int n = 0;
    for (int i = 0; i < nOwn; ++i)
    {
        const size_t name = strcspn(own[i], "=");
        int given = 0;
        for (int j = 0; j < g_nWords; ++j)
        {
            given |= strncmp(own[i], g_words[j], name + 1) == 0;
        }
        if (!given)
        {
            words[n++] = own[i];
        }
    }
    for (int j = 0; j < g_nWords; ++j)
    {
        words[n++] = g_words[j];
    }
    g_net = dcf_open(n, words, error, sizeof(error));
    if (!g_net)
    {
        fprintf(stderr, "backend-stub: %s\n", error);
        exit(2);
    }
}

/* Two hosts at one switch: 100 Gb/s, 1 us links. */
static void
OpenPair(void)
{
    const char* own[] = {"--topology=fat-tree:k=4", "--rate=100Gbps", "--delay=1us"};
    Open(own, 3);
}

static void
Note(void* name)
{
    if (g_nCalls < MAX_CALLS)
    {
        g_calls[g_nCalls].name = name;
        g_calls[g_nCalls++].ps = dcf_now_ps(g_net);
    }
}

/* Check the next call that was noted. */
static uint64_t
Take(const char* name)
{
    static int next = 0;
    if (next >= g_nCalls || strcmp(g_calls[next].name, name) != 0)
    {
        fprintf(stderr,
                "call %d is %s, not %s\n",
                next,
                next < g_nCalls ? g_calls[next].name : "none",
                name);
        g_failed = 1;
        return 0;
    }
    return g_calls[next++].ps;
}

static void
Run(int expected)
{
    const int status = dcf_run(g_net);
    if (status != expected)
    {
        fprintf(stderr, "dcf_run() gives %d, not %d: %s\n", status, expected, dcf_error(g_net));
        g_failed = 1;
    }
}

/* --- A system layer with lists of events by tick, of which the network knows the first only ----
 */

typedef struct Event
{
    dcf_fn fn;
    void* arg;
    struct Event* next;
} Event;

typedef struct Tick
{
    uint64_t ns;
    Event* first;
    Event** last;
    struct Tick* next;
} Tick;

typedef struct
{
    uint32_t rank;
    Tick* ticks;
    uint32_t step;   /* of the ring */
    int outstanding; /* what the step waits for */
} System;

static System* g_systems = NULL;
static uint32_t g_nSystems = 0;
static uint64_t g_chunk = 0;   /* bytes of a step */
static uint64_t g_delayNs = 0; /* behind each message */
static uint32_t g_nSteps = 0;  /* of the ring */

/* Of all ranks, as the first one has it. */
static uint64_t
NowNs(void)
{
    return dcf_now_ps(g_net) / PS_PER_NS;
}

static void
FireTick(void* arg)
{
    System* system = arg;
    Tick** place = &system->ticks;
    while (*place && (*place)->ns != NowNs())
    {
        place = &(*place)->next;
    }
    Tick* tick = *place;
    EXPECT(tick != NULL, "no list of this tick: the rank would hang");
    if (!tick)
    {
        return;
    }
    for (Event* event = tick->first; event; event = tick->first)
    {
        tick->first = event->next;
        if (!tick->first)
        {
            tick->last = &tick->first;
        }
        event->fn(event->arg);
        free(event);
    }
    for (place = &system->ticks; *place != tick; place = &(*place)->next)
    {
    }
    *place = tick->next;
    free(tick);
}

/* Register an event: only the first one of a tick asks the network. */
static void
Register(System* system, uint64_t deltaNs, dcf_fn fn, void* arg)
{
    const uint64_t ns = NowNs() + deltaNs;
    Tick* tick = system->ticks;
    while (tick && tick->ns != ns)
    {
        tick = tick->next;
    }
    if (!tick)
    {
        tick = malloc(sizeof(*tick));
        tick->ns = ns;
        tick->first = NULL;
        tick->last = &tick->first;
        tick->next = system->ticks;
        system->ticks = tick;
        EXPECT(dcf_schedule(g_net, deltaNs * PS_PER_NS, FireTick, system) == 0, "schedule");
    }
    Event* event = malloc(sizeof(*event));
    event->fn = fn;
    event->arg = arg;
    event->next = NULL;
    *tick->last = event;
    tick->last = &event->next;
}

static void StartStep(System* system);

static void
EndStep(void* arg)
{
    System* system = arg;
    ++system->step;
    StartStep(system);
}

static void
OnReceived(void* arg)
{
    System* system = arg;
    if (g_delayNs == 0)
    {
        EndStep(system);
        return;
    }
    Register(system, g_delayNs, EndStep, system);
}

static void
StartStep(System* system)
{
    if (system->step == g_nSteps)
    {
        dcf_finish(g_net, system->rank);
        return;
    }
    const uint32_t next = (system->rank + 1) % g_nSystems;
    const uint32_t before = (system->rank + g_nSystems - 1) % g_nSystems;
    EXPECT(dcf_send(g_net, system->rank, next, g_chunk, system->step, NULL, NULL) == 0, "send");
    EXPECT(dcf_recv(g_net, system->rank, before, g_chunk, system->step, OnReceived, system) == 0,
           "receive");
}

static void
StartRing(void* arg)
{
    StartStep(arg);
}

/* An all-reduce over all ranks. */
static void
CheckRing(const char* parameters)
{
    char* end = NULL;
    const uint64_t bytes = strtoull(parameters, &end, 10);
    g_delayNs = *end == ',' ? strtoull(end + 1, &end, 10) : 0;
    OpenPair();
    g_nSystems = (uint32_t)dcf_ranks(g_net);
    g_systems = calloc(g_nSystems, sizeof(*g_systems));
    g_chunk = bytes / g_nSystems;
    g_nSteps = *end == ',' ? (uint32_t)strtoul(end + 1, NULL, 10) : 2 * (g_nSystems - 1);
    for (uint32_t rank = 0; rank < g_nSystems; ++rank)
    {
        g_systems[rank].rank = rank;
        Register(&g_systems[rank], 0, StartRing, &g_systems[rank]);
    }
    Run(DCF_DONE);
    printf("%llu\n", (unsigned long long)dcf_now_ps(g_net));
    free(g_systems);
}

/* --- Checks ------------------------------------------------------------------------------------
 */

/* Called at 600 ps: schedules 0, 1 and 1000 ns from then. */
static void
ScheduleFrom(void* arg)
{
    System* system = arg;
    Note("begin");
    Register(system, 0, Note, "0");
    Register(system, 1, Note, "1");
    Register(system, 1000, Note, "1000");
    Note("end");
}

/* Ticks are found: what is scheduled at t fires at t + delta exactly, whose floor in ns is floor(t)
 * + delta; and nothing is called within a call. */
static void
CheckSchedule(void)
{
    System system = {0, NULL, 0, 0};
    OpenPair();
    dcf_schedule(g_net, 600, ScheduleFrom, &system);
    Run(DCF_DONE);
    EXPECT(Take("begin") == 600, "begin");
    EXPECT(Take("end") == 600, "end");
    EXPECT(Take("0") == 600, "0");
    EXPECT(Take("1") == 1600, "1");
    EXPECT(Take("1000") == 1000600, "1000");
    EXPECT(dcf_schedule(g_net, 0, Note, "late") < 0, "after the end");
}

static void
ThreeNow(void* arg)
{
    (void)arg;
    Note("caller");
    dcf_schedule(g_net, 0, Note, "first");
    dcf_schedule(g_net, 0, Note, "second");
    dcf_schedule(g_net, 0, Note, "third");
    Note("returns");
}

/* Delta 0: in the order of the calls, after the caller has returned. */
static void
CheckOrder(void)
{
    OpenPair();
    dcf_schedule(g_net, 5, ThreeNow, NULL);
    dcf_schedule(g_net, 5, Note, "other");
    Run(DCF_DONE);
    const char* names[] = {"caller", "returns", "other", "first", "second", "third"};
    for (int i = 0; i < 6; ++i)
    {
        EXPECT(Take(names[i]) == 5, names[i]);
    }
}

static void
ReceiveLate(void* name)
{
    dcf_recv(g_net, 1, 0, 100, 9, Note, name);
    Note("asked");
}

static void
ReceiveNow(void* arg)
{
    (void)arg;
    Note("sent locally");
    dcf_recv(g_net, 2, 2, 50, 1, Note, "at once");
    Note("has asked");
}

/* Receives before, after and exactly at the arrival; bytes of several sends for one receive, and
 * of one send for several receives. */
static void
CheckMatch(void)
{
    OpenPair();
    for (int i = 0; i < 3; ++i)
    {
        dcf_send(g_net, 0, 1, 100, 8, NULL, NULL);
    }
    dcf_recv(g_net, 1, 0, 300, 8, Note, "three for one");
    dcf_send(g_net, 0, 1, 300, 9, NULL, NULL);
    dcf_recv(g_net, 1, 0, 100, 9, Note, "first of one");
    dcf_schedule(g_net, 100000000, ReceiveLate, "second of one");
    dcf_schedule(g_net, 200000000, ReceiveLate, "third of one");
    /* to itself: it arrives at this time, and so does the receive that its end asks for */
    dcf_send(g_net, 2, 2, 50, 1, ReceiveNow, NULL);
    Run(DCF_DONE);
    EXPECT(Take("sent locally") == 0, "local");
    EXPECT(Take("has asked") == 0, "not within the call");
    EXPECT(Take("at once") == 0, "at the arrival");
    const uint64_t three = Take("three for one");
    const uint64_t first = Take("first of one");
    EXPECT(three > 0 && first > three, "on one queue pair one after the other");
    EXPECT(Take("asked") == 100000000 && Take("second of one") == 100000000, "after it");
    EXPECT(Take("asked") == 200000000 && Take("third of one") == 200000000, "after it, again");
}

/* Two receives of one key: the first is complete with its own bytes, not with the sum. */
static void
CheckFifo(void)
{
    OpenPair();
    dcf_recv(g_net, 1, 0, 100, 7, Note, "first");
    dcf_recv(g_net, 1, 0, 200, 7, Note, "second");
    dcf_send(g_net, 0, 1, 100, 7, Note, "100 sent");
    dcf_send(g_net, 0, 1, 200, 7, Note, "200 sent");
    Run(DCF_DONE);
    const uint64_t first = Take("first");
    const uint64_t second = Take("second");
    EXPECT(second > first && second - first < 100000, "one packet behind the other");
    EXPECT(Take("100 sent") > first, "a way back later");
    EXPECT(Take("200 sent") > second, "a way back later");
}

/* A lone message of a megabyte: when it arrives, and when its sender knows, in ps. */
static void
CheckLone(void)
{
    OpenPair();
    dcf_recv(g_net, 1, 0, 1000000, 0, Note, "received");
    dcf_send(g_net, 0, 1, 1000000, 0, Note, "sent");
    EXPECT(dcf_bandwidth(g_net, 0) == 12.5, "100 Gb/s");
    EXPECT(dcf_bandwidth(g_net, 1) == -1, "one dimension");
    Run(DCF_DONE);
    printf("%llu ", (unsigned long long)Take("received"));
    printf("%llu\n", (unsigned long long)Take("sent"));
}

/* Lengths beyond 32 bit; the run is stopped before its end. */
static void
CheckHuge(void)
{
    const char* own[] = {"--topology=fat-tree:k=4", "--stop=1us"};
    Open(own, 2);
    EXPECT(dcf_send(g_net, 0, 1, 4294967301ULL, 0, NULL, NULL) == 0, "2^32 + 5");
    EXPECT(dcf_send(g_net, 0, 1, UINT64_MAX, 0, NULL, NULL) < 0, "too long");
    EXPECT(strstr(dcf_error(g_net), "too long") != NULL, dcf_error(g_net));
    EXPECT(dcf_recv(g_net, 0, 16, 1, 0, NULL, NULL) < 0, "no such rank");
    EXPECT(strstr(dcf_error(g_net), "no rank 16") != NULL, dcf_error(g_net));
    EXPECT(dcf_schedule(g_net, UINT64_MAX, Note, NULL) < 0, "beyond all times");
    Run(DCF_STOPPED);
    EXPECT(strstr(dcf_error(g_net), "stopped") != NULL, dcf_error(g_net));
    EXPECT(dcf_run(g_net) == DCF_ERROR, "once");
}

/* A receive for which nobody sends, by rank, source, tag and bytes. */
static void
CheckMissing(void)
{
    OpenPair();
    dcf_send(g_net, 2, 3, 60, 5, NULL, NULL);
    dcf_recv(g_net, 3, 2, 100, 5, Note, "never");
    dcf_recv(g_net, 3, 2, 10, 5, Note, "never");
    dcf_send(g_net, 2, 3, 1000, 6, NULL, NULL);
    dcf_finish(g_net, 2);
    Run(DCF_VIOLATION);
    EXPECT(g_nCalls == 0, "nobody was called");
    fputs(dcf_error(g_net), stdout);
    const char* lines[] = {"rank 3 receives 100 bytes from rank 2 with tag 5: 40 missing",
                           "rank 3 receives 10 bytes from rank 2 with tag 5: 10 missing",
                           "rank 3 does not receive 1000 bytes that have come from rank 2 with tag "
                           "6",
                           "have not finished: 0 to 1, 4 to 15"};
    for (int i = 0; i < 4; ++i)
    {
        EXPECT(strstr(dcf_error(g_net), lines[i]) != NULL, lines[i]);
    }
}

/* Open what cannot be opened. */
static void
Refused(const char* word, const char* reason)
{
    char error[500] = "";
    EXPECT(dcf_open(1, &word, error, sizeof(error)) == NULL, word);
    EXPECT(strstr(error, reason) != NULL, error);
    char brief[6] = "?";
    EXPECT(dcf_open(1, &word, brief, sizeof(brief)) == NULL && strlen(brief) == 5, "it is cut");
    EXPECT(dcf_open(1, &word, NULL, 0) == NULL, "nobody wants to know");
}

/* One network at a time; what is refused leaves no trace. */
static void
CheckTwice(void)
{
    Refused("--cc=nothing", "nothing");
    Refused("--ranks=100000", "ranks");
    Refused("--ranks=0x", "--ranks");
    Refused("--flow-control=none,pfc", "--flow-control");
    Refused("--out", "needs a value");
    Refused("topology=fat-tree:k=4", "is not an option");
    OpenPair();
    Refused("--topology=fat-tree:k=4", "has a simulation already");
    EXPECT(dcf_ranks(g_net) == 16, "it is as it was");
    dcf_send(g_net, 0, 15, 1000, 0, Note, "sent");
    Run(DCF_DONE);
    EXPECT(Take("sent") > 0, "it runs");
}

/* Many networks, one after the other, do the same. */
static void
CheckCycles(const char* parameters)
{
    const int cycles = (int)strtol(parameters, NULL, 10);
    uint64_t first = 0;
    for (int i = 0; i < cycles; ++i)
    {
        OpenPair();
        if (i % 2 == 0) /* some are closed before they run */
        {
            dcf_recv(g_net, 5, 0, 3000, 0, NULL, NULL);
            dcf_send(g_net, 0, 5, 3000, 0, NULL, NULL);
            dcf_send(g_net, 7, 5, 3000, 0, NULL, NULL);
            Run(DCF_DONE);
            first = i == 0 ? dcf_now_ps(g_net) : first;
            EXPECT(dcf_now_ps(g_net) == first, "as the first time");
        }
        dcf_close(g_net);
    }
    OpenPair();
}

static void
SendAround(void* arg)
{
    (void)arg;
    Note("begins");
    dcf_send(g_net, 2, 2, 10, 0, Note, "to itself");
    dcf_recv(g_net, 2, 2, 10, 0, Note, "from itself");
    dcf_send(g_net, 2, 3, 10, 0, Note, "to its host");
    dcf_recv(g_net, 3, 2, 10, 0, Note, "in its host");
    dcf_close(g_net); /* no effect here */
    EXPECT(dcf_run(g_net) == DCF_ERROR, "it is running");
}

/* To itself and within a host: in memory, which takes a constant time. */
static void
CheckLocal(void)
{
    const char* own[] = {"--topology=fat-tree:k=4",
                         "--ranks=6",
                         "--per-host=2",
                         "--ns3::ClientWorkload::LocalDelay=300ns"};
    Open(own, 4);
    EXPECT(dcf_ranks(g_net) == 6, "ranks");
    dcf_schedule(g_net, 1000, SendAround, NULL);
    Run(DCF_DONE);
    EXPECT(Take("begins") == 1000, "begins");
    /* receives before ends of sends, by rank */
    EXPECT(Take("from itself") == 301000, "300 ns later");
    EXPECT(Take("in its host") == 301000, "300 ns later");
    EXPECT(Take("to itself") == 301000, "300 ns later");
    EXPECT(Take("to its host") == 301000, "300 ns later");
}

static void
Finish(void* arg)
{
    Note("finish");
    dcf_finish(g_net, (uint32_t)(uintptr_t)arg);
    dcf_finish(g_net, (uint32_t)(uintptr_t)arg); /* once is enough */
}

/* Ranks finish at different times: the run ends with the last, whatever else is scheduled, and
 * however often samplers look. */
static void
CheckFinish(void)
{
    const char* own[] = {"--topology=fat-tree:k=4", "--trace=queues", "--ranks=4"};
    Open(own, 3);
    for (uintptr_t rank = 0; rank < 4; ++rank)
    {
        dcf_schedule(g_net, 1000000 * (rank + 1), Finish, (void*)rank);
    }
    dcf_schedule(g_net, 1000000000, Note, "never");
    Run(DCF_DONE);
    EXPECT(g_nCalls == 4, "nothing behind the end");
    EXPECT(dcf_now_ps(g_net) == 4000000, "at the last finish");
}

int
main(int argc, char** argv)
{
    static const struct
    {
        const char* name;
        void (*plain)(void);
        void (*with)(const char* parameters);
    } checks[] = {
        {"schedule", CheckSchedule, NULL},
        {"order", CheckOrder, NULL},
        {"match", CheckMatch, NULL},
        {"fifo", CheckFifo, NULL},
        {"lone", CheckLone, NULL},
        {"huge", CheckHuge, NULL},
        {"missing", CheckMissing, NULL},
        {"twice", CheckTwice, NULL},
        {"local", CheckLocal, NULL},
        {"finish", CheckFinish, NULL},
        {"ring:", NULL, CheckRing},
        {"cycles:", NULL, CheckCycles},
    };

    const char* check = argc > 1 ? argv[1] : "";
    for (int i = 2; i < argc && g_nWords < MAX_WORDS; ++i)
    {
        g_words[g_nWords++] = argv[i];
    }
    for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); ++i)
    {
        const size_t size = strlen(checks[i].name);
        if (checks[i].plain && strcmp(check, checks[i].name) == 0)
        {
            checks[i].plain();
        }
        else if (checks[i].with && strncmp(check, checks[i].name, size) == 0)
        {
            checks[i].with(check + size);
        }
        else
        {
            continue;
        }
        dcf_close(g_net);
        dcf_close(NULL);
        return g_failed;
    }
    fprintf(stderr, "backend-stub: no such check: %s\n", check);
    return 2;
}
