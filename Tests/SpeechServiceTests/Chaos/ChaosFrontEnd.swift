import TestSupport

/// A way to speak texts with the real programs, for a test in which the engine fails repeatedly.
protocol ChaosFrontEnd: AnyObject {
    /// Makes the voice "Moody" speak a text. Blocks until the end was reported.
    ///
    /// - Parameter fails: whether the engine fails in the middle.
    func speak(_ text: String, fails: Bool) throws -> LegibleSound

    /// Whether a fallback voice speaks the rest after an engine failure; otherwise the client sees that the rest is
    /// missing.
    var replaces: Bool { get }

    /// The process that serves all texts; nil = each text has its own process.
    var process: Int32? { get }

    /// Ends the front end as a user does, and waits for its end.
    func end() throws
}

extension ChaosFrontEnd {
    var replaces: Bool { true }
}

/// A mistake of a front end.
struct ChaosProblem: Error, CustomStringConvertible {
    let description: String
}
