import EngineKit
import SynthRecognizerParts
import Testing

@testable import SynthWhisper

/// Returns the texts of a script in order, each with the requested beginning.
private struct Readings: WindowTranscriber {
    let table: TokenTable
    let longest = LogMel.windowLength
    let script: Script

    final class Script {
        var texts: [String]
        var beginnings: [String] = []
        /// The duration of each token in seconds, for word timings.
        var secondsOfToken: Double?

        init(_ texts: [String]) { self.texts = texts }
    }

    mutating func transcribeWindow(
        _ samples: ArraySlice<Float>, _ request: WindowRequest, progress: (Int) throws -> Void
    ) throws -> WindowText {
        script.beginnings.append(table.text(request.beginning))
        var text = WindowText(language: "en", mean: -0.1)
        if request.wantsWords, let seconds = script.secondsOfToken {
            text.tokens = request.beginning
            text.spans = text.tokens.indices.map { Double($0) * seconds...Double($0 + 1) * seconds }
        } else {
            let tokens = TokenEncoder(table).tokens(of: script.texts.isEmpty ? "" : script.texts.removeFirst())
            text.tokens = request.beginning + tokens.dropFirst(request.beginning.count)
        }
        text.logarithms = text.tokens.map { _ in -0.1 }
        return text
    }
}

@Suite("The stable beginning of a text") struct StableTests {
    private let table: TokenTable

    init() throws { table = try Fixture.table() }

    @Test(
        "The stable beginning contains the words on which two results agree, except the later result's last word",
        arguments: [
            ([], [], 0), ([], ["·a", "·b"], 0), (["·a"], ["·a"], 0), (["·a"], ["·a", "·b"], 1),
            (["·a", "·b"], ["·a", "·b", "·c"], 2), (["·a", "·b", "·c"], ["·a", "·b"], 1),
            // A longer word is a different word.
            (["·a", "·b"], ["·a", "·b", "c"], 1), (["·a", "·b", "c"], ["·a", "·b", "c", "·d"], 3),
            (["·a", "·b"], ["·x", "·b", "·c"], 0), (["·a", "·b", "·c"], ["·a", "·x", "·c"], 1),
            (["·a", "."], ["·a", ".", "·b"], 2), (["·a", "."], ["·a", "·b"], 1),
        ] as [([String], [String], Int)])
    func agreement(first: [String], second: [String], count: Int) {
        #expect(StableBeginning.count(of: first, second) { second[$0].hasPrefix("·") } == count)
    }

    private struct Told {
        var stable: [String] = []
        var partials: [String] = []
        var finals: [String] = []
    }

    /// Transcribes audio of this length. The partial and final texts are taken from the script.
    private func run(_ script: Readings.Script, seconds: Double, pauses: [Range<Int>] = []) throws -> Told {
        var options = DecodingOptions()
        (options.wantsPartials, options.isTimed, options.language) = (true, false, "en")
        var long = LongTranscription(Readings(table: table, script: script), options, pauses: { _ in pauses })
        var told = Told()
        var left = Int(seconds * 16_000)
        _ = try long.run(
            read: { most in
                let count = min(most, left, 1600)
                left -= count
                return [Float](repeating: 0.1, count: count)
            }, ready: { 0 },
            report: { event in
                switch event {
                case .partial(let text, let stable, _):
                    told.partials.append(text)
                    told.stable.append(String(decoding: text.utf8.prefix(stable), as: UTF8.self))
                case .segment(let segment): told.finals.append(segment.text)
                default: break
                }
                return true
            })
        return told
    }

