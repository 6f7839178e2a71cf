/// Why a document cannot be read.
package enum DocumentFailure: Error, Codable, Equatable, Sendable {
    /// Its text is encrypted, as that of books with digital rights management is.
    case encrypted
    /// It is none of the formats that can be read.
    case unknownFormat
    /// What is wrong with it, as the end of a sentence after "it".
    case damaged(String)
    /// It is larger than documents may be, packed or unpacked.
    case tooLarge
    /// There is nothing in it to read.
    case empty
    /// The program that reads documents.
    case program(ProgramFailure)

    package enum ProgramFailure: Codable, Equatable, Sendable {
        /// errno.
        case notStarted(Int32)
        case crashed(signal: Int32)
        /// It was silent for too long.
        case silent
        /// It ended without a word, or said what is not understood.
        case died
    }
}
