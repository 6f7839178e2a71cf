import ModelStore
import SynthHost
import System
import VoiceCatalogue

/// A voice in one line of a question: "Heart (American), en-US, female, grade A, 326 MB".
enum VoiceLine {
    static func text(_ voice: Voice, _ library: VoiceLibrary) -> String {
        let condition = library.condition(of: voice)
        let size = library.isComplete(voice) ? condition.words : library.store.missingWords(of: voice)
        let parts = [voice.title, voice.language, voice.gender?.rawValue, quality(voice), size]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// Columns of a table that tell a state, whatever reason stands behind it: "not downloaded".
    static let stateWidth = 15

    /// In words; nil where nothing is known of it.
    static func quality(_ voice: Voice) -> String? {
        let quality = voice.quality?.replacing("_", with: " ") ?? voice.grade.map { "grade \($0)" }
        // The precision that it comes in by default goes without saying.
        let precision = voice.model?.variantOf == nil ? nil : voice.model?.precision
        return quality == nil ? precision : [quality, precision].compactMap { $0 }.joined(separator: ", ")
    }

    /// On the disk where it is here, else of its download; nil where there is none.
    static func size(of voice: Voice, _ condition: VoiceCondition, _ library: VoiceLibrary) -> String? {
        switch condition {
        case .builtIn, .unsupported, .damaged: nil
        case .ready: library.store.diskUse(of: voice).map { ByteCount.words($0.size) }
        case .notDownloaded, .engineMissing: library.store.missingWords(of: voice)
        }
    }
}
