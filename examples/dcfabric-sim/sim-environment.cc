// SPDX-License-Identifier: GPL-2.0-only
#include "sim-environment.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace ns3
{

namespace
{

/// Variables from which ns-3 takes defaults of attributes and values of globals.
constexpr const char* VARIABLES[] = {"NS_ATTRIBUTE_DEFAULT", "NS_GLOBAL_VALUE"};

} // namespace

void
OpenSimStreams()
{
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    {
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
        {
            // takes the lowest number, which is this one; open the wrong way round, it refuses
            static_cast<void>(open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
        }
    }
}

void
RefuseSimEnvironment()
{
    for (const char* variable : VARIABLES)
    {
        const char* found = std::getenv(variable);
        const std::string value = found ? found : "";
        if (!value.empty())
        {
            throw FabricError(std::string("the environment variable ") + variable + " is set to " +
                              QuoteFabricText(value) +
                              ": it would change results without a trace of it in summary.json; "
                              "unset it, and write --NAME=VALUE");
        }
    }
}

} // namespace ns3
