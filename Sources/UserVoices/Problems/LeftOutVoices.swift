/// Voices that were not added, all for one reason.
package struct LeftOutVoices: Sendable {
    package var titles: [String]
    /// A sentence without a full stop.
    package let reason: String
}
