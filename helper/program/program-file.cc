// SPDX-License-Identifier: GPL-2.0-only
#include "program-file.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-text-file.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// The words of an operation behind its name.
struct OperationWords
{
    std::vector<std::string> arguments; //!< in order
    RankMessageOptions options;         //!< tag=, as=
    std::string algorithm;              //!< algorithm=
    std::string root{"0"};              //!< root=

    /// @return an argument, or what stands for one that is not there
    const std::string& Get(std::size_t index, const std::string& fallback) const
    {
        return index < arguments.size() ? arguments[index] : fallback;
    }
};

/// What is given as KEY=VALUE.
struct OperationOption
{
    const char* key;                            //!< before the sign
    std::string& (*get)(OperationWords& words); //!< where the value belongs
};

constexpr OperationOption OPERATION_OPTIONS[] = {
    {"tag", [](OperationWords& words) -> std::string& { return words.options.tag.text; }},
    {"as", [](OperationWords& words) -> std::string& { return words.options.request; }},
    {"algorithm", [](OperationWords& words) -> std::string& { return words.algorithm; }},
    {"root", [](OperationWords& words) -> std::string& { return words.root; }},
};

/// A word that begins a line of a program.
struct OperationForm
{
    std::string name;    //!< the word
    const char* format;  //!< how the line looks
    std::size_t least;   //!< arguments
    std::size_t most;    //!< arguments
    const char* options; //!< those that it may have
    bool block;          //!< a block may follow, or has to if least arguments include a brace
    /// Does it; the words are those of this form.
    void (*append)(RankProgram& program, const OperationForm& form, const OperationWords& words);
};

/// A collective that is named as in the file.
void
AppendCollective(RankProgram& program, const OperationForm& form, const OperationWords& words)
{
    program.Collective(form.name,
                       words.arguments[0],
                       words.Get(1, "all"),
                       words.algorithm,
                       words.root);
}

const std::string NO_WORD; //!< of an argument that is not there

const std::vector<OperationForm> OPERATION_FORMS = {
    {"send",
     "send RANK SIZE [tag=T]",
     2,
     2,
     "tag",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.Send(w.arguments[0], w.arguments[1], w.options);
     }},
    {"isend",
     "isend RANK SIZE [tag=T] [as=NAME]",
     2,
     2,
     "tag as",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.ISend(w.arguments[0], w.arguments[1], w.options);
     }},
    {"recv",
     "recv RANK|any [tag=T]",
     1,
     1,
     "tag",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.Recv(w.arguments[0], w.options);
     }},
    {"irecv",
     "irecv RANK|any [tag=T] [as=NAME]",
     1,
     1,
     "tag as",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.IRecv(w.arguments[0], w.options);
     }},
    {"put",
     "put RANK SIZE",
     2,
     2,
     "",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.Put(w.arguments[0], w.arguments[1]);
     }},
    {"iput",
     "iput RANK SIZE [as=NAME]",
     2,
     2,
     "as",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.IPut(w.arguments[0], w.arguments[1], w.options.request);
     }},
    {"get",
     "get RANK SIZE",
     2,
     2,
     "",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.Get(w.arguments[0], w.arguments[1]);
     }},
    {"iget",
     "iget RANK SIZE [as=NAME]",
     2,
     2,
     "as",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.IGet(w.arguments[0], w.arguments[1], w.options.request);
     }},
    {"wait",
     "wait [NAME]",
     0,
     1,
     "",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.Wait(w.Get(0, NO_WORD));
     }},
    {"barrier",
     "barrier [GROUP]",
     0,
     1,
     "",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.Barrier(w.Get(0, "all"));
     }},
    {"allreduce",
     "allreduce SIZE [GROUP] [algorithm=NAME]",
     1,
     2,
     "algorithm",
     false,
     &AppendCollective},
    {"allgather", "allgather SIZE [GROUP]", 1, 2, "", false, &AppendCollective},
    {"reducescatter", "reducescatter SIZE [GROUP]", 1, 2, "", false, &AppendCollective},
    {"broadcast", "broadcast SIZE [GROUP] [root=INDEX]", 1, 2, "root", false, &AppendCollective},
    {"reduce", "reduce SIZE [GROUP] [root=INDEX]", 1, 2, "root", false, &AppendCollective},
    {"alltoall", "alltoall SIZE [GROUP]", 1, 2, "", false, &AppendCollective},
    {"compute",
     "compute TIME",
     1,
     1,
     "",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.Compute(w.arguments[0]);
     }},
    {"mark",
     "mark NAME [{]",
     1,
     2,
     "",
     true,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         w.arguments.size() > 1 ? p.BeginMark(w.arguments[0]) : p.Mark(w.arguments[0]);
     }},
    {"repeat",
     "repeat COUNT [NAME] {",
     2,
     3,
     "",
     true,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.Repeat(w.arguments[0], w.arguments.size() > 2 ? w.arguments[1] : NO_WORD);
     }},
    {"until",
     "until NAME {",
     2,
     2,
     "",
     true,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.Until(w.arguments[0]);
     }},
    {"if",
     "if EXPRESSION {",
     2,
     2,
     "",
     true,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) { p.If(w.arguments[0]); }},
    {"}",
     "}",
     0,
     0,
     "",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& /* w */) { p.End(); }},
};

/// @return the words of the reader's line
OperationWords
ReadWords(const FabricTextReader& reader, const OperationForm& form)
{
    OperationWords words;
    std::set<std::string> seen;
    const auto& fields = reader.GetFields();
    for (std::size_t i = 1; i < fields.size(); ++i)
    {
        const std::size_t equals = fields[i].find('=');
        const std::string key = fields[i].substr(0, equals);
        const auto option = std::find_if(std::begin(OPERATION_OPTIONS),
                                         std::end(OPERATION_OPTIONS),
                                         [&key](const auto& known) { return key == known.key; });
        if (equals == std::string::npos || option == std::end(OPERATION_OPTIONS))
        {
            words.arguments.push_back(fields[i]);
            continue;
        }
        if ((" " + std::string(form.options) + " ").find(" " + key + " ") == std::string::npos)
        {
            reader.Refuse(form.name + " has no " + key + "=; expected '" + form.format + "'");
        }
        if (!seen.insert(key).second || fields[i].size() == equals + 1)
        {
            reader.Refuse(key + "= is given twice or has no value; expected '" +
                          std::string(form.format) + "'");
        }
        option->get(words) = fields[i].substr(equals + 1);
    }
    const std::size_t count = words.arguments.size();
    const bool brace = count > 0 && words.arguments.back() == "{";
    const bool needsBrace = form.block && count == form.most;
    const bool wantsBrace = form.block && form.least > 1; // a block has to follow
    if (count < form.least || count > form.most || (brace && !form.block) ||
        ((needsBrace || wantsBrace) && !brace))
    {
        reader.Refuse("expected '" + std::string(form.format) + "'");
    }
    return words;
}

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
            if (text.compare(0, m_path.size() + 1, m_path + ":") == 0)
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
        const std::string& word = m_reader.GetFields()[0];
        m_program->SetLine(m_reader.GetLine());
        if (word == "}" && m_program->GetNOpen() == 0)
        {
            m_reader.ExpectFields(1, "}");
            AtLine([&]() { m_job->Assign(m_programRanks, std::move(*m_program)); });
            m_program = nullptr;
            return;
        }
        AtLine([&]() {
            const OperationForm& form = FindFabricName(OPERATION_FORMS, word, "operation");
            form.append(*m_program, form, ReadWords(m_reader, form));
        });
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
