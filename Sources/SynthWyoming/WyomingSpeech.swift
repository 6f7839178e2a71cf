import SynthAudio
import SynthCatalogue
import SynthHost
import SynthJSON
import SynthService

/// A synthesis request. `rate`, `pitch`, `volume`, `whisper`, `text_format` and `words` are extensions that other
/// servers ignore.
struct WyomingRequest: Sendable {
    private let event: WyomingEvent

    private static let factors = 0.25...4.0
    private static let volumes = 0.0...8.0

    init(_ event: WyomingEvent) { self.event = event }

    /// The markup language of the text, or nil for plain text.
    var form: SpeechForm? {
        switch event.text("text_format") {
        case "ssml": .ssml
        case "markdown": .markdown
        default: nil
        }
    }

    /// Whether to send word events with the audio.
    var sendsWords: Bool { event["words"] == .boolean(true) }

    /// The speech job with the text from the event.
    var order: SpeechJob {
        let text = event.text("text") ?? ""
        return order(form.map { .script(text, $0) } ?? .plain(text))
    }

    /// Returns the speech job for the given text. Numbers that are out of range are ignored.
    func order(_ text: SpeechJob.Text) -> SpeechJob {
        var order = SpeechJob(text)
        if case .object(let members)? = event["voice"] {
            let voice = WyomingEvent(type: "", data: members)
            order.voice = VoiceQuery(
                name: voice.text("name"), speaker: voice.text("speaker"), language: voice.text("language"))
        }
        order.rate = number("rate", Self.factors)
        order.pitch = number("pitch", Self.factors)
        order.volume = number("volume", Self.volumes)
        if case .boolean(let whisper)? = event["whisper"] { order.isWhispered = whisper }
        return order
    }

    private func number(_ name: String, _ range: ClosedRange<Double>) -> Double? {
        event.number(name).flatMap { range.contains($0) ? $0 : nil }
    }
}

/// Converts the parts of a ``Speech`` to events with 16-bit little-endian audio.
struct WyomingSound {
    private var format: SpeechFormat?
    /// Whether to send word events, which only synthhost's own clients request.
    let sendsWords: Bool

    init(sendsWords: Bool) { self.sendsWords = sendsWords }

    /// Whether the audio has started.
    var hasBegun: Bool { format != nil }

    private static let framesPerChunk = 8192

    mutating func events(of part: Speech.Part) -> [WyomingEvent] {
        switch part {
        case .format(let format):
            self.format = format
            return [WyomingEvent(type: "audio-start", data: shape + [.init("timestamp", 0)])]
        case .audio(let audio): return chunks(of: audio)
        case .word(let event): return sendsWords ? [place("word", event)] : []
        case .sentence(let event): return sendsWords ? [place("sentence", event)] : []
        case .mark(let event, let name):
            guard sendsWords else { return [] }
            var told = place("mark", event)
            told.data.append(.init("name", name))
            return [told]
        default: return []
        }
    }

    /// Returns the events to send after the last part. If there was no audio, they include `audio-start`.
    mutating func ending() -> [WyomingEvent] {
        let start = hasBegun ? [] : events(of: .format(SpeechFormat(sampleRate: 22_050, channels: 1)))
        return start + [WyomingEvent(type: "audio-stop", data: [.init("timestamp", .null)])]
    }

    private var shape: [JSONNode.Member] {
        [
            .init("rate", format?.sampleRate ?? 0), .init("width", 2),
            .init("channels", format?.channels ?? 1),
        ]
    }

    private func chunks(of audio: Speech.Audio) -> [WyomingEvent] {
        let channels = format?.channels ?? 1
        let size = Self.framesPerChunk * channels
        return stride(from: 0, to: audio.samples.count, by: size).map { start in
            let samples = audio.samples[start..<min(start + size, audio.samples.count)]
            return WyomingEvent(
                type: "audio-chunk",
                data: shape + [.init("timestamp", milliseconds(audio.frame + start / channels))],
                payload: FloatPCM.bytes16(of: samples))
        }
    }

    private func place(_ kind: String, _ event: Speech.Event) -> WyomingEvent {
        WyomingEvent(
            type: "synthhost-\(kind)",
            data: [
                .init("timestamp", milliseconds(event.frame)), .init("frame", event.frame),
                .init("start", event.source.lowerBound), .init("end", event.source.upperBound),
            ])
    }

    private func milliseconds(_ frame: Int) -> Int { frame * 1000 / max(format?.sampleRate ?? 1, 1) }
}
