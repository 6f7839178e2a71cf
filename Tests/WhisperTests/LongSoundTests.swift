import EngineKit
import SynthRecognizerParts
import Testing

@testable import SynthWhisper

/// Transcribes words that a test writes into the audio. A word is one second at level 0.1, with its number in the first
/// sample.
private struct ScriptedListener: WindowTranscriber {
    let table: TokenTable
    let longest = LogMel.windowLength
    let asked: Asked
    /// The maximum number of words that are transcribed per window.
    var most = Int.max
    /// A word that is only transcribed if it is the first of a window.
    var skipped = 0
    /// The time from the first sample of a word to its end timestamp.
    var wordLength = LogMel.rate

    final class Asked {
        var windows: [Int] = []
        var requests: [WindowRequest] = []
    }

    mutating func transcribeWindow(
        _ samples: ArraySlice<Float>, _ request: WindowRequest, progress: (Int) throws -> Void
    ) throws -> WindowText {
        asked.windows.append(samples.count)
        asked.requests.append(request)
        var text = WindowText(language: "en", mean: -0.1)
        var start: Int?
        for place in samples.indices.filter({ samples[$0] >= 1 }).prefix(most) {
            if start != nil, samples[place] == Float(skipped) { continue }
            try progress(text.tokens.count)
            if request.isTimed { text.tokens.append(time(place)) }
            text.tokens.append(Int(samples[place]))
            start = place
            // An incomplete word has no end timestamp.
            if request.isTimed, place + wordLength <= samples.endIndex {
                text.tokens.append(time(place + wordLength))
            }
        }
        if start == nil { text.tokens = [] }
        text.logarithms = text.tokens.map { _ in -0.1 }
        return text
    }

    private func time(_ place: Int) -> Int { table.zero + place * 50 / LogMel.rate }
}

@Suite("Transcribing long audio") struct LongSoundTests {
    private let table: TokenTable

    init() throws { table = try Fixture.table() }

    /// - Parameter pauses: The pause after each word, in seconds.
    private func sound(_ pauses: [Double]) -> (samples: [Float], pauses: [Range<Int>]) {
        var samples: [Float] = []
        var places: [Range<Int>] = []
        for (number, pause) in pauses.enumerated() {
            samples += [Float(1 + number)] + [Float](repeating: 0.1, count: LogMel.rate - 1)
            let start = samples.count
            samples += [Float](repeating: 0, count: Int(pause * Double(LogMel.rate)))
            if pause > 0 { places.append(start..<samples.count) }
        }
        return (samples, places)
    }

    private func run(
        _ samples: [Float], _ options: DecodingOptions = .init(), pieces: Int = 5000, ready: Int = 0,
        most: Int = .max, skipped: Int = 0, wordLength: Int = LogMel.rate, completeAfter calls: Int = .max,
        report: @escaping (TranscriptionEvent) -> Bool = { _ in true }
    ) throws -> (transcript: Transcript, asked: ScriptedListener.Asked) {
        let asked = ScriptedListener.Asked()
        var options = options
        options.language = "en"
        var long = LongTranscription(
            ScriptedListener(table: table, asked: asked, most: most, skipped: skipped, wordLength: wordLength), options,
            pauses: { PauseFinder.pauses(in: $0) })
        var (place, asks) = (0, 0)
        let transcript = try long.run(
            read: { most in
                let piece = samples[place..<min(samples.count, place + min(most, pieces))]
                place = piece.endIndex
                return Array(piece)
            }, ready: { ready },
            isComplete: {
                asks += 1
                return asks > calls
            }, report: report)
        return (transcript, asked)
    }

    /// The numbers of the transcribed words.
    private func numbers(_ transcript: Transcript) -> [Int] {
        transcript.segments.flatMap { TokenEncoder(table).tokens(of: $0.text) }
    }

    private func expected(_ count: Int) -> [Int] {
        (1...count).flatMap { TokenEncoder(table).tokens(of: table.text([$0])) }
    }

    @Test("Long audio is cut at pauses, and no word is lost or duplicated") func pauses() throws {
        let pauses = (0..<60).map { (number: Int) -> Double in Double(number % 7) * 0.3 }
        let (samples, places) = sound(pauses)
        let (transcript, asked) = try run(samples)
        #expect(numbers(transcript) == expected(60))
        #expect(asked.windows.allSatisfy { $0 <= LogMel.windowLength } && asked.windows.count >= 4)
        // Every window except the last ends in a pause.
        var end = 0
        for length in asked.windows.dropLast() {
            end += length
            #expect(places.contains { $0.contains(end) }, "\(end)")
        }
        for (number, segment) in transcript.segments.enumerated() {
            let start = pauses[..<number].reduce(Double(number), +)
            #expect(abs(segment.seconds.lowerBound - start) < 0.05)
        }
    }

    @Test("Without a pause, the next window starts at the last complete word") func noPauses() throws {
        let (samples, _) = sound([Double](repeating: 0, count: 100))
        let (transcript, asked) = try run(samples)
        #expect(numbers(transcript) == expected(100))
        #expect(asked.requests.allSatisfy(\.isTimed) && asked.windows.count <= 6)
    }

