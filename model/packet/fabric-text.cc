// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-text.h"

namespace ns3
{

FabricTerm
FabricTerm::Class(TypeId type)
{
    return Class(type.GetName());
}

FabricTerm
FabricTerm::Class(const std::string& type)
{
    return {Kind::CLASS, type, "", ""};
}

FabricTerm
FabricTerm::Attribute(const std::string& type, const std::string& name, const std::string& value)
{
    return {Kind::ATTRIBUTE, type, name, value};
}

FabricTerm
FabricTerm::Attribute(TypeId type, const std::string& name)
{
    return Attribute(type.GetName(), name);
}

FabricTerm
FabricTerm::Any(const std::string& type, const std::string& article, const std::string& kind)
{
    return {Kind::ANY, type, article, kind};
}

FabricTerm
FabricTerm::None(const std::string& type, const std::string& kind)
{
    return {Kind::NONE, type, "", kind};
}

FabricTerm
FabricTerm::Option(const std::string& name, const std::string& value)
{
    return {Kind::OPTION, "", name, value};
}

std::string
FabricSpeaker::Name(const FabricTerm& term) const
{
    switch (term.kind)
    {
    case FabricTerm::Kind::CLASS:
        return term.type;
    case FabricTerm::Kind::ATTRIBUTE:
        return term.type + "::" + term.name + (term.value.empty() ? "" : "=" + term.value);
    case FabricTerm::Kind::ANY:
        return term.name + " " + term.value;
    case FabricTerm::Kind::NONE:
        return "no " + term.value;
    case FabricTerm::Kind::OPTION:
        break;
    }
    return term.name + (term.value.empty() ? "" : "=" + term.value);
}

FabricText::FabricText(const char* words)
    : FabricText(std::string(words))
{
}

FabricText::FabricText(const std::string& words)
{
    if (!words.empty())
    {
        m_pieces.push_back({words, {}});
    }
}

FabricText::FabricText(const FabricTerm& term)
    : m_pieces{{"", {term}}}
{
}

FabricText&
FabricText::operator+=(const FabricText& more)
{
    m_pieces.insert(m_pieces.end(), more.m_pieces.begin(), more.m_pieces.end());
    return *this;
}

bool
FabricText::IsEmpty() const
{
    return m_pieces.empty();
}

std::vector<FabricTerm>
FabricText::ListTerms() const
{
    std::vector<FabricTerm> terms;
    for (const Piece& piece : m_pieces)
    {
        terms.insert(terms.end(), piece.named.begin(), piece.named.end());
    }
    return terms;
}

std::string
FabricText::Say(const FabricSpeaker& speaker) const
{
    std::string said;
    for (const Piece& piece : m_pieces)
    {
        said += piece.words;
        for (const FabricTerm& term : piece.named)
        {
            said += speaker.Name(term);
        }
    }
    return said;
}

FabricText
operator+(FabricText first, const FabricText& second)
{
    first += second;
    return first;
}

} // namespace ns3
