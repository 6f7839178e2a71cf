/// A part of synthhost is not where it belongs.
package struct InstallationError: Error, Hashable, Sendable {
    /// The name of the program.
    package let missing: String
    /// The paths at which it was looked for.
    package let candidates: [String]

    package init(missing: String, candidates: [String]) {
        self.missing = missing
        self.candidates = candidates
    }
}
