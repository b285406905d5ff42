// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-files.h"

#include "ns3/fabric-text-file.h"
#include "ns3/test.h"

#include <cstring>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The reader of text files: what is no file, and in what texts begin.
 */

namespace ns3::tests::text_file_test
{

/**
 * @brief Read a file and say what is wrong with it.
 * @param path of the file
 */
void
Read(const std::string& path)
{
    FabricTextReader reader(path);
    while (reader.Next())
    {
    }
}

/**
 * @ingroup dcfabric-tests
 * @brief Directories, devices, FIFOs, sockets.
 */
class SpecialFileTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string directory = CreateTempDirFilename("folder");
        NS_TEST_ASSERT_MSG_EQ(::mkdir(directory.c_str(), 0700), 0, "made");
        DCFABRIC_EXPECT_REFUSAL(Read(directory), directory + ": is a directory, not a file");
        DCFABRIC_EXPECT_REFUSAL(Read("/dev/zero"), "/dev/zero: is a device, not a file");
        DCFABRIC_EXPECT_REFUSAL(Read("/dev/null"), "/dev/null: is a device, not a file");
        DCFABRIC_EXPECT_REFUSAL(Read(directory + "/none"), "/none: cannot be opened: No such file");

        // nobody writes: opening it would wait for ever
        const std::string fifo = CreateTempDirFilename("fifo");
        NS_TEST_ASSERT_MSG_EQ(::mkfifo(fifo.c_str(), 0600), 0, "made");
        DCFABRIC_EXPECT_REFUSAL(Read(fifo), fifo + ": is a FIFO, not a file");
        const std::string linked = CreateTempDirFilename("linked");
        NS_TEST_ASSERT_MSG_EQ(::symlink("fifo", linked.c_str()), 0, "made");
        DCFABRIC_EXPECT_REFUSAL(Read(linked), linked + ": is a FIFO, not a file");

        // files by name that cannot be read to an end: an error of reading, and one that would wait
        DCFABRIC_EXPECT_REFUSAL(Read("/proc/self/mem"), "/proc/self/mem: cannot be read: ");
        if (::access("/proc/kmsg", R_OK) == 0)
        {
            DCFABRIC_EXPECT_REFUSAL(Read("/proc/kmsg"), "/proc/kmsg: cannot be ");
        }
        // messages stay on one line, and short: 100 characters from either end
        DCFABRIC_EXPECT_REFUSAL(Read("none\nat all"), "none\\nat all: cannot be opened");
        DCFABRIC_EXPECT_REFUSAL(Read(std::string(6000, 'x') + "y"),
                                std::string(100, 'x') + "..." + std::string(99, 'x') +
                                    "y: cannot be opened: File name too long");

        // names of sockets are short: one in the present folder
        const std::string name = "dcfabric-" + std::to_string(::getpid()) + ".sock";
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, name.c_str(), sizeof(address.sun_path) - 1);
        const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
        NS_TEST_ASSERT_MSG_EQ(
            ::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)),
            0,
            "made");
        DCFABRIC_EXPECT_REFUSAL(Read(name), name + ": is a socket, not a file");
        ::close(listener);
        ::unlink(name.c_str());

        int ends[2];
        NS_TEST_ASSERT_MSG_EQ(::pipe(ends), 0, "made");
        NS_TEST_ASSERT_MSG_EQ(::write(ends[1], "7 8\n", 4), 4, "fits the pipe");
        ::close(ends[1]);
        FabricTextReader reader("/dev/fd/" + std::to_string(ends[0]));
        NS_TEST_EXPECT_MSG_EQ(reader.Next(), true, "a line");
        NS_TEST_EXPECT_MSG_EQ(reader.GetUint(1, "second", 0, 9), 8, "its second field");
        ::close(ends[0]);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Marks of the byte order, ends of lines, and characters that nobody sees.
 */
class EncodingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("text");
        const auto put = [&path](const std::string& text) { WriteText(path, text); };
        const auto number = [&path]() {
            FabricTextReader reader(path);
            reader.Next();
            return reader.GetUint(0, "number", 0, 100);
        };
        const std::string mark = "\xef\xbb\xbf";
        put(mark + "12 3\r\n");
        NS_TEST_EXPECT_MSG_EQ(number(), 12, "behind the mark");
        put(mark);
        NS_TEST_EXPECT_MSG_EQ(FabricTextReader(path).Next(), false, "nothing but the mark");
        put("12\r\n");
        const std::string linked = CreateTempDirFilename("linked");
        NS_TEST_ASSERT_MSG_EQ(::symlink("text", linked.c_str()), 0, "made");
        NS_TEST_EXPECT_MSG_EQ(FabricTextReader(linked).Next(), true, "links to files are files");
        NS_TEST_EXPECT_MSG_EQ(number(), 12, "a carriage return is white space");
        put(mark + mark + "12\n");
        DCFABRIC_EXPECT_REFUSAL(number(), ":1: number: '\\ufeff12' is not a whole number");
        put("\n1" + mark + "2\n");
        DCFABRIC_EXPECT_REFUSAL(number(), ":2: number: '1\\ufeff2' is not a whole number");
        put("1\xc2\xa0"
            "2\n");
        DCFABRIC_EXPECT_REFUSAL(number(), ":1: number: '1\\u00a02' is not");
        put(std::string("1\0\n", 3));
        DCFABRIC_EXPECT_REFUSAL(number(), ":1: number: '1\\x00' is not");
        put(std::string("\xff\xfe"
                        "1\0\n\0",
                        6));
        DCFABRIC_EXPECT_REFUSAL(number(), path + ": is text in UTF-16; save it as UTF-8");
        put(std::string("\xfe\xff\0"
                        "1\0\n",
                        6));
        DCFABRIC_EXPECT_REFUSAL(number(), path + ": is text in UTF-16; save it as UTF-8");
    }
};

/// Reader of text files.
const SuiteCases g_cases("dcfabric-files", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new SpecialFileTestCase(
        "what is no file is refused at once by name; a pipe that is open is read"));
    suite.AddTestCase(new EncodingTestCase(
        "a UTF-8 mark is skipped, UTF-16 is refused, what is invisible is escaped"));
});

} // namespace ns3::tests::text_file_test
