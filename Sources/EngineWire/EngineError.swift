/// The error of an engine that could not carry out a request.
package struct EngineError: Equatable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// This text, voice or setting cannot be spoken; another can.
        case badRequest = 2
        case missingFile = 3
        case badFile = 4
        case noMemory = 5
        case failed = 6
        /// The engine broke the contract of its interface; the message comes from the worker process.
        case violatedContract = 100
    }
    package var kind: Kind
    /// One sentence of the engine; empty = it gave no reason.
    package var message: String
    /// The file that is missing or bad.
    package var role: String?

    package init(_ kind: Kind, _ message: String, role: String? = nil) {
        self.kind = kind
        self.message = message
        self.role = role
    }
}
