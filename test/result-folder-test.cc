// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-files.h"

#include "ns3/fabric-text-file.h"
#include "ns3/fabric-warning.h"
#include "ns3/parse-units.h"
#include "ns3/result-folder.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Folders of results: old ones stay until new ones are whole, and other files stay anyway.
 */

namespace ns3::tests::result_folder_test
{

namespace fs = std::filesystem;

/**
 * @ingroup dcfabric-tests
 * @brief Base of cases: folders with files whose contents tell the run.
 */
class FolderTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /// Names of files, with what is in them.
    using Files = std::map<std::string, std::string>;

    /// Write files into a folder, which is made.
    static void Write(const std::string& folder, const Files& files)
    {
        fs::create_directories(folder);
        for (const auto& [name, text] : files)
        {
            WriteText(folder + "/" + name, text);
        }
    }

    /// @return all files below a folder
    static Files List(const std::string& folder)
    {
        Files found;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
        {
            const std::string path = entry.path().string();
            found[path.substr(folder.size() + 1)] =
                entry.is_directory() ? "(folder)" : ReadFabricFile(path);
        }
        return found;
    }

    /// @return a new folder with results of an old run, and files of somebody else
    std::string MakeOld(const std::string& name)
    {
        const std::string path = CreateTempDirFilename(name);
        Write(path, OLD);
        Write(path, OTHERS);
        return path;
    }

    /// @return two sets of files
    static Files Join(Files files, const Files& more)
    {
        files.insert(more.begin(), more.end());
        return files;
    }

    const std::set<std::string> NAMES{"flows.csv", "pfc.csv", "rates.csv"};
    const Files OLD{{"flows.csv", "old"}, {"pfc.csv", "old"}, {"summary.json", "old"}};
    const Files NEW{{"flows.csv", "new"}, {"pcap-3-12.pcap", "new"}, {"summary.json", "new"}};
    const Files OTHERS{{"notes.txt", "mine"}, {"pcap-3.pcap", "mine"}, {"flows.csv.old", "mine"}};
};

/**
 * @ingroup dcfabric-tests
 * @brief A run that goes well, one that does not, and two at a time.
 */
class FolderLifeTestCase : public FolderTestCase
{
    using FolderTestCase::FolderTestCase;

