import SynthHostTesting
import Testing

@testable import SynthHost
@testable import SynthScript
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Speaking a script")
struct ScriptSpeechTests {
    /// A 16 kHz engine with 100 frames per byte.
    private let engine = TestEngine(framesPerByte: 100)

    private func session() async throws -> SpeechSession {
        let host = SpeechHost(testing: engine, voices: ["Anna", "Ben"])
        return try await host.session(try await host.voice())
    }

    /// Returns text that is identical to the document's text at this offset.
    private func text(_ text: String, at offset: Int = 0, _ style: ScriptStyle = ScriptStyle()) -> ScriptPart {
        let source = SourceMap(segments: [
            .init(text: 0..<text.utf8.count, source: offset..<offset + text.utf8.count)
        ])
        return .text(ScriptText(text, source: source, style: style))
    }

    private struct Heard {
        var samples: [Float] = []
        var marks: [String: Int] = [:]
        var words: [(frame: Int, source: Range<Int>)] = []
        /// The alternating lengths of silence and audio in frames, starting with silence. Less than a millisecond of
        /// zeros counts as audio.
        var runs: [Int] {
            var runs = [0]
            var zeros = 0
            for sample in samples {
                zeros = sample == 0 ? zeros + 1 : 0
                runs[runs.count - 1] += 1
                if runs.count % 2 == 1, zeros == 0 {
                    runs[runs.count - 1] -= 1
                    runs.append(1)
                } else if runs.count % 2 == 0, zeros == 16 {
                    runs[runs.count - 1] -= 16
                    runs.append(16)
                }
            }
            return runs
        }
    }

    private func hear(_ parts: [ScriptPart], _ options: SpeechOptions = SpeechOptions()) async throws -> Heard {
        var heard = Heard()
        let script = SpokenScript(document: Array(repeating: 0x78, count: 1000), parts: parts)
        for try await part in try await session().speak(
            options, text: { () throws(SpeechError) in try ScriptSource(script) })
        {
            switch part {
            case .audio(let audio): heard.samples += audio.samples
            case .mark(let event, let name): heard.marks[name] = event.frame
            case .word(let event): heard.words.append((event.frame, event.source))
            default: break
            }
        }
        return heard
    }

    private static let long = "One two three four five six seven eight nine ten"

    private func silence(_ milliseconds: Int) -> ScriptPart { .silence(.milliseconds(milliseconds), source: 0..<0) }

    @Test(
        "A silence has exactly the requested duration, regardless of the rate and the engine's own silence",
        arguments: [1.0, 2.0, 0.5])
    func silences(rate: Double) async throws {
        let heard = try await hear(
            [silence(250), text(Self.long), silence(700), text(Self.long, at: 50), silence(100), silence(50)],
            SpeechOptions(rate: rate))
        try #require(heard.runs.count == 5)
        #expect(heard.runs[0] == 4000 && heard.runs[2] == 11_200 && heard.runs[4] == 2400)
    }

    @Test("A silence of one minute also has exactly the requested duration")
    func longSilence() async throws {
        let heard = try await hear([text("One."), silence(60_000), text("Two.", at: 10)])
        #expect(heard.runs == [0, 400, 960_000, 400])
    }

    @Test("A mark is reported when the next word starts, or within the silence between two texts")
    func marks() async throws {
        let heard = try await hear([
            .mark("start", source: 0..<0), text("One "), .mark("two", source: 4..<4), text("two three.", at: 4),
            silence(100), .mark("between", source: 20..<20), silence(100), text("Four.", at: 20),
            .mark("end", source: 25..<25),
        ])
        #expect(heard.marks == ["start": 0, "two": 400, "between": 3000, "end": 5100])
        #expect(heard.words.map(\.source) == [0..<3, 4..<7, 8..<14, 20..<25])
        #expect(heard.words.map(\.frame) == [0, 400, 800, 4600])
    }

    @Test("Voices take turns in the order given in the script")
    func voices() async throws {
        var ben = ScriptStyle()
        ben.voice = ScriptVoice(name: "Ben")
        let heard = try await hear([
            text("One. Two. "), text("Three.", at: 10, ben), text("Four.", at: 20), text("Five.", at: 30, ben),
        ])
        #expect(engine.spoken == ["One.", "Two.", "Three.", "Four.", "Five."])
        #expect(heard.samples.count == 2400 + 4 * 4000)
        #expect(heard.words.map(\.frame) == [0, 4400, 8800, 13_400, 17_900])
    }

