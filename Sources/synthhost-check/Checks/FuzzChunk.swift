import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire

/// Sends random requests to an engine and stops some of them. The same seed generates the same requests and stop
/// points.
struct FuzzChunk {
    private let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    private static let requestCount = 40
    /// The maximum duration of the audio, which keeps the run time short for slow engines. The limit applies to the
    /// audio rather than the run time so that a chunk contains the same requests on every machine.
    private static let maximumSeconds = 30.0

    func run(on subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        let table = session.plugin.table.fields
        var generator = ProbeGenerator(seed: seed)
        var (done, seconds) = (0, 0.0)
        while done < Self.requestCount, seconds < Self.maximumSeconds {
            let text = FuzzText.make(using: &generator)
            // In half of all cases, the value is at one end of the range.
            let rate = Self.pick(table.rate_min, table.rate_max, using: &generator)
            let pitch = Self.pick(table.pitch_min, table.pitch_max, using: &generator)
            let wants = EventKinds(rawValue: UInt32.random(in: 0...7, using: &generator))
            let stopAt = Bool.random(using: &generator) ? Int.random(in: 1...30, using: &generator) : .max
            let way = Int.random(in: 0...2, using: &generator)
            var request = session.request(text, rate: rate, pitch: pitch, wants: wants)
            if session.can(SYNTH_CAN_SHAPE_PITCH) {
                request.pitchPoints = Self.points(table, text, using: &generator)
                request.intonation = Float.random(in: -1...1, using: &generator)
            }
            if session.can(SYNTH_CAN_WHISPER) {
                request.isWhispered = Int.random(in: 0...7, using: &generator) == 0
            }
            let (sent, serial) = (request, request.serial)
            let lane = session.lane
            let spoken = session.speak(sent) { sink, _ in
                // Stop after 20 seconds: more audio would take time without testing anything new.
                guard sink.calls >= stopAt || sink.seconds > 20 else { return true }
                if way > 0 { lane.cancel(serial) }
                return way == 2 && sink.seconds <= 25
            }
            try expectValid(spoken, sent)
            done += 1
            seconds += spoken.record.seconds
        }
        session.close()
        return .passed("Random requests: \(done).", [Measurement("requests", Double(done))])
    }

    private func expectValid(_ spoken: SpeechResult, _ request: LaneRequest) throws {
        let quote = "The request for \(Session.quote(request.text)) at rate \(request.rate) and pitch \(request.pitch)"
        let sink = spoken.record
        guard [SYNTH_OK, SYNTH_BAD_REQUEST, SYNTH_CANCELLED].contains(spoken.status) else {
            throw CheckFinding.failed("\(quote) returned \(spoken.words).")
        }
        guard sink.callsAfterStop == 0 else {
            throw CheckFinding.failed("\(quote) continued after the sink returned false.")
        }
        guard sink.callsBeforeBegin == 0, sink.begins.count <= 1 else {
            throw CheckFinding.failed("\(quote) called begin more than once, or sent audio or an event before begin.")
        }
        let sum = sink.samples.withUnsafeBufferPointer { samples in
            var sum: Float = 0
            for sample in samples { sum += sample * 0 }
            return sum
        }
        guard sum == 0 else { throw CheckFinding.failed("\(quote) returned a sample that is not a finite number.") }
        guard case .text(let text) = request.text else { return }
        let bytes = Array(text.utf8)
        for event in sink.events {
            let (end, overflow) = event.textOffset.addingReportingOverflow(event.textLength)
            guard event.textOffset >= 0, event.textLength >= 0, !overflow, end <= bytes.count,
                [event.textOffset, end].allSatisfy({ $0 == bytes.count || bytes[$0] & 0xC0 != 0x80 }),
                event.frame >= event.framesBefore
            else { throw CheckFinding.failed("\(quote) reported an invalid event at byte \(event.textOffset).") }
        }
    }

    /// Returns up to eight pitch points, sorted by offset.
    private static func points(
        _ table: synth_engine, _ text: String, using generator: inout ProbeGenerator
    ) -> [LanePitchPoint] {
        let bytes = Array(text.utf8)
        let places = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
            var position = Int.random(in: 0...bytes.count, using: &generator)
            while position < bytes.count, UTF8.isContinuation(bytes[position]) { position += 1 }
            return position
        }
        return places.sorted().map { position in
            LanePitchPoint(offset: position, factor: pick(table.pitch_min, table.pitch_max, using: &generator))
        }
    }

    private static func pick(_ low: Float, _ high: Float, using generator: inout ProbeGenerator) -> Float {
        guard low < high else { return 1 }
        switch Int.random(in: 0...3, using: &generator) {
        case 0: return low
        case 1: return high
        default: return Float.random(in: low...high, using: &generator)
        }
    }
}

/// Generates random texts of up to a few kilobytes from words, separators and random characters.
enum FuzzText {
    static func make(using generator: inout ProbeGenerator) -> String {
        var text = ""
        let most = lengths[Int.random(in: lengths.indices, using: &generator)]
        let count = Int.random(in: 0...most, using: &generator)
        for _ in 0..<count { text += piece(using: &generator) }
        return text
    }

    private static let lengths = [3, 12, 40, 200]
    private static let words = [
        "a", "the", "voice", "Dr.", "3.14", "e.g.", "naïve", "Straße", "don't", "U.S.A.", "I", "2026-11-21", "50 %",
        "x²", "Ελλάδα",
        "привет", "你好", "שלום", "مرحبا", "नमस्ते", "😀", "👩‍👩‍👧", "🇩🇪",
    ]
    private static let marks = [
        " ", " ", " ", " ", ". ", ", ", "! ", "? ", "\n", "\n\n", "\t", "—", "…", "(", ")", "\"", "-", ";", "",
    ]

    private static func piece(using generator: inout ProbeGenerator) -> String {
        switch Int.random(in: 0...9, using: &generator) {
        case 0...4:
            return words[Int.random(in: words.indices, using: &generator)]
                + marks[Int.random(in: marks.indices, using: &generator)]
        case 5: return marks[Int.random(in: marks.indices, using: &generator)]
        case 6: return String(scalar(in: 0x21...0x7E, using: &generator))
        case 7: return String(scalar(in: 0x80...0x2FFF, using: &generator))
        case 8: return String(scalar(in: 0x1...0x10FFFF, using: &generator))
        default:
            let letter = scalar(in: 0x61...0x7A, using: &generator)
            return String(repeating: Character(letter), count: Int.random(in: 1...60, using: &generator))
        }
    }

    /// Returns a scalar in the range. Surrogates become the replacement character.
    private static func scalar(in range: ClosedRange<UInt32>, using generator: inout ProbeGenerator) -> Unicode.Scalar {
        Unicode.Scalar(UInt32.random(in: range, using: &generator)) ?? "\u{FFFD}"
    }
}
