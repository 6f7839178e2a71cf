import SynthModelStore

/// Voices whose files were copied, and those that were left out because their engine does not speak them.
struct TakenVoices {
    var voices: [InstalledVoice]
    private(set) var leftOut: [LeftOutVoices] = []

    init(_ voices: [InstalledVoice]) { self.voices = voices }

    mutating func leaveOut(_ title: String, because reason: String) {
        if let index = leftOut.firstIndex(where: { $0.reason == reason }) {
            leftOut[index].titles.append(title)
        } else {
            leftOut.append(LeftOutVoices(titles: [title], reason: reason))
        }
    }
}
