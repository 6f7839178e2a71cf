/// Files that stand in for a model where only its speed is asked for. They are small enough to stand in the registry, so
/// that an engine can be measured before anything is downloaded; what they make is nothing to listen to.
package struct Probe: Sendable, Hashable {
    package struct File: Sendable, Hashable {
        package let role: String
        package let name: String
        package let content: [UInt8]
    }

    /// Of one utterance, however short, in 10^9 multiply-adds. What else the engine does for it is in the same
    /// proportion as in real speech.
    package let cost: Double
    /// BCP-47, of its one voice.
    package let language: String
    package let files: [File]
}
