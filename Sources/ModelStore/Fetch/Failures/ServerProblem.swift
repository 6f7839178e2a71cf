/// What a server did, or did not do.
package enum ServerProblem: Sendable, Hashable, Codable {
    /// What stands after the status of an answer.
    package enum Status: Sendable, Hashable, Codable {
        /// The answer is to the file as such.
        case file
        /// The answer is to the part of the file that was asked for.
        case range
        /// It may be different later; `wait` is what the server asks for, in seconds, where that is too long to wait for.
        case forNow(wait: Double?)
    }

    case status(Int, Status)
    case noHTTP
    case encoding(String)
    case webPage
    case size(found: Int64, expected: Int64)
    /// A part that was not asked for, though none was.
    case unaskedPart
    /// Another part than was asked for.
    case otherPart
    /// More than the bytes of the file.
    case tooMuch(expected: Int64)
    case endless
    /// A redirection to where nothing may be downloaded from.
    case redirect(to: String?)
    case nothingArrives
    case hardlyAnythingArrives
    case endedEarly
    /// No connection, or none any more; `detail` is the network library's own word for it.
    case connection(code: Int, detail: String)
    /// Nothing may be asked for at this address.
    case address
}
