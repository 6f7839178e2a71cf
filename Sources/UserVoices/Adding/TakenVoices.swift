import ModelStore

/// Voices whose files were copied, and those that their engine does not speak.
package struct TakenVoices: Sendable {
    /// Voices that were left out for one reason.
    package struct LeftOut: Sendable {
        package fileprivate(set) var titles: [String]
        /// A sentence without a full stop.
        package let reason: String
    }

    var voices: [InstalledVoice]
    package private(set) var leftOut: [LeftOut] = []

    init(_ voices: [InstalledVoice]) { self.voices = voices }

    mutating func leaveOut(_ title: String, because reason: String) {
        if let index = leftOut.firstIndex(where: { $0.reason == reason }) {
            leftOut[index].titles.append(title)
        } else {
            leftOut.append(LeftOut(titles: [title], reason: reason))
        }
    }
}
