import SynthHost
import SynthJSON
import SynthService
import SynthSystem

/// A list of voices as JSON, written in chunks so that the complete JSON text is not held in memory while a slow client
/// reads it.
struct LibraryListJSON {
    let voices: [LibraryEntry]
    let chosen: String?
    let words: WebMessages

    /// The approximate chunk size in bytes.
    private static let piece = 16 << 10

    /// Writes the list as one line without a newline.
    func write(_ write: ([UInt8]) throws -> Void) throws {
        var text = Array("{\"voices\":[".utf8)
        for (position, voice) in voices.enumerated() {
            if position > 0 { text.append(UInt8(ascii: ",")) }
            text += JSONWriter.line(of: voice.json(words)).utf8
            if text.count < Self.piece { continue }
            try write(text)
            text = []
        }
        text += Array("],\"chosen\":\(chosen.map(JSONString.quoted) ?? "null")}".utf8)
        try write(text)
    }
}

extension LibraryEntry {
    /// Returns the voice as JSON for clients.
    func json(_ words: WebMessages) -> JSONNode {
        return JSONNode([
            .init("key", voice.key), .init("id", voice.id), .init("engine", voice.engine),
            .init("name", voice.name), .init("title", voice.title), .init("language", voice.language),
            .init("accent", .text(voice.accent)), .init("gender", .text(voice.gender)),
            .init("quality", .text(voice.quality)), .init("license", .text(voice.license)),
            .init("speakers", .array(voice.speakers.map { JSONNode(.string($0)) })),
            .init("size", .count(voice.size)), .init("missing", .count(missing)),
            .init("starter", voice.starter.map { .number(Double($0)) } ?? .null),
            .init("removable", .boolean(voice.isRemovable)),
            .init("favorite", .boolean(voice.isFavorite)), .init("hidden", .boolean(voice.isHidden)),
            .init("profile", voice.profile.allFactors),
            .init("state", state), .init("progress", progress), .init("problem", problem(words)),
        ])
    }

    private var missing: Int64 {
        guard let download, download.isRunning else { return voice.missing }
        return max(0, download.progress.total - download.progress.bytes)
    }

    private var state: String {
        if let word = download?.word { return word }
        return switch voice.state {
        case .ready: "ready"
        case .notDownloaded: "notDownloaded"
        default: "unusable"
        }
    }

    private var progress: JSONNode.Value { download?.progressMember ?? .null }

    private func problem(_ words: WebMessages) -> JSONNode.Value {
        if case .failed(let error, let mayWorkLater) = download?.state {
            let error = SpeechError.downloadFailed(voice.title, error)
            return Self.problem(words.problem(.error(error)), mayWorkLater)
        }
        if case .unusable(let error) = voice.state, download == nil {
            return Self.problem(words.problem(.error(error)), false)
        }
        return .null
    }

    private static func problem(_ message: String, _ mayWorkLater: Bool) -> JSONNode.Value {
        .object([.init("message", message), .init("mayWorkLater", .boolean(mayWorkLater))])
    }
}

extension VoiceProfile {
    /// All factors. Factors that are not set are null.
    fileprivate var allFactors: JSONNode.Value {
        func value(_ factor: Double?) -> JSONNode.Value { factor.map { .number($0) } ?? .null }
        return .object([
            .init("rate", value(rate)), .init("pitch", value(pitch)), .init("volume", value(volume)),
            .init("pause", value(pause)),
        ])
    }
}

extension DownloadStatus {
    /// The name of the download state for clients, or nil if there is no download to report.
    var word: String? {
        switch state {
        case .waiting: return "waiting"
        case .downloading: return "downloading"
        case .verifying: return "verifying"
        case .unpacking: return "unpacking"
        case .measuring: return "measuring"
        case .failed: return "failed"
        case .notDownloaded, .ready, .cancelled: return nil
        @unknown default: return nil
        }
    }

    /// The progress, or null if no download is running.
    var progressMember: JSONNode.Value {
        guard isRunning else { return .null }
        return .object([
            .init("bytes", .count(progress.bytes)), .init("total", .count(progress.total)),
            .init("bytesPerSecond", progress.bytesPerSecond.map { .number($0.rounded()) } ?? .null),
            .init("secondsLeft", progress.timeLeft.map { .number($0.seconds.rounded(.up)) } ?? .null),
        ])
    }
}

extension JSONNode.Value {
    fileprivate static func text(_ text: String?) -> JSONNode.Value { text.map { .string($0) } ?? .null }

    fileprivate static func count(_ count: Int64) -> JSONNode.Value { .number(Double(count)) }
}
