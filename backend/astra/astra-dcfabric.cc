// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief ASTRA-sim 2.x with dcfabric as its network (doc/backend.rst):
 *
 *     astra-dcfabric --workload-configuration=NAME --system-configuration=FILE
 *         --remote-memory-configuration=FILE --logical-dims=N[,N...] [OPTION...] --
 * OPTION-OF-DCFABRIC...
 *
 * Exit status: that of dcf_run(), and 2 for what is refused.
 */
#include "dcfabric-astra.h"

#include <astra-sim/common/Logging.hh>
#include <astra-sim/system/Sys.hh>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <remote_memory_backend/analytical/AnalyticalRemoteMemory.hh>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

/// Options of ASTRA-sim and their defaults; without one, an option has to be given.
std::map<std::string, std::string> g_options = {
    {"comm-group-configuration", "empty"},
    {"comm-scale", "1"},
    {"injection-scale", "1"},
    {"logging-configuration", "empty"},
    {"logical-dims", ""},
    {"logical-topology-configuration", ""},
    {"num-queues-per-dim", "1"},
    {"remote-memory-configuration", ""},
    {"rendezvous-protocol", "false"},
    {"system-configuration", ""},
    {"workload-configuration", ""},
};

/**
 * @brief Read the options of ASTRA-sim.
 * @return those behind `--`
 */
std::vector<const char*>
ReadOptions(int argc, char** argv)
{
    int i = 1;
    for (; i < argc && std::string(argv[i]) != "--"; ++i)
    {
        const std::string word = argv[i];
        const std::size_t equals = word.find('=');
        const auto option = word.rfind("--", 0) == 0 && equals != std::string::npos
                                ? g_options.find(word.substr(2, equals - 2))
                                : g_options.end();
        if (option == g_options.end())
        {
            throw std::runtime_error("unknown option " + word + "; those of dcfabric follow --");
        }
        option->second = word.substr(equals + 1);
    }
    for (const char* needed :
         {"remote-memory-configuration", "system-configuration", "workload-configuration"})
    {
        if (g_options.at(needed).empty())
        {
            throw std::runtime_error(std::string("--") + needed + " is missing");
        }
    }
    return i < argc ? std::vector<const char*>(argv + i + 1, argv + argc)
                    : std::vector<const char*>();
}

/// @return ranks by dimension: `8,4`, or of a file of ASTRA-sim: {"logical-dims": ["8", "4"]}
std::vector<int>
ReadDimensions()
{
    std::string text = g_options.at("logical-dims");
    if (const std::string path = g_options.at("logical-topology-configuration"); !path.empty())
    {
        std::ifstream file(path);
        text.assign(std::istreambuf_iterator<char>(file), {});
    }
    const std::regex number("[0-9]+");
    std::vector<int> dimensions;
    for (auto found = std::sregex_iterator(text.begin(), text.end(), number);
         found != std::sregex_iterator();
         ++found)
    {
        dimensions.push_back(std::stoi(found->str()));
    }
    if (dimensions.empty())
    {
        throw std::runtime_error("--logical-dims=N[,N...] is missing, or "
                                 "--logical-topology-configuration names a file without them");
    }
    return dimensions;
}

/// Closes a network.
struct Closer
{
    void operator()(dcf_backend* backend) const
    {
        dcf_close(backend);
    }
};

/// @return exit status
int
Run(int argc, char** argv)
{
    std::vector<const char*> words = ReadOptions(argc, argv);
    const std::vector<int> dimensions = ReadDimensions();
    const int ranks = std::accumulate(dimensions.begin(), dimensions.end(), 1, std::multiplies<>());
    const std::string own = "--ranks=" + std::to_string(ranks);
    words.push_back(own.c_str());
    char error[4096] = "";
    const std::unique_ptr<dcf_backend, Closer> backend(
        dcf_open(static_cast<int>(words.size()), words.data(), error, sizeof(error)));
    if (!backend)
    {
        throw std::runtime_error(error);
    }
    AstraSim::LoggerFactory::init(g_options.at("logging-configuration"));
    Analytical::AnalyticalRemoteMemory memory(g_options.at("remote-memory-configuration"));
    const std::vector<int> queues(dimensions.size(), std::stoi(g_options.at("num-queues-per-dim")));
    std::vector<std::unique_ptr<dcfabric::AstraNetwork>> networks;
    std::vector<AstraSim::Sys*> systems; // some delete themselves
    for (int rank = 0; rank < ranks; ++rank)
    {
        networks.push_back(std::make_unique<dcfabric::AstraNetwork>(rank, backend.get()));
        systems.push_back(new AstraSim::Sys(rank,
                                            g_options.at("workload-configuration"),
                                            g_options.at("comm-group-configuration"),
                                            g_options.at("system-configuration"),
                                            &memory,
                                            networks.back().get(),
                                            dimensions,
                                            queues,
                                            std::stod(g_options.at("injection-scale")),
                                            std::stod(g_options.at("comm-scale")),
                                            g_options.at("rendezvous-protocol") == "true"));
    }
    for (AstraSim::Sys* system : systems)
    {
        system->workload->fire();
    }
    const int status = dcf_run(backend.get());
    if (status != DCF_DONE)
    {
        std::fprintf(stderr, "astra-dcfabric: %s\n", dcf_error(backend.get()));
    }
    AstraSim::LoggerFactory::shutdown();
    return status;
}

} // namespace

int
main(int argc, char** argv)
{
    try
    {
        return Run(argc, argv);
    }
    catch (const std::exception& error)
    {
        std::fprintf(stderr, "astra-dcfabric: %s\n", error.what());
        return DCF_ERROR;
    }
}
