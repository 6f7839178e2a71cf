/// Why a download ended without the file.
package struct FetchFailure: Error, Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Codable {
        /// No server could be reached, or none went on; worth another try later.
        case network
        /// A server said no for good, or sent something else.
        case refused
        case offline
        /// The user's own setting of a mirror is wrong.
        case mirror
        case diskFull
        case file
        /// The user's own limit on the size of files.
        case fileLimit
        case cancelled
        /// The fetch program is missing, or is not what it should be.
        case program
        /// The fetch program crashed, more than once.
        case crash
    }

    package let kind: Kind
    /// Half a sentence for the user: "the server answered 404".
    package let reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }
}
