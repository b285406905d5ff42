// SPDX-License-Identifier: GPL-2.0-only

/**
 * Preloaded into a program: kills it before a call that changes a folder, the one of number KILL_AT.
 * So a test can look at what is left between any two of these calls.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

static void
Count(void)
{
    static int calls = 0;
    const char* at = getenv("KILL_AT");
    if (at && ++calls == atoi(at))
    {
        raise(SIGKILL);
    }
}

#define COUNTED(name, parameters, arguments)                                                       \
    int name parameters                                                                            \
    {                                                                                              \
        int(*next) parameters = (int(*) parameters)dlsym(RTLD_NEXT, #name);                        \
        Count();                                                                                   \
        return next arguments;                                                                     \
    }

COUNTED(rename, (const char* from, const char* to), (from, to))
COUNTED(remove, (const char* path), (path))
COUNTED(unlink, (const char* path), (path))
COUNTED(rmdir, (const char* path), (path))
COUNTED(mkdir, (const char* path, mode_t mode), (path, mode))
COUNTED(unlinkat, (int folder, const char* path, int flags), (folder, path, flags))
