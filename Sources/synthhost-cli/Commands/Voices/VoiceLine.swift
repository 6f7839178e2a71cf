import ModelStore
import SynthHost
import System
import VoiceCatalogue

/// A voice in one line of a question: "Heart (American), en-US, female, grade A, 329 MB".
enum VoiceLine {
    static func text(_ voice: Voice, _ library: VoiceLibrary) -> String {
        let condition = library.condition(of: voice)
        let size = library.isComplete(voice) ? condition.words : library.store.missingWords(of: voice)
        let parts = [voice.title, voice.language, voice.gender?.rawValue, quality(voice), size]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// The width of the column for a state without its reason: "not downloaded".
    static let stateWidth = 15

    /// In words; nil if it is unknown.
    static func quality(_ voice: Voice) -> String? {
        let quality = voice.quality?.replacing("_", with: " ") ?? voice.grade.map { "grade \($0)" }
        // The default precision is not mentioned.
        let precision = voice.model?.variantOf == nil ? nil : voice.model?.precision
        return quality == nil ? precision : [quality, precision].compactMap { $0 }.joined(separator: ", ")
    }

    /// Its size on the disk if it is installed, else that of its download; nil if there is none.
    static func size(of voice: Voice, _ condition: VoiceCondition, _ library: VoiceLibrary) -> String? {
        switch condition {
        case .builtIn, .unsupported, .damaged: nil
        case .ready: library.store.diskUse(of: voice).map { ByteCount.words($0.size) }
        case .notDownloaded, .engineMissing: library.store.missingWords(of: voice)
        }
    }
}
