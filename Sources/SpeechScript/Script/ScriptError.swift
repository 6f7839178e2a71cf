/// Why a document is not a script of its form, and where.
package struct ScriptError: Error, Equatable {
    package enum Reason: Equatable, Sendable {
        /// Not UTF-8, or a character that no text may hold.
        case text(TextError)
        /// More bytes than a script, or a name in it, may have.
        case tooLong(limit: Int)
        /// Elements, quotations or lists inside each other.
        case tooDeep(limit: Int)
        /// Something is expected that is not there, or is there and must not be: the form's own words, such as
        /// `</voice>`, for people to read.
        case expected(String)
        case unexpected(String)
        /// A declaration, an entity or an instruction that is never followed.
        case refused(String)
        /// A value that cannot be used, such as the time of a break.
        case badValue(of: String, value: String)
    }

    package let reason: Reason
    /// Of the first character that is wrong.
    package let place: ScriptPlace

    package init(_ reason: Reason, at place: ScriptPlace) {
        self.reason = reason
        self.place = place
    }
}
