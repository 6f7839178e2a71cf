import LocatedJSON
import SynthAudio
import SynthHost

/// Makes events of the parts of a speech: 16-bit little-endian sound.
struct WyomingSound {
    private var format: SpeechFormat?
    /// Whether words are told, which only our own clients ask for.
    let tellsWords: Bool

    init(tellsWords: Bool) { self.tellsWords = tellsWords }

    /// Whether anything sounded.
    var hasBegun: Bool { format != nil }

    private static let framesPerChunk = 8192

    mutating func events(of part: Speech.Part) -> [WyomingEvent] {
        switch part {
        case .format(let format):
            self.format = format
            return [WyomingEvent(type: "audio-start", data: shape + [.init("timestamp", 0)])]
        case .audio(let audio): return chunks(of: audio)
        case .word(let event): return tellsWords ? [place("word", event)] : []
        case .sentence(let event): return tellsWords ? [place("sentence", event)] : []
        case .mark(let event, let name):
            guard tellsWords else { return [] }
            var told = place("mark", event)
            told.data.append(.init("name", name))
            return [told]
        default: return []
        }
    }

    /// After the last part. A text without anything to say has a sound without a frame.
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