    @Test("No text is spoken if a voice is missing")
    func missingVoice() async throws {
        var nobody = ScriptStyle()
        nobody.voice = ScriptVoice(name: "Nobody")
        await #expect {
            _ = try await hear([text("One."), text("Two.", at: 5, nobody)])
        } throws: { error in
            guard let error = error as? SpeechError else { return false }
            return error.code == .voiceUnknown && error.facts.candidates == ["Anna", "Ben"]
        }
        #expect(engine.spoken.isEmpty)
    }

    @Test("A part's rate and volume multiply those of the entire script")
    func prosody() async throws {
        var loud = ScriptStyle()
        loud.rate = 2
        loud.volume = 2
        let long = Self.long
        let heard = try await hear([text(long), silence(100), text(long, at: 50, loud)])
        try #require(heard.runs.count == 4)
        #expect(heard.runs[1] == 4800)
        #expect(abs(Double(heard.runs[3]) - 2400) < 2400 * 0.03)
        #expect(heard.samples.first == 0.25)
        #expect(abs((heard.samples.max() ?? 0) - 0.5) < 0.01)
    }

    @Test("If an engine does not support phonemes, it gets the words instead of a script's phonemes")
    func phonemes() async throws {
        let source = SourceMap(segments: [.init(text: 0..<5, source: 10..<15)])
        let tomato = ScriptText("tomat", source: source, pronunciation: ScriptPronunciation(ipa: "t", hasWords: true))
        let only = ScriptText("[[a]]", source: source, pronunciation: ScriptPronunciation(ipa: "a", hasWords: false))
        _ = try await hear([text("A "), .text(tomato), text(".", at: 16), silence(10), .text(only), silence(10)])
        #expect(engine.spoken == ["A tomat."])
    }

    @Test("A lexicon changes the spoken words but not their positions in the source")
    func lexicon() async throws {
        let lexicon = try SpeechLexicon("gif = picture file\nTom = /tɒm/")
        var words: [Range<Int>] = []
        let speech = try await session().speak("A gif. Tom.", SpeechOptions(lexicon: lexicon))
        for try await part in speech { if case .word(let event) = part { words.append(event.source) } }
        #expect(engine.spoken == ["A picture file.", "Tom."])
        #expect(words == [0..<1, 2..<5, 2..<6, 7..<11])
        let pronunciation = ScriptPronunciation(ipa: "tɒm", hasWords: true, lexicon: LexiconLine(file: "", line: 2))
        #expect(speech.notices == [.phonemesSkipped(engine: "test", .init(pronunciation, of: "Tom"))])
        #expect(throws: SpeechError.self) { _ = try SpeechLexicon("wrong") }
    }

    @Test("A session reads all script formats, and errors include the position")
    func forms() async throws {
        let session = try await session()
        for try await _ in session.speak(ssml: "<speak>One.<break time='10ms'/><voice name='Ben'>Two.</voice></speak>")
        {}
        for try await _ in session.speak("# Three", as: .markdown) {}
        for try await _ in session.speak("[voice:Ben]Four.", as: .tokens) {}
        #expect(engine.spoken == ["One.", "Two.", "Three", "Four."])
        await #expect {
            for try await _ in session.speak(ssml: "<speak>\n<p></speak>") {}
        } throws: { error in
            guard let error = error as? SpeechError else { return false }
            return error.code == .scriptInvalid && error.facts.name == "</p>" && error.facts.line == 2
                && error.facts.column == 4
        }
    }

    @Test(
        "Without alternative text, a sound on the web is skipped with a notice, but a misspelled clip causes an error"
    )
    func soundOnWeb() async throws {
        let session = try await session()
        let address = "https://example.org/bell.ogg"
        let speech = session.speak(
            ssml: "<speak>One <audio src='\(address)'/>two. <audio src='\(address)'>Ding.</audio></speak>")
        for try await _ in speech {}
        #expect(engine.spoken == ["One two.", "Ding."])
        #expect(speech.notices == [.soundSkipped(address)])
        await #expect {
            for try await _ in session.speak(ssml: "<speak>One <audio src='bel'/>two.</speak>") {}
        } throws: { ($0 as? SpeechError)?.code == .clipUnknown }
    }

    @Test("Marks are reported even if their text cannot be spoken")
    func silentMarks() async throws {
        let session = try await session()
        var marks: [String] = []
        let document = "<speak>One. <mark name='a'/><phoneme ph='x'/><break time='10ms'/>Two.</speak>"
        for try await part in session.speak(ssml: document) {
            if case .mark(_, let name) = part { marks.append(name) }
        }
        #expect(marks == ["a"])
        #expect(engine.spoken == ["One.", "Two."])
    }
}
