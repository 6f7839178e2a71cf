/// A part of synthhost was not found.
package struct InstallationError: Error, Hashable, Sendable {
    /// The name of the program.
    package let missing: String
    /// The paths that were searched.
    package let candidates: [String]

    package init(missing: String, candidates: [String]) {
        self.missing = missing
        self.candidates = candidates
    }
}
