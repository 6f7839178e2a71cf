import TestSupport

/// A front end that speaks text with the real programs, for a test in which engines fail repeatedly.
protocol ChaosFrontEnd: AnyObject {
    /// Makes the voice "Moody" speak the text. Blocks until the end has been reported.
    ///
    /// - Parameter fails: Whether the engine fails in the middle of the text.
    func speak(_ text: String, fails: Bool) throws -> LegibleSound

    /// Whether a fallback voice speaks the remaining text after an engine failure. If not, the client can detect that
    /// it is missing.
    var replaces: Bool { get }

    /// The process that serves all texts; nil if there is a process per text.
    var process: Int32? { get }

    /// Ends the front end as a user would and waits for it to exit.
    func end() throws
}

extension ChaosFrontEnd {
    var replaces: Bool { true }
}

/// An error in a front end.
struct ChaosProblem: Error, CustomStringConvertible {
    let description: String
}
