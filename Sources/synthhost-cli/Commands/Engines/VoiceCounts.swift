import ModelStore
import SynthHost
import VoiceCatalogue

/// Counts the voices of engines: built in, ready, to download.
struct VoiceCounts {
    private let directory: VoiceDirectory
    private let inventory: Inventory

    init(_ directory: VoiceDirectory, _ inventory: Inventory) {
        self.directory = directory
        self.inventory = inventory
    }

    /// "131 voices", "2 voices ready, 165 to download".
    func voices(of engine: String) -> String {
        var (builtIn, ready, toDownload) = (0, 0, 0)
        for voice in directory.voices where voice.engine == engine {
            switch inventory.condition(of: voice) {
            case .builtIn: builtIn += 1
            case .ready: ready += 1
            case .notDownloaded: toDownload += 1
            case .damaged, .unsupported, .engineMissing: break
            }
        }
        let parts = [
            builtIn > 0 ? Self.count(builtIn) : nil, ready > 0 ? "\(Self.count(ready)) ready" : nil,
            toDownload > 0 ? "\(Self.count(toDownload)) to download" : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? "no voice" : parts.joined(separator: ", ")
    }

    private static func count(_ count: Int) -> String { count == 1 ? "1 voice" : "\(count) voices" }
}
