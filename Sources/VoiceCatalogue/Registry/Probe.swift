/// Files of a tiny model that only measures speed. They are small enough for the registry, so that an engine can be
/// measured before anything is downloaded; their sound has no use.
package struct Probe: Sendable, Hashable {
    package struct File: Sendable, Hashable {
        package let role: String
        package let name: String
        package let content: [UInt8]
    }

    /// The cost of one utterance of any length, in 10^9 multiply-adds. The other work of the engine has the same
    /// proportion as in real speech.
    package let cost: Double
    /// BCP-47, of its one voice.
    package let language: String
    package let files: [File]
}
