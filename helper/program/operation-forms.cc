// SPDX-License-Identifier: GPL-2.0-only
#include "operation-forms.h"

#include "rank-program.h"

#include "ns3/fabric-spec.h"
#include "ns3/fabric-text-file.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <cstring>
#include <string>
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
    RankMessageOptions options;         //!< tag=, as=, begun=, on=
    std::string after;                  //!< after=
    CollectiveOptions how;              //!< algorithm=, dims=, chunks=, channels=, window=
    std::string root{"0"};              //!< root=
    std::string flops;                  //!< flops=
    std::string bytes;                  //!< bytes=

    /// @return what is counted of a computation
    RankWork GetWork() const
    {
        return {flops.empty() ? "0" : flops, bytes.empty() ? "0" : bytes};
    }

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
    {"as", [](OperationWords& words) -> std::string& { return words.options.start.request; }},
    {"after", [](OperationWords& words) -> std::string& { return words.after; }},
    {"begun", [](OperationWords& words) -> std::string& { return words.options.start.begun; }},
    {"on", [](OperationWords& words) -> std::string& { return words.options.start.stream; }},
    {"algorithm", [](OperationWords& words) -> std::string& { return words.how.algorithm; }},
    {"dims", [](OperationWords& words) -> std::string& { return words.how.dims; }},
    {"chunks", [](OperationWords& words) -> std::string& { return words.how.chunks; }},
    {"channels", [](OperationWords& words) -> std::string& { return words.how.channels; }},
    {"window", [](OperationWords& words) -> std::string& { return words.how.window; }},
    {"matrix", [](OperationWords& words) -> std::string& { return words.how.matrix; }},
    {"transposed", [](OperationWords& words) -> std::string& { return words.how.transposed; }},
    {"root", [](OperationWords& words) -> std::string& { return words.root; }},
    {"flops", [](OperationWords& words) -> std::string& { return words.flops; }},
    {"bytes", [](OperationWords& words) -> std::string& { return words.bytes; }},
};

/// A word that begins a line of a program.
struct OperationForm
{
    std::string name;    //!< the word
    const char* format;  //!< how the line looks; STARTED is what all that is started may have, and
                         //!< CUT what all collectives with data may
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
                       words.how.algorithm,
                       words.root,
                       words.how);
}

/// The same, started: the name has an i before.
void
AppendICollective(RankProgram& program, const OperationForm& form, const OperationWords& words)
{
    program.ICollective(form.name.substr(1),
                        words.arguments[0],
                        words.options.start,
                        words.Get(1, "all"),
                        words.how.algorithm,
                        words.root,
                        words.how);
}

/// @return tag=, channels= and what is said of its start
RankMessageOptions
GetMessageOptions(const OperationWords& words)
{
    RankMessageOptions options = words.options;
    options.channels = words.how.channels;
    return options;
}

const std::string NO_WORD; //!< of an argument that is not there

