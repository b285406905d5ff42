// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEXT_H
#define FABRIC_TEXT_H

#include "ns3/type-id.h"

#include <string>
#include <vector>

/**
 * @file
 * @brief Texts for users that name classes and attributes, which a C++ program, a command line and
 * a Python script each call by a name of their own.
 */

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a text names.
 */
struct FabricTerm
{
    /// What it is.
    enum class Kind
    {
        CLASS,     //!< a class: type
        ATTRIBUTE, //!< an attribute: type, name and, unless it is empty, value
        ANY,       //!< some class of a kind: type is the base, name an article, value its kind
        NONE,      //!< no class of a kind: type is the base, value its kind
        OPTION,    //!< a setting that is no attribute, as of a topology: name, maybe value
    };

    Kind kind;         //!< what it is
    std::string type;  //!< name of a TypeId; empty for an option
    std::string name;  //!< see Kind
    std::string value; //!< see Kind

    /**
     * @param type of it
     * @return a class
     */
    static FabricTerm Class(TypeId type);
    /**
     * @param type name of it, which need not be registered
     * @return a class
     */
    static FabricTerm Class(const std::string& type);

    /**
     * @param type name of the class
     * @param name of the attribute
     * @param value that it has or is to get; empty: none is named
     * @return an attribute
     */
    static FabricTerm Attribute(const std::string& type,
                                const std::string& name,
                                const std::string& value = "");

    /**
     * @param type of the class
     * @param name of the attribute
     * @return an attribute
     */
    static FabricTerm Attribute(TypeId type, const std::string& name);

    /**
     * @param type name of the base class
     * @param article as `a` or `another`
     * @param kind what a class of it is called, as `flow control`
     * @return some class of a kind
     */
    static FabricTerm Any(const std::string& type,
                          const std::string& article,
                          const std::string& kind);

    /**
     * @param type name of the base class
     * @param kind what a class of it is called, as `flow control`
     * @return no class of a kind
     */
    static FabricTerm None(const std::string& type, const std::string& kind);

    /**
     * @param name of it, as `topology` or `load`
     * @param value that it has or is to get; empty: none is named
     * @return a setting that is no attribute
     */
    static FabricTerm Option(const std::string& name, const std::string& value = "");
};

/**
 * @ingroup dcfabric
 * @brief The words of one kind of user; this class has those of C++.
 */
class FabricSpeaker
{
  public:
    virtual ~FabricSpeaker() = default;

    /**
     * @param term what to name
     * @return its name: `ns3::Class`, `ns3::Class::Attribute=value`, `a congestion control`,
     * `no flow control`, the option
     */
    virtual std::string Name(const FabricTerm& term) const;
};

/**
 * @ingroup dcfabric
 * @brief A text with names in it, which are spelled only when it is said.
 *
 * Made like a string: `FabricTerm::Class(type) + " needs " + std::to_string(n) + " paths"`.
 */
class FabricText
{
  public:
    /// Words, and what is named behind them.
    struct Piece
    {
        std::string words;             //!< may be empty
        std::vector<FabricTerm> named; //!< one or none
    };

    FabricText() = default;
    /// @param words that are the same for everybody
    FabricText(const char* words);
    /// @param words that are the same for everybody
    FabricText(const std::string& words);
    /// @param term to be named
    FabricText(const FabricTerm& term);

    /**
     * @param more what follows
     * @return this text, continued
     */
    FabricText& operator+=(const FabricText& more);

    /// @return true if it says nothing
    bool IsEmpty() const;

    /// @return what it is made of, in order
    const std::vector<Piece>& GetPieces() const
    {
        return m_pieces;
    }

    /// @return the names in it, in order
    std::vector<FabricTerm> ListTerms() const;

    /**
     * @param speaker whose words it has
     * @return the text
     */
    std::string Say(const FabricSpeaker& speaker = FabricSpeaker()) const;

  private:
    std::vector<Piece> m_pieces; //!< in order
};

/**
 * @ingroup dcfabric
 * @param first text
 * @param second text
 * @return the second behind the first
 */
FabricText operator+(FabricText first, const FabricText& second);

} // namespace ns3

#endif /* FABRIC_TEXT_H */
