package import SynthSystem

/// Why a language's tables cannot be used.
package struct TableError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case unreadable(Errno)
        /// There is no ICU on this machine, which has the words of numbers.
        case noNumberWords

        // In a line.
        /// The line stands in no section, or its section is unknown.
        case unknownSection(String)
        /// A line without the sign that parts its halves.
        case missing(String)
        case unknownSetting(String)
        /// A rule names a list that no table has.
        case unknownList(String)
        /// A pattern has an element of an unknown kind.
        case unknownElement(String)
        /// A template speaks of a name that its pattern does not have.
        case unknownName(String)
        /// A template uses a form that no table has.
        case unknownForm(String)
        /// A bracket has no partner, or an element is empty.
        case unbalanced
        /// More names in one pattern, more brackets in each other, or a longer line than there may be.
        case tooMuch
    }

    package let reason: Reason
    /// Of the file; nil if it is none, and from what reads a line, which does not know where that stands.
    package let path: String?
    /// From 1.
    package let line: Int?

    init(_ reason: Reason, path: String? = nil, line: Int? = nil) {
        self.reason = reason
        self.path = path
        self.line = line
    }
}