    void DoRun() override
    {
        const std::string path = MakeOld("replaced");
        {
            ResultFolder folder(path, NAMES);
            const std::string place = folder.Begin();
            Write(place, NEW);
            NS_TEST_EXPECT_MSG_EQ(List(path).at("flows.csv"), "old", "until all is written");
            DCFABRIC_EXPECT_REFUSAL(ResultFolder(path, NAMES),
                                    "out: the folder " + QuoteFabricText(path) +
                                        " is in use by process " + std::to_string(getpid()) +
                                        "; wait until it ends");
            NS_TEST_EXPECT_MSG_EQ(folder.Finish(), path, "here they are");
        }
        NS_TEST_EXPECT_MSG_EQ((List(path) == Join(NEW, OTHERS)), true, "one run, and the others'");

        const std::string kept = MakeOld("kept");
        {
            ResultFolder folder(kept, NAMES);
            Write(folder.Begin(), NEW);
        }
        NS_TEST_EXPECT_MSG_EQ((List(kept) == Join(OLD, OTHERS)), true, "a run that failed");

        const std::string fresh = CreateTempDirFilename("fresh");
        {
            ResultFolder folder(fresh + "/a/b", NAMES);
            Write(folder.Begin(), NEW);
        }
        NS_TEST_EXPECT_MSG_EQ(fs::exists(fresh), false, "made in vain, and gone again");
        {
            ResultFolder folder(fresh + "/a/b", NAMES);
            Write(folder.Begin(), NEW);
            folder.Finish();
        }
        NS_TEST_EXPECT_MSG_EQ((List(fresh + "/a/b") == NEW), true, "made for good");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Results that are put aside, and the next ones.
 */
class FolderAsideTestCase : public FolderTestCase
{
    using FolderTestCase::FolderTestCase;

    void DoRun() override
    {
        const std::string path = MakeOld("aside");
        std::vector<std::string> notes;
        const auto before =
            SetFabricNoteSink([&notes](const FabricText& text) { notes.push_back(text.Say()); });
        for (const char* run : {"first", "second"})
        {
            ResultFolder folder(path, NAMES);
            Write(folder.Begin(), {{"flows.csv", run}, {"summary.json", run}});
            NS_TEST_EXPECT_MSG_EQ(folder.FinishAside(), path + "/partial", "beside");
        }
        SetFabricNoteSink(before);
        NS_TEST_ASSERT_MSG_EQ(notes.size(), 2, "each says so");
        NS_TEST_EXPECT_MSG_EQ(Contains(notes[1], "keeps its complete results"), true, notes[1]);
        const Files aside{{"partial", "(folder)"},
                          {"partial/flows.csv", "second"},
                          {"partial/summary.json", "second"}};
        NS_TEST_EXPECT_MSG_EQ((List(path) == Join(Join(OLD, OTHERS), aside)), true, "both");

        Write(path + "/partial", {{"notes.txt", "mine"}});
        {
            ResultFolder folder(path, NAMES);
            Write(folder.Begin(), NEW);
            folder.Finish();
        }
        const Files left{{"partial", "(folder)"}, {"partial/notes.txt", "mine"}};
        NS_TEST_EXPECT_MSG_EQ((List(path) == Join(Join(NEW, OTHERS), left)), true, "both gone");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What a killed run has left at each step is finished, or removed, by the next one.
 */
class FolderRecoveryTestCase : public FolderTestCase
{
    using FolderTestCase::FolderTestCase;

    /// Open a folder in which a run was killed, and expect these files.
    void Expect(const std::string& path, const Files& files, const char* what)
    {
        ResultFolder(path, NAMES).Begin();
        NS_TEST_EXPECT_MSG_EQ((List(path) == Join(files, OTHERS)), true, what);
    }

    void DoRun() override
    {
        const std::string writing = MakeOld("writing");
        Write(writing + "/.dcfabric-running", {{"flows.csv", "new"}, {"pfc.csv.tmp", "n"}});
        Write(writing, {{".dcfabric-lock", "1\n"}}); // the file alone locks nothing
        Expect(writing, OLD, "killed while it wrote");

        const std::string complete = MakeOld("complete");
        Write(complete + "/.dcfabric-complete", NEW);
        Expect(complete, NEW, "killed when all was written");

        const std::string removing = MakeOld("removing");
        Write(removing + "/.dcfabric-complete", NEW);
        fs::remove(removing + "/summary.json");
        fs::remove(removing + "/pfc.csv");
        Expect(removing, NEW, "killed while it removed old files");

        const std::string moving = CreateTempDirFilename("moving");
        Write(moving, OTHERS);
        Write(moving, {{"flows.csv", "new"}});
        Write(moving + "/.dcfabric-moving", {{"pcap-3-12.pcap", "new"}, {"summary.json", "new"}});
        Expect(moving, NEW, "killed while it moved new files");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Places that cannot be a folder of results.
 */
class FolderRefusalTestCase : public FolderTestCase
{
    using FolderTestCase::FolderTestCase;

    void DoRun() override
    {
        const std::string path = MakeOld("refused");
        DCFABRIC_EXPECT_REFUSAL(ResultFolder(path + "/notes.txt", NAMES), "cannot make the folder");
        DCFABRIC_EXPECT_REFUSAL(ResultFolder(path + "/notes.txt/x", NAMES),
                                "cannot make the folder");
        DCFABRIC_EXPECT_REFUSAL(ResultFolder("/proc/none", NAMES), "cannot make the folder");
        fs::create_directory(path + "/rates.csv");
        DCFABRIC_EXPECT_REFUSAL(ResultFolder(path, NAMES), "' is a folder, but a result file");
        if (geteuid() != 0) // who may write everywhere
        {
            fs::permissions(path, fs::perms::owner_read | fs::perms::owner_exec);
            DCFABRIC_EXPECT_REFUSAL(ResultFolder(path, NAMES), "cannot write to the folder");
            fs::permissions(path, fs::perms::owner_all);
        }
        const Files more{{"rates.csv", "(folder)"}};
        NS_TEST_EXPECT_MSG_EQ((List(path) == Join(Join(OLD, OTHERS), more)), true, "as it was");
    }
};

/// Suite of results.
const SuiteCases g_cases("dcfabric-results", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new FolderLifeTestCase("Results replace old ones when all are written"));
    suite.AddTestCase(new FolderAsideTestCase("Results are put aside"));
    suite.AddTestCase(new FolderRecoveryTestCase("What a killed run leaves is put in order"));
    suite.AddTestCase(new FolderRefusalTestCase("Places without results are refused"));
});

} // namespace ns3::tests::result_folder_test
