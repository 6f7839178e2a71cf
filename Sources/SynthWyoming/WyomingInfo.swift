import SynthCatalogue
import SynthHost
import SynthJSON
import SynthService
import SynthSystem

/// The voices to list for Wyoming clients.
package enum WyomingListing: Sendable {
    /// The voices that can speak now, the default voice and the recommended voices.
    case usual
    /// All known voices except hidden ones.
    case all
}

/// The encoded list of voices and recognizers for clients, which is re-encoded only when it changes. Thread-safe.
final class WyomingVoices: Sendable {
    private struct Cached {
        let info: WyomingInfo
        let bytes: [UInt8]
        /// When the voices were read.
        let time: ContinuousClock.Instant
    }
    private let service: SpeechService
    private let words: ServiceMessages
    private let listing: WyomingListing
    private let transcription: TranscriptionService?
    private let cached = Monitor<Cached?>(nil)
    private let looking = Lock()
    /// The number of times that the list has been encoded, for tests.
    let madeCount = Monitor(0)

    init(
        _ service: SpeechService, _ words: ServiceMessages, _ listing: WyomingListing,
        transcription: TranscriptionService? = nil
    ) {
        self.transcription = transcription
        self.service = service
        self.words = words
        self.listing = listing
    }

    /// Returns the encoded `info` event. Blocks while the voices are read.
    func bytes() throws(SpeechError) -> [UInt8] {
        let asked = ContinuousClock.now
        return try looking.withLock { () throws(SpeechError) -> [UInt8] in
            let last = cached.read { $0 }
            // Callers that were waiting for the lock at the same time share the result of a single read.
            if let last, last.time > asked { return last.bytes }
            let time = ContinuousClock.now
            let info = WyomingInfo(
                voices: try listed(), recognizers: transcription?.models().map(WyomingInfo.Recognizer.init) ?? [],
                version: words.version,
                downloadsAutomatically: service.presets.autoDownload)
            let bytes: [UInt8]
            if let last, last.info == info {
                bytes = last.bytes
            } else {
                bytes = info.event.bytes
                madeCount.update { $0 += 1 }
            }
            cached.update { $0 = Cached(info: info, bytes: bytes, time: time) }
            return bytes
        }
    }

    private func listed() throws(SpeechError) -> [SpeechVoice] {
        switch listing {
        case .all: return try service.voices(.all).filter { !$0.isHidden }
        case .usual:
            var voices = try service.voices(.ready)
            // If the registry is unreadable, the installed voices are still listed.
            voices += ((try? service.voices(.recommended)) ?? []).filter {
                if case .notDownloaded = $0.state { true } else { false }
            }
            // List the default voice even if its files are missing.
            if let chosen = try? service.voice(VoiceQuery()), !voices.contains(where: { $0.key == chosen.key }) {
                voices.append(chosen)
            }
            return voices
        }
    }
}

/// The server's description of itself. It lists one program with all recognizer models and one with all voices, because
/// clients use only the first program that has voices.
struct WyomingInfo: Equatable {
    /// A recognizer model.
    struct Recognizer: Equatable {
        let key: String
        let name: String
        let languages: [String]

        init(_ choice: RecognizerChoice) {
            key = choice.key
            name = choice.model.name
            languages = choice.languages
        }
    }
    let voices: [SpeechVoice]
    let recognizers: [Recognizer]
    let version: String
    /// Whether a voice is downloaded automatically when a client requests it.
    let downloadsAutomatically: Bool

    var event: WyomingEvent {
        let program: [JSONNode.Member] =
            about("synthhost", "Speech from all engines", installed: true) + [
                .init("version", version), .init("supports_synthesize_streaming", true),
                .init("voices", .array(voices.map { JSONNode(.object(voice($0))) })),
            ]
        let listener: [JSONNode.Member] =
            about("synthhost", "Speech recognizers", installed: true) + [
                .init("version", version), .init("supports_transcript_streaming", true),
                .init("requires_external_vad", true),
                .init("models", .array(recognizers.map { JSONNode(.object(recognizer($0))) })),
            ]
        let empty = ["handle", "intent", "wake", "mic", "snd"].map { JSONNode.Member($0, .array([])) }
        return WyomingEvent(
            type: "info",
            data: [
                .init("tts", .array([JSONNode(.object(program))])),
                .init("asr", .array(recognizers.isEmpty ? [] : [JSONNode(.object(listener))])),
            ] + empty)
    }

    private func recognizer(_ recognizer: Recognizer) -> [JSONNode.Member] {
        about(recognizer.key, recognizer.name, installed: true) + [
            .init("version", .null), .init("languages", .array(recognizer.languages.map { JSONNode(.string($0)) })),
        ]
    }

    private func voice(_ voice: SpeechVoice) -> [JSONNode.Member] {
        var members = about(voice.id, "\(voice.title) · \(voice.engine)", installed: speaks(voice))
        members.append(.init("version", .null))
        members.append(.init("languages", .array([JSONNode(.string(voice.language))])))
        if !voice.speakers.isEmpty {
            let speakers = voice.speakers.map { JSONNode(.object([.init("name", $0)])) }
            members.append(.init("speakers", .array(speakers)))
        }
        return members
    }

    /// Whether to mark the voice as installed. Clients show only installed voices.
    private func speaks(_ voice: SpeechVoice) -> Bool {
        switch voice.state {
        case .ready: true
        case .notDownloaded: downloadsAutomatically
        default: false
        }
    }

    private func about(_ name: String, _ description: String, installed: Bool) -> [JSONNode.Member] {
        [
            .init("name", name),
            .init("attribution", .object([.init("name", "synthhost"), .init("url", "")])),
            .init("installed", installed), .init("description", description),
        ]
    }
}
