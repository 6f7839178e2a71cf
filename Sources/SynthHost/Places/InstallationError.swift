/// A part of synthhost is not where it belongs.
package struct InstallationError: Error, Hashable, Sendable {
    package let missing: String
    package let candidates: [String]

    package var message: String {
        "The program \(missing) is missing: \(candidates.joined(separator: ", ")) does not exist."
    }
    package var remedy: String {
        "Install synthhost again, or set SYNTHHOST_PREFIX to the folder that it is installed in."
    }
}
