import ModelStore
import SynthHost
import VoiceCatalogue

/// A voice in a list of downloads.
struct ModelRow {
    let voice: Voice
    let condition: VoiceCondition
    let diskUse: VoiceDiskUse?
    /// Of its model, if that comes in several.
    let precision: String?

    init(_ voice: Voice, _ library: VoiceLibrary) {
        // Its model may differ from the one that a new download would use.
        let installed = library.store.installedVoice(id: voice.id, engine: voice.engine)?.voice.model
        self.voice = installed.map { voice.using($0) } ?? voice
        precision = (installed ?? voice.model)?.precision
        condition = library.condition(of: voice)
        diskUse = library.store.diskUse(of: voice)
    }

    /// "today", "yesterday", "5 days ago"; empty if it was never complete.
    static func age(of moment: Int64?, at now: Int64) -> String {
        guard let moment else { return "" }
        let days = max(0, now - max(0, moment)) / 86_400
        return switch days {
        case 0: "today"
        case 1: "yesterday"
        case 2..<60: "\(days) days ago"
        default: "\(days / 30) months ago"
        }
    }
}