const std::vector<OperationForm> OPERATION_FORMS = {
    {"send",
     "send RANK SIZE [tag=T] [channels=C]",
     2,
     2,
     "tag channels",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.Send(w.arguments[0], w.arguments[1], GetMessageOptions(w));
     }},
    {"isend",
     "isend RANK SIZE [tag=T] [channels=C] [STARTED]",
     2,
     2,
     "tag channels on as after begun",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.ISend(w.arguments[0], w.arguments[1], GetMessageOptions(w));
     }},
    {"recv",
     "recv RANK|any [tag=T|any]",
     1,
     1,
     "tag",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.Recv(w.arguments[0], w.options);
     }},
    {"irecv",
     "irecv RANK|any [tag=T|any] [STARTED]",
     1,
     1,
     "tag on as after begun",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.IRecv(w.arguments[0], w.options);
     }},
    {"put",
     "put RANK SIZE [channels=C]",
     2,
     2,
     "channels",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.Put(w.arguments[0], w.arguments[1], GetMessageOptions(w));
     }},
    {"iput",
     "iput RANK SIZE [channels=C] [STARTED]",
     2,
     2,
     "channels on as after begun",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.IPut(w.arguments[0], w.arguments[1], w.options.start, w.how.channels);
     }},
    {"get",
     "get RANK SIZE [channels=C]",
     2,
     2,
     "channels",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.Get(w.arguments[0], w.arguments[1], GetMessageOptions(w));
     }},
    {"iget",
     "iget RANK SIZE [channels=C] [STARTED]",
     2,
     2,
     "channels on as after begun",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.IGet(w.arguments[0], w.arguments[1], w.options.start, w.how.channels);
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
     "barrier [GROUP] [algorithm=NAME]",
     0,
     1,
     "algorithm",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.Barrier(w.Get(0, "all"), w.how.algorithm);
     }},
    {"allreduce",
     "allreduce SIZE [GROUP] [algorithm=NAME] [dims=AxB] [CUT] [window=W]",
     1,
     2,
     "algorithm dims chunks channels window",
     false,
     &AppendCollective},
    {"allgather",
     "allgather SIZE [GROUP] [algorithm=NAME] [dims=AxB] [CUT] [window=W]",
     1,
     2,
     "algorithm dims chunks channels window",
     false,
     &AppendCollective},
    {"reducescatter",
     "reducescatter SIZE [GROUP] [algorithm=NAME] [dims=AxB] [CUT] [window=W]",
     1,
     2,
     "algorithm dims chunks channels window",
     false,
     &AppendCollective},
    {"broadcast",
     "broadcast SIZE [GROUP] [algorithm=NAME] [root=INDEX] [CUT]",
     1,
     2,
     "algorithm root chunks channels",
     false,
     &AppendCollective},
    {"reduce",
     "reduce SIZE [GROUP] [algorithm=NAME] [root=INDEX] [CUT]",
     1,
     2,
     "algorithm root chunks channels",
     false,
     &AppendCollective},
    {"alltoall",
     "alltoall SIZE [GROUP] [algorithm=NAME] [CUT] [window=W] [matrix=PATH|transposed=PATH]",
     1,
     2,
     "algorithm chunks channels window matrix transposed",
     false,
     &AppendCollective},
    {"gather",
     "gather SIZE [GROUP] [root=INDEX] [CUT]",
     1,
     2,
     "root chunks channels",
     false,
     &AppendCollective},
    {"scatter",
     "scatter SIZE [GROUP] [root=INDEX] [CUT]",
     1,
     2,
     "root chunks channels",
     false,
     &AppendCollective},
    {"ibarrier",
     "ibarrier [GROUP] [algorithm=NAME] [STARTED]",
     0,
     1,
     "algorithm on as after begun",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         p.ICollective("barrier", 0, w.options.start, w.Get(0, "all"), w.how.algorithm);
     }},
    {"iallreduce",
     "iallreduce SIZE [GROUP] [algorithm=NAME] [dims=AxB] [CUT] [window=W] [STARTED]",
     1,
     2,
     "algorithm dims chunks channels window on as after begun",
     false,
     &AppendICollective},
    {"iallgather",
     "iallgather SIZE [GROUP] [algorithm=NAME] [dims=AxB] [CUT] [window=W] [STARTED]",
     1,
     2,
     "algorithm dims chunks channels window on as after begun",
     false,
     &AppendICollective},
    {"ireducescatter",
     "ireducescatter SIZE [GROUP] [algorithm=NAME] [dims=AxB] [CUT] [window=W] [STARTED]",
     1,
     2,
     "algorithm dims chunks channels window on as after begun",
     false,
     &AppendICollective},
    {"ibroadcast",
     "ibroadcast SIZE [GROUP] [algorithm=NAME] [root=INDEX] [CUT] [STARTED]",
     1,
     2,
     "algorithm root chunks channels on as after begun",
     false,
     &AppendICollective},
    {"ireduce",
     "ireduce SIZE [GROUP] [algorithm=NAME] [root=INDEX] [CUT] [STARTED]",
     1,
     2,
     "algorithm root chunks channels on as after begun",
     false,
     &AppendICollective},
    {"ialltoall",
     "ialltoall SIZE [GROUP] [algorithm=NAME] [CUT] [window=W] [matrix=PATH|transposed=PATH] "
     "[STARTED]",
     1,
     2,
     "algorithm chunks channels window matrix transposed on as after begun",
     false,
     &AppendICollective},
    {"igather",
     "igather SIZE [GROUP] [root=INDEX] [CUT] [STARTED]",
     1,
     2,
     "root chunks channels on as after begun",
     false,
     &AppendICollective},
    {"iscatter",
     "iscatter SIZE [GROUP] [root=INDEX] [CUT] [STARTED]",
     1,
     2,
     "root chunks channels on as after begun",
     false,
     &AppendICollective},
    {"icompute",
     "icompute TIME|flops=N|bytes=SIZE|flops=N bytes=SIZE [STARTED]",
     0,
     1,
     "flops bytes on as after begun",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         w.arguments.empty() ? p.ICompute(w.GetWork(), w.options.start)
                             : p.ICompute(w.arguments[0], w.options.start);
     }},
    {"compute",
     "compute TIME|flops=N|bytes=SIZE|flops=N bytes=SIZE",
     0,
     1,
     "flops bytes",
     false,
     [](RankProgram& p, const OperationForm&, const OperationWords& w) {
         w.arguments.empty() ? p.Compute(w.GetWork()) : p.Compute(w.arguments[0]);
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

/**
 * @param form its form
 * @return how the line looks
 */
std::string
Format(const OperationForm& form)
{
    std::string format = form.format;
    for (const auto& [word, meaning] :
         {std::pair<std::string, const char*>{"[STARTED]",
                                              "[as=NAME] [after=NAMES] [begun=NAME] [on=STREAM]"},
          std::pair<std::string, const char*>{"[CUT]", "[chunks=K] [channels=C]"}})
    {
        const std::size_t at = format.find(word);
        if (at != std::string::npos)
        {
            format.replace(at, word.size(), meaning);
        }
    }
    return format;
}

/**
 * @param form it
 * @param key the option
 * @return true if operations of a form may have an option
 */
bool
HasOption(const OperationForm& form, const std::string& key)
{
    for (const char* word = form.options; word != nullptr;)
    {
        const char* end = std::strchr(word, ' ');
        const std::size_t length = end ? static_cast<std::size_t>(end - word) : std::strlen(word);
        if (key.compare(0, std::string::npos, word, length) == 0)
        {
            return true;
        }
        word = end ? end + 1 : nullptr;
    }
    return false;
}

/// @return the words of the reader's line
OperationWords
ReadWords(const FabricTextReader& reader, const OperationForm& form)
{
    OperationWords words;
    std::vector<const OperationOption*> seen;
    const auto& fields = reader.GetFields();
    for (std::size_t i = 1; i < fields.size(); ++i)
    {
        const std::size_t equals = fields[i].find('=');
        if (equals == std::string::npos)
        {
            words.arguments.push_back(fields[i]);
            continue;
        }
        const std::string key = fields[i].substr(0, equals);
        const auto option = std::find_if(std::begin(OPERATION_OPTIONS),
                                         std::end(OPERATION_OPTIONS),
                                         [&key](const auto& known) { return key == known.key; });
        if (option == std::end(OPERATION_OPTIONS)) // an expression with ==
        {
            words.arguments.push_back(fields[i]);
            continue;
        }
        if (!HasOption(form, key))
        {
            reader.Refuse(form.name + " has no " + key + "=; expected '" + Format(form) + "'");
        }
        const bool twice = std::find(seen.begin(), seen.end(), option) != seen.end();
        seen.push_back(option);
        if (twice || fields[i].size() == equals + 1)
        {
            reader.Refuse(key + "= is given twice or has no value; expected '" + Format(form) +
                          "'");
        }
        option->get(words) = fields[i].substr(equals + 1);
    }
    const std::size_t count = words.arguments.size();
    const bool brace = count > 0 && words.arguments.back() == "{";
    const bool needsBrace = form.block && count == form.most;
    const bool wantsBrace = form.block && form.least > 1; // a block has to follow
    const bool isCounted = !words.flops.empty() || !words.bytes.empty();
    const bool hasBoth = HasOption(form, "flops") && isCounted == (count > 0); // or none
    if (count < form.least || hasBoth || count > form.most || (brace && !form.block) ||
        ((needsBrace || wantsBrace) && !brace))
    {
        reader.Refuse("expected '" + Format(form) + "'");
    }
    words.options.start.after = SplitFabricList(words.after);
    return words;
}

} // namespace

void
AppendOperation(RankProgram& program, const FabricTextReader& reader)
{
    const OperationForm& form = FindFabricName(OPERATION_FORMS, reader.GetFields()[0], "operation");
    form.append(program, form, ReadWords(reader, form));
}

} // namespace ns3