    @Test("If the model stops too early, the remaining audio is transcribed again") func early() throws {
        let (samples, _) = sound((0..<40).map { Double($0 % 4) * 0.3 })
        let (transcript, asked) = try run(samples, most: 7)
        #expect(numbers(transcript) == expected(40) && asked.windows.count >= 6)
    }

    @Test("A short utterance that the model misses is transcribed only if a pause precedes it", arguments: [0, 0.6])
    func missed(_ pause: Double) throws {
        func silence(_ seconds: Double) -> [Float] { [Float](repeating: 0, count: Int(seconds * Double(LogMel.rate))) }
        let word = [Float(1)] + [Float](repeating: 0.1, count: LogMel.rate - 1)
        let short = [Float(2)] + [Float](repeating: 0.1, count: LogMel.rate * 6 / 10)
        let (transcript, asked) = try run(word + silence(pause) + short + silence(0.5), most: 1)
        #expect(numbers(transcript) == expected(pause > 0 ? 2 : 1))
        #expect(asked.windows.count == (pause > 0 ? 2 : 1))
    }

    @Test("An utterance that the model skips is tried again in a window that starts there")
    func skipped() throws {
        let (samples, _) = sound([Double](repeating: 0.6, count: 12))
        let (transcript, asked) = try run(samples, skipped: 5)
        #expect(numbers(transcript) == expected(12) && asked.windows.count == 2)
        // Nothing precedes the word, so the model's end of the last word may have been wrong.
        let (joined, _) = sound([Double](repeating: 0, count: 12))
        #expect(try run(joined, skipped: 5).asked.windows.count == 1)
    }

    @Test("Words whose timestamps close within a tenth of a second are kept") func shortWords() throws {
        let (samples, _) = sound([0.6, 0, 0.6])
        #expect(numbers(try run(samples, wordLength: 320).transcript) == expected(3))
    }

    @Test("The result does not depend on how the audio is divided") func pieces() throws {
        let (samples, _) = sound((0..<40).map { Double($0 % 5) * 0.4 })
        let whole = try run(samples, pieces: samples.count).transcript
        for pieces in [64, 6400, 17_777] { #expect(try run(samples, pieces: pieces).transcript == whole) }
    }

    @Test("Each window's prompt contains the preceding words, after the hints") func leading() throws {
        let (samples, _) = sound([Double](repeating: 0.5, count: 40))
        var options = DecodingOptions()
        options.hints = "the  tern"
        let hints = TokenEncoder(table).tokens(of: " the tern")
        let requests = try run(samples, options).asked.requests
        #expect(requests.first?.previous == hints)
        #expect(requests.last?.previous.starts(with: hints) == true && (requests.last?.previous.count ?? 0) > 20)
        options.leadsOn = false
        #expect(try run(samples, options).asked.requests.last?.previous == hints)
    }

    @Test("Partial results are reported at most once per second or not at all if transcription cannot keep up")
    func partials() throws {
        let (samples, _) = sound([1, 1, 1, 1])
        var options = DecodingOptions()
        options.wantsPartials = true
        var texts: [String] = []
        let (transcript, asked) = try run(samples, options, pieces: 800) { event in
            if case .partial(let text, _, _) = event { texts.append(text) }
            return true
        }
        // The audio lasts eight seconds, so there are at most eight partial results.
        #expect((6...8).contains(asked.windows.count - 1) && texts.count == asked.windows.count - 1)
        #expect(numbers(transcript) == expected(4))
        #expect(try run(samples, options, pieces: 800, ready: 32_000).asked.windows.count == 1)
        // Once all audio has arrived, only the final text is needed, so no partial result is started, and one in
        // progress is abandoned.
        #expect(try run(samples, options, pieces: 800, completeAfter: 0).asked.windows.count == 1)
        var given: [String] = []
        let late = try run(samples, options, pieces: 800, completeAfter: 1) { event in
            if case .partial(let text, _, _) = event { given.append(text) }
            return true
        }
        #expect(given.isEmpty && late.asked.windows.count == 2 && numbers(late.transcript) == expected(4))
    }

    @Test("Silence is never transcribed") func silence() throws {
        #expect(try run([]).asked.windows.isEmpty)
        #expect(try run([Float](repeating: 0, count: 100 * LogMel.rate)).asked.windows.isEmpty)
        let (samples, _) = sound([1])
        let found = try run([Float](repeating: 0, count: 65 * LogMel.rate) + samples)
        #expect(found.asked.windows.count == 1 && numbers(found.transcript) == expected(1))
    }

    @Test("Transcription stops when the client requests it") func stop() throws {
        let (samples, _) = sound([Double](repeating: 0.5, count: 40))
        var left = 5
        #expect(throws: Stopped.self) {
            try run(samples) { _ in
                left -= 1
                return left > 0
            }
        }
        #expect(left == 0)
    }
}
