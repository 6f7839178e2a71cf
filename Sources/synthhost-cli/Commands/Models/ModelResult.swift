import ModelStore
import SynthHost
import VoiceCatalogue

/// A voice in `models list --json`.
struct ModelResult: Encodable {
    let engine: String
    let id: String
    let name: String
    let accent: String?
    let language: String
    let quality: String?
    /// Of its model, if that comes in several: "fp16".
    let precision: String?
    let grade: String?
    let licence: String?
    /// "ready", "notDownloaded", "damaged", "unsupported" or "engineMissing".
    let state: String
    let reason: String?
    let bytesOnDisk: Int64
    let bytesToDownload: Int64
    /// What its engine keeps in the cache, for all its voices.
    let engineCacheBytes: Int64
    /// In seconds since 1970.
    let lastUsed: Int64?
    let chosen: Bool
    let favourite: Bool
    let hidden: Bool

    init(_ row: ModelRow, _ library: VoiceLibrary, isChosen: Bool, prepared: Int64) {
        let voice = row.voice
        engine = voice.engine
        id = voice.id
        name = voice.name
        accent = voice.accent
        language = voice.language
        quality = voice.quality
        precision = row.precision
        grade = voice.grade
        licence = voice.licence
        var reason: String?
        switch row.condition {
        case .builtIn, .ready: state = "ready"
        case .notDownloaded(let because):
            state = "notDownloaded"
            reason = because
        case .damaged(let because):
            state = "damaged"
            reason = because
        case .unsupported: state = "unsupported"
        case .engineMissing: state = "engineMissing"
        }
        self.reason = reason
        bytesOnDisk = row.diskUse?.size ?? 0
        bytesToDownload = library.store.missingBytes(of: voice)
        engineCacheBytes = prepared
        lastUsed = row.diskUse?.lastUsed
        chosen = isChosen
        favourite = library.marks.favourites.contains(voice)
        hidden = library.marks.hidden.contains(voice)
    }
}
