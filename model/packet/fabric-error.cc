// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-error.h"

#include <cstddef>
#include <cstring>

namespace ns3
{

namespace
{

/// @return remedies in one sentence: `use A or B`, `use A, B, or set C`; a verb is said once for
/// those that share it
FabricText
JoinRemedies(const std::vector<FabricRemedy>& remedies)
{
    FabricText text;
    const char* last = "";
    for (std::size_t i = 0; i < remedies.size(); ++i)
    {
        const FabricRemedy& remedy = remedies[i];
        const bool isSame = *remedy.verb && std::strcmp(remedy.verb, last) == 0;
        if (i > 0)
        {
            const bool isLast = i + 1 == remedies.size();
            text += !isLast ? ", " : remedies.size() == 2 && isSame ? " or " : ", or ";
        }
        if (*remedy.verb && !isSame)
        {
            text += std::string(remedy.verb) + " ";
        }
        text += remedy.what;
        last = remedy.verb;
    }
    return text;
}

/// @return all that there is to say
FabricText
Join(const FabricText& subject,
     const FabricText& conflict,
     const std::vector<FabricRemedy>& remedies)
{
    return subject + conflict + (remedies.empty() ? "" : "; ") + JoinRemedies(remedies);
}

} // namespace

FabricRemedy
FabricRemedy::Use(const FabricText& what)
{
    return {"use", what};
}

FabricRemedy
FabricRemedy::Add(const FabricText& what)
{
    return {"add", what};
}

FabricRemedy
FabricRemedy::Set(const FabricText& what)
{
    return {"set", what};
}

FabricRemedy
FabricRemedy::Do(const FabricText& what)
{
    return {"", what};
}

FabricError::FabricError(const FabricText& text)
    : std::runtime_error(text.Say()),
      m_conflict(text)
{
}

FabricError::FabricError(const FabricText& subject,
                         const FabricText& conflict,
                         const std::vector<FabricRemedy>& remedies)
    : std::runtime_error(Join(subject, conflict, remedies).Say()),
      m_subject(subject),
      m_conflict(conflict),
      m_remedies(remedies)
{
}

const FabricText&
FabricError::GetSubject() const
{
    return m_subject;
}

const FabricText&
FabricError::GetConflict() const
{
    return m_conflict;
}

const std::vector<FabricRemedy>&
FabricError::GetRemedies() const
{
    return m_remedies;
}

FabricText
FabricError::GetText() const
{
    return m_place + Join(m_subject, m_conflict, m_remedies);
}

FabricError
FabricError::At(const FabricText& place) const
{
    FabricError error(place + GetText()); // for what()
    error.m_place = place + m_place;
    error.m_subject = m_subject;
    error.m_conflict = m_conflict;
    error.m_remedies = m_remedies;
    return error;
}

} // namespace ns3
