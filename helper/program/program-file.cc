// SPDX-License-Identifier: GPL-2.0-only
#include "program-file.h"

#include "operation-forms.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-text-file.h"
#include "ns3/parse-units.h"

#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// Reads a file line by line.
class ProgramFileReader
{
  public:
    /// @param path file
    explicit ProgramFileReader(const std::string& path)
        : m_path(path),
          m_reader(path, '#')
    {
    }

    /// @return the job
    RankJob Read()
    {
        while (m_reader.Next())
        {
            const std::string& word = m_reader.GetFields()[0];
            if (m_program)
            {
                ReadOperation();
            }
            else if (word == "ranks")
            {
                ReadRanks();
            }
            else if (word == "num_ranks")
            {
                m_reader.Refuse(
                    "this is a GOAL file; 'dcfabric traces goal FILE.goal --out FILE.txt' "
                    "makes a program of it");
            }
            else
            {
                AtLine([&]() {
                    ReadDeclaration(FindFabricName(DECLARATIONS, word, "word outside of programs"));
                });
            }
        }
        if (m_program)
        {
            m_reader.RefuseLine(m_programLine, "the program that begins here has no '}'");
        }
        if (!m_job)
        {
            m_reader.Refuse("no ranks: a file begins with 'ranks COUNT [per-host COUNT]'");
        }
        if (m_job->GetPrograms().empty())
        {
            m_reader.Refuse("no rank has a program: add 'program all {' ... '}'");
        }
        return std::move(*m_job);
    }

  private:
    /// A line outside of programs.
    struct Declaration
    {
        std::string name;                  //!< its first word
        void (ProgramFileReader::*read)(); //!< reads the rest
    };

    static const std::vector<Declaration> DECLARATIONS; //!< all but `ranks`

    /// Call what may refuse, with the place of the line.
    template <typename F>
    void AtLine(F f) const
    {
        try
        {
            f();
        }
        catch (const FabricError& error)
        {
            const std::string text = error.what();
            const std::string place = ShowFabricPath(m_path) + ":";
            if (text.compare(0, place.size(), place) == 0)
            {
                throw;
            }
            m_reader.Refuse(text);
        }
    }

    /// ranks COUNT [per-host COUNT]
    void ReadRanks()
    {
        const auto& fields = m_reader.GetFields();
        const bool several = fields.size() == 4 && fields[2] == "per-host";
        if (m_job || (fields.size() != 2 && !several))
        {
            m_reader.Refuse(m_job ? "ranks are given twice"
                                  : "expected 'ranks COUNT [per-host COUNT]'");
        }
        const auto count =
            static_cast<uint32_t>(m_reader.GetUint(1, "ranks", 1, RankJob::MAX_RANKS));
        m_job = std::make_unique<RankJob>(
            count,
            several ? static_cast<uint32_t>(m_reader.GetUint(3, "per-host", 1, UINT32_MAX)) : 1);
    }

    /// A line that needs the ranks to be known.
    void ReadDeclaration(const Declaration& declaration)
    {
        if (!m_job)
        {
            m_reader.Refuse("a file begins with 'ranks COUNT [per-host COUNT]'");
        }
        (this->*declaration.read)();
    }

    /// place RANK HOST
    void ReadPlace()
    {
        m_reader.ExpectFields(3, "place RANK HOST");
        m_job->Place(static_cast<uint32_t>(m_reader.GetUint(1, "rank", 0, m_job->GetNRanks() - 1)),
                     static_cast<uint32_t>(m_reader.GetUint(2, "host", 0, UINT32_MAX - 1)));
    }

    /// group NAME RANKS
    void ReadGroup()
    {
        m_reader.ExpectFields(3, "group NAME RANKS");
        m_job->AddGroup(m_reader.GetFields()[1],
                        m_job->ReadRanks(m_reader.GetFields()[2], m_reader.GetPlace()));
    }

    /// groups NAME by EXPRESSION
    void ReadGroups()
    {
        m_reader.ExpectFields(4, "groups NAME by EXPRESSION");
        if (m_reader.GetFields()[2] != "by")
        {
            m_reader.Refuse("expected 'groups NAME by EXPRESSION'");
        }
        m_job->AddGroups(m_reader.GetFields()[1],
                         RankExpression(m_reader.GetFields()[3],
                                        RankExpression::Unit::COUNT,
                                        {},
                                        m_reader.GetPlace()));
    }

    /// program RANKS {
    void ReadProgram()
    {
        m_reader.ExpectFields(3, "program RANKS {");
        if (m_reader.GetFields()[2] != "{")
        {
            m_reader.Refuse("expected 'program RANKS {'");
        }
        m_programRanks = m_job->ReadRanks(m_reader.GetFields()[1], m_reader.GetPlace());
        m_programLine = m_reader.GetLine();
        m_program = std::make_unique<RankProgram>(m_path);
    }

    /// A line of a program.
    void ReadOperation()
    {
        m_program->SetLine(m_reader.GetLine());
        if (m_reader.GetFields()[0] == "}" && m_program->GetNOpen() == 0)
        {
            m_reader.ExpectFields(1, "}");
            AtLine([&]() { m_job->Assign(m_programRanks, std::move(*m_program)); });
            m_program = nullptr;
            return;
        }
        AtLine([&]() { AppendOperation(*m_program, m_reader); });
    }

    std::string m_path;                     //!< file
    FabricTextReader m_reader;              //!< at a line
    std::unique_ptr<RankJob> m_job;         //!< null before `ranks`
    std::unique_ptr<RankProgram> m_program; //!< null outside of programs
    std::vector<uint32_t> m_programRanks;   //!< whose it is
    uint32_t m_programLine{0};              //!< where it begins
};

const std::vector<ProgramFileReader::Declaration> ProgramFileReader::DECLARATIONS = {
    {"place", &ProgramFileReader::ReadPlace},
    {"group", &ProgramFileReader::ReadGroup},
    {"groups", &ProgramFileReader::ReadGroups},
    {"program", &ProgramFileReader::ReadProgram},
};

} // namespace

RankJob
ReadProgramFile(const std::string& path)
{
    return ProgramFileReader(path).Read();
}

} // namespace ns3
