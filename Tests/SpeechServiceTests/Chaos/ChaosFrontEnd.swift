import TestSupport

/// A way to have texts spoken by the real programs, for a test in which the engine fails again and again.
protocol ChaosFrontEnd: AnyObject {
    /// Has the voice "Moody" speak a text. Blocks until its end was told.
    ///
    /// - Parameter fails: whether its engine fails in the middle.
    func speak(_ text: String, fails: Bool) throws -> LegibleSound

    /// Whether another voice speaks the rest when an engine fails; else its client sees that the rest is missing.
    var replaces: Bool { get }

    /// The process that serves text after text; nil = each text has its own.
    var process: Int32? { get }

    /// Ends it as a user does, and waits for that.
    func end() throws
}

extension ChaosFrontEnd {
    var replaces: Bool { true }
}

/// Something that a front end must not do.
struct ChaosProblem: Error, CustomStringConvertible {
    let description: String
}