    @Test(
        "The stable beginning grows, and every later text begins with it",
        arguments: [
            // Text that has been recognized only once may still change.
            (["the", "the sting", "the sting said"], "the ring", ["", "the", "the sting"], "the sting"),
            (["the", "a ring", "the sting"], "the tern said", ["", "", ""], "the tern said"),
            // The last result contradicts the stable text.
            (
                ["the", "the sting said", "the sting said it"], "a king", ["", "the", "the sting said"],
                "the sting said"
            ),
            (
                ["the tern", "the tern said", "the tern said"], "the tern said it", ["", "the tern", "the tern"],
                "the tern said it"
            ),
            ([], "the tern", [], "the tern"),
        ] as [([String], String, [String], String)])
    func grows(partials: [String], last: String, stable: [String], text: String) throws {
        func spaced(_ text: String) -> String { " " + text }
        let script = Readings.Script((partials + [last]).map(spaced))
        let told = try run(script, seconds: Double(partials.count) + 0.5)
        #expect(told.stable == stable && told.finals.count == 1)
        #expect(told.finals.first?.hasPrefix(stable.last ?? "") == true && told.finals.first == text)
        for (text, stable) in zip(told.partials.dropFirst(), told.stable) { #expect(text.hasPrefix(stable)) }
    }

    @Test("The stable beginning is divided where long audio is cut") func divided() throws {
        let words = (0..<31).map { $0 % 2 == 0 ? " the" : " tern" }
        let script = Readings.Script((1...29).map { words[..<$0].joined() })
        script.secondsOfToken = 1
        // The model adds no text to the stable beginning in either window.
        let pauses = [20 * 16_000 - 800..<20 * 16_000 + 800]
        let told = try run(script, seconds: 30.5, pauses: pauses)
        #expect(told.stable.last == String(words[..<28].joined().dropFirst()))
        #expect(told.finals.joined(separator: " ") == String(words[..<28].joined().dropFirst()))
        #expect(told.finals.first == String(words[..<20].joined().dropFirst()))
    }

    @Test("The stable beginning is not divided if the model cannot align words") func undivided() throws {
        let words = (0..<31).map { $0 % 2 == 0 ? " the" : " tern" }
        let script = Readings.Script((1...29).map { words[..<$0].joined() })
        let told = try run(script, seconds: 31, pauses: [20 * 16_000 - 800..<20 * 16_000 + 800])
        #expect(told.finals == [String(words[..<28].joined().dropFirst())])
    }

    @Test("For a recording, complete words are reported during the search") func searched() throws {
        struct Searching: WindowTranscriber {
            let table: TokenTable
            let longest = LogMel.windowLength

            mutating func transcribeWindow(
                _ samples: ArraySlice<Float>, _ request: WindowRequest, progress: (Int) throws -> Void
            ) throws -> WindowText {
                var text = WindowText(language: "en", mean: -0.1)
                let words = TokenEncoder(table).tokens(of: " the tern said it")
                for count in words.indices {
                    request.agreed?.tokens = Array(words[..<count])
                    try progress(count)
                }
                text.tokens = words
                text.logarithms = words.map { _ in -0.1 }
                return text
            }
        }
        for shows in [true, false] {
            var options = DecodingOptions()
            (options.showsSearch, options.isTimed, options.language) = (shows, false, "en")
            var long = LongTranscription(Searching(table: table), options, pauses: { _ in [] })
            var (left, told, finals) = (32_000, [String](), [String]())
            _ = try long.run(
                read: { most in
                    defer { left -= min(most, left) }
                    return [Float](repeating: 0.1, count: min(most, left))
                }, ready: { 0 },
                report: { event in
                    switch event {
                    case .partial(let text, let stable, _):
                        #expect(stable == text.utf8.count)
                        told.append(text)
                    case .segment(let segment): finals.append(segment.text)
                    default: break
                    }
                    return true
                })
            #expect(
                finals == ["the tern said it"] && told == (shows ? ["the", "the tern", "the tern said"] : []), "\(told)"
            )
        }
    }

    @Test("The stable beginning is kept even if the remaining text is omitted") func dropped() throws {
        var scorer = ScriptedScorer(width: table.zero + 1501) { said in said.count < 2 ? [11: 0] : [table.end: 30] }
        _ = try scorer.begin([table.start], scoresAt: [0])
        var reader = WindowReader(table: table, configuration: try Fixture.configuration(table), scorer: scorer)
        var request = WindowRequest(language: "en", isTimed: false)
        request.beginning = [10]
        // All tokens are equally likely, so the text was probably not spoken.
        let text = try reader.read(request)
        #expect(
            text.tokens == [10] && text.leftOut?.reason == .hardlyLikely && text.leftOut?.tokens.isEmpty == false
                && text.logarithms.count == 1)
        request.beginning = []
        #expect(try reader.read(request).tokens.isEmpty)
    }
}
