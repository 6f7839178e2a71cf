/// What a server did wrong.
package enum ServerProblem: Sendable, Hashable, Codable {
    /// What the status of an answer refers to.
    package enum Status: Sendable, Hashable, Codable {
        /// The whole file.
        case file
        /// The part of the file that was requested.
        case range
        /// It may change later. `wait` is what the server asks for, in seconds, if that is too long to wait here.
        case forNow(wait: Double?)
    }

    case status(Int, Status)
    case noHTTP
    case encoding(String)
    case webPage
    case size(found: Int64, expected: Int64)
    /// A part of the file, though the whole was requested.
    case unaskedPart
    /// Another part than was requested.
    case otherPart
    /// More than the bytes of the file.
    case tooMuch(expected: Int64)
    case endless
    /// A redirection to an address that must not be downloaded from.
    case redirect(to: String?)
    case nothingArrives
    case hardlyAnythingArrives
    case endedEarly
    /// No connection, or it was lost; `detail` is the network library's message.
    case connection(code: Int, detail: String)
    /// The name of the server is found nowhere; `hasNetwork` = this machine has a way to other networks.
    case nameNotFound(hasNetwork: Bool)
    /// This address must not be downloaded from.
    case address
}
