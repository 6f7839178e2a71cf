import TestSupport

/// A front end that speaks text with the real programs, for a test in which the engine fails repeatedly.
protocol ChaosFrontEnd: AnyObject {
    /// Makes the voice "Moody" speak a text. Blocks until the end has been reported.
    ///
    /// - Parameter fails: Whether the engine fails in the middle.
    func speak(_ text: String, fails: Bool) throws -> LegibleSound

    /// Whether a fallback voice speaks the remaining text after an engine failure. If not, the client can tell that it is
    /// missing.
    var replaces: Bool { get }

    /// The process that serves all texts; nil if there is a process per text.
    var process: Int32? { get }

    /// Ends the front end like a user, and waits for it to exit.
    func end() throws
}

extension ChaosFrontEnd {
    var replaces: Bool { true }
}

/// An error in a front end.
struct ChaosProblem: Error, CustomStringConvertible {
    let description: String
}
