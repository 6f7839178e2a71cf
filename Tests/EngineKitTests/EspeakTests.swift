import CSynthEngine
import Foundation
import Testing
import TestSupport

/// libespeak-ng has global state, so these tests are serialized.
@Suite("eSpeak NG", .serialized, .espeakTurn)
struct EspeakTests {
    static let sentence =
        "The quick brown fox jumps over the lazy dog, and everyone in the valley was really amazed by now."

    let engine: LoadedEngine
    let lane: LoadedLane

    init() throws {
        engine = try LoadedEngine(product: "EspeakNG")
        lane = try engine.open()
    }

    func speak(
        _ text: String, voice: String = "en-us", speaker: String? = nil, language: String? = nil,
        pitch: Float = 1
    ) -> Recording {
        var request = TestRequest(text, voice: voice)
        request.speaker = speaker
        request.language = language
        request.pitch = pitch
        return lane.speak(request)
    }

    @Test("The engine reports its ID, its license and a single lane")
    func describes() {
        #expect(String(cString: engine.description.id) == "espeak-ng")
        #expect(String(cString: engine.description.license) == "GPL-3.0-or-later")
        #expect(engine.description.max_lanes == 1)
        #expect(engine.roles.isEmpty)
    }

    @Test("Each voice is listed once, with an ID that is valid in the registry")
    func listsVoices() {
        let voices = engine.voices
        let ids = voices.map { String(cString: $0.id) }
        #expect(voices.count > 100)
        #expect(Set(ids).count == ids.count)
        let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789._+-")
        #expect(ids.allSatisfy { !$0.isEmpty && $0.allSatisfy { allowed.contains($0) } })
        #expect(Set(["en", "en-us", "en-gb-scotland", "de", "cmn", "vi-vn-x-south"]).isSubset(of: ids))
        #expect(Set(voices.map(\.speakers)).count == 1)
    }

    @Test(
        "A voice is named after its language, and the accent is given separately",
        arguments: [
            ("en-us", "English", "America", "en-US"), ("de", "German", nil, "de"),
            ("en-gb-scotland", "English", "Scotland", "en-GB-scotland"),
            ("cmn-latn-pinyin", "Chinese", "Mandarin, latin as Pinyin", "cmn-Latn-pinyin"),
        ] as [(String, String, String?, String)])
    func namesVoices(id: String, name: String, accent: String?, language: String) throws {
        let voice = try #require(engine.voices.first { String(cString: $0.id) == id })
        #expect(String(cString: voice.name) == name)
        #expect(voice.accent.map { String(cString: $0) } == accent)
        #expect(String(cString: voice.language) == language)
    }

    @Test("Variants are offered as speakers, with the plain voice first")
    func listsSpeakers() throws {
        let voice = try #require(engine.voices.first)
        let list = try #require(voice.speakers)
        let speakers = (0..<voice.speaker_count).compactMap { list[$0].map { String(cString: $0) } }
        #expect(speakers.first == "plain")
        #expect(Set(["f1", "f5", "m1", "m8", "croak", "whisper"]).isSubset(of: speakers))
    }

    @Test("Every voice speaks")
    func everyVoiceSpeaks() {
        for voice in engine.voices {
            let id = String(cString: voice.id)
            let recording = speak("1 2 3", voice: id)
            #expect(recording.status == SYNTH_OK && recording.frameCount > 2000, "\(id): \(recording.outcome)")
            #expect(recording.violations.isEmpty, "\(id): \(recording.violations)")
        }
    }

    @Test("A speaker is found regardless of case and changes the voice, unlike the plain speaker")
    func changesSpeaker() throws {
        let plain = speak(Self.sentence)
        let woman = speak(Self.sentence, speaker: "F2")
        let before = try #require(fundamentalFrequency(plain.samples, sampleRate: plain.sampleRate))
        let after = try #require(fundamentalFrequency(woman.samples, sampleRate: woman.sampleRate))
        #expect(after > 1.5 * before)
        let named = speak(Self.sentence, speaker: "plain")
        let again = try #require(fundamentalFrequency(named.samples, sampleRate: named.sampleRate))
        #expect(abs(again / before - 1) < 0.05)
    }

    @Test("The error for an unknown voice, speaker or language includes its name")
    func refusesUnknown() {
        for (recording, name) in [
            (speak("Hello", voice: "heart"), "heart"), (speak("Hello", speaker: "nobody"), "nobody"),
            (speak("Hello", language: "xx-YY"), "xx-YY"),
        ] {
            #expect(recording.status == SYNTH_BAD_REQUEST)
            #expect(recording.outcome.message.contains(name))
            #expect(recording.calls == 0)
        }
    }

    @Test(
        "The requested language is spoken or, if it is not available, the most similar one",
        arguments: [
            ("de", "de"), ("de-AT", "de"), ("en-GB", "en"), ("en-us", "en-us"), ("fr-FR", "fr"), ("pt-BR", "pt-br"),
            ("zh", "cmn"), ("no", "nb"),
        ])
    func speaksLanguage(language: String, voice: String) {
        // Digits are read in the requested language, so their durations differ between languages.
        let asked = speak("1234567, 89", voice: "fi", language: language)
        let meant = speak("1234567, 89", voice: voice)
        let own = speak("1234567, 89", voice: "fi")
        #expect(asked.status == SYNTH_OK)
        #expect(abs(asked.seconds / meant.seconds - 1) < 0.01)
        #expect(abs(asked.seconds / own.seconds - 1) > 0.02)
    }

    @Test(
        "Word events cover exactly the words of the text",
        arguments: [
            ("en-us", "Hello world, how are you?", ["Hello", "world", "how", "are", "you"]),
            ("de", "Größe über „Straßen“ – schön!", ["Größe", "über", "Straßen", "schön"]),
            ("en-us", "I 😀 love 👍🏽 it ❤️ much", ["I", "😀", "love", "👍🏽", "it", "❤️", "much"]),
            ("fr", "e\u{301}te\u{301} a\u{300} la", ["e\u{301}te\u{301}", "a\u{300}", "la"]),
            ("ar", "مرحبا بالعالم، كيف حالك؟", ["مرحبا", "بالعالم", "كيف", "حالك"]),
            ("cmn", "你好世界。今天", ["你", "好", "世", "界", "今", "天"]),
            (
                "en-us", "It is 3.14 at AT&T, U.S.A. don't “well-known”",
                ["It", "is", "3.14", "at", "AT&T", "U.S.A", "don't", "well-known"]
            ),
            ("en-us", "One\r\ntwo\tthree\n\n(four)", ["One", "two", "three", "four"]),
            ("hi", "नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ])
    func marksWords(voice: String, text: String, words: [String]) {
        let recording = speak(text, voice: voice)
        #expect(recording.words == words)
        #expect(recording.violations.isEmpty, "\(recording.violations)")
        let starts = recording.events.filter { $0.kind == SYNTH_WORD.rawValue }.map(\.bytes.lowerBound)
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("The spoken duration of a text does not depend on earlier texts, except for one or two pitch periods")
    func repeats() {
        let first = speak(Self.sentence)
        for round in 0..<12 {
            let again = speak(Self.sentence)
            #expect(abs(again.seconds - first.seconds) < 0.03, "round \(round): \(first.seconds), \(again.seconds)")
        }
    }

    @Test("Chinese characters are read as Chinese whether or not a speaker is selected")
    func speaksMandarin() {
        for speaker in [nil, "f3"] {
            let text = "你好世界。今天天气很好。"
            let pinyin = speak(text, voice: "cmn-latn-pinyin", speaker: speaker)
            let mandarin = speak(text, voice: "cmn", speaker: speaker)
            #expect(mandarin.status == SYNTH_OK)
            #expect(abs(mandarin.seconds / pinyin.seconds - 1) < 0.02)
        }
        // If read as English words, the twelve syllables would take twice as long.
        #expect(speak("你好世界", voice: "cmn").seconds < 2)
    }

    @Test("Each sentence event is reported at the start of its sentence")
    func marksSentences() {
        let recording = speak("First one. Zweiter, größer! Third?")
        let sentences = recording.events.filter { $0.kind == SYNTH_SENTENCE.rawValue }
        #expect(sentences.map(\.bytes.lowerBound) == [0, 11, 30])
        #expect(sentences.first?.frame == 0)
    }

    @Test("A word's frame is the one at which its audio starts")
    func timesWords() throws {
        // There is a long pause before each word, so the start is easy to find.
        let recording = speak("Banana.\n\nBanana.\n\nBanana.")
        let frames = recording.events.filter { $0.kind == SYNTH_WORD.rawValue }.map { Int($0.frame) }
        #expect(frames.count == 3)
        let window = recording.sampleRate / 10
        for frame in frames.dropFirst() {
            let before = recording.samples[frame - window..<frame].map { abs($0) }.max() ?? 1
            let after = recording.samples[frame..<frame + window].map { abs($0) }.max() ?? 0
            #expect(before < 0.02 && after > 0.05)
        }
    }

    @Test("Markup and phoneme codes are spoken as plain text")
    func readsMarkupAloud() {
        #expect(speak("<b>bold</b> text").frameCount > speak("bold text").frameCount)
        #expect(speak("[[h@l'oU]]").words == ["h@l'oU"])
        #expect(speak("<speak><voice name='de'>x</voice></speak>").status == SYNTH_OK)
        #expect(abs(speak("hello").seconds / speak("hello").seconds - 1) < 0.02)
    }

    // Each of these texts crashes libespeak-ng 1.51.
    @Test(
        "Characters that crash libespeak-ng are omitted",
        arguments: ["($5)", "**नमस्ते**", "%) 1$", "“-नमस्ते", "❥-नम", "$@ =; +) {"])
    func survivesSigns(text: String) {
        for voice in ["hi", "en-us"] {
            let recording = speak("नमस्ते a " + text + " दो b", voice: voice)
            #expect(recording.status == SYNTH_OK)
            #expect(recording.words.last == "b")
        }
    }

    @Test("Text without words produces no audio", arguments: ["", " ", "\n\t \r\n", "\u{A0}\u{2003}"])
    func saysNothing(text: String) {
        let recording = speak(text)
        #expect(recording.status == SYNTH_OK && recording.calls == 0)
    }

    @Test("The engine declares no rates, so the host changes the rate")
    func rate() {
        #expect((engine.description.rate_min, engine.description.rate_max) == (1, 1))
    }

    @Test("The pitch multiplies the fundamental frequency", arguments: [nil, "f2", "m7"] as [String?])
    func honoursPitch(speaker: String?) throws {
        let plain = speak(Self.sentence, speaker: speaker)
        let before = try #require(fundamentalFrequency(plain.samples, sampleRate: plain.sampleRate))
        for pitch in [engine.description.pitch_min, 0.8, 1.25, 1.5, engine.description.pitch_max] {
            let changed = speak(Self.sentence, speaker: speaker, pitch: pitch)
            let after = try #require(fundamentalFrequency(changed.samples, sampleRate: changed.sampleRate))
            #expect(abs(after / before / Double(pitch) - 1) < 0.1, "\(pitch)")
        }
    }

    @Test("The pitch and language of a request do not affect the next request")
    func keepsRequestsApart() {
        let before = speak(Self.sentence).seconds
        _ = speak("Guten Tag", voice: "de", speaker: "f3", pitch: 1.5)
        #expect(abs(speak(Self.sentence).seconds / before - 1) < 0.02)
    }

    @Test("Stopping at any time does not affect the next request")
    func leavesNothingAfterAbort() {
        let text = "Hello there, this is it. Another one follows."
        let fresh = speak(text)
        let aborted = "A longer text; it has clauses, numbers (12345), and a question? Yes! And an end that hangs – a"
        var stoppedCount = 0
        for round in 1...200 {
            var request = TestRequest(aborted, voice: round.isMultiple(of: 3) ? "de" : "en-us")
            request.serial = UInt64(2 * round)
            let call = Int.random(in: 1...150)
            let viaCancel = Bool.random()
            let lane = lane
            let stopped = lane.speak(request) { recording in
                guard recording.calls == call else { return true }
                if viaCancel { lane.cancel(UInt64(2 * round)) }
                return viaCancel
            }
            #expect(stopped.status == SYNTH_CANCELLED || stopped.calls < call)
            #expect(stopped.violations.isEmpty)
            if stopped.status == SYNTH_CANCELLED { stoppedCount += 1 }
            request = TestRequest(text, voice: "en-us")
            request.serial = UInt64(2 * round + 1)
            let next = lane.speak(request)
            #expect(next.status == SYNTH_OK)
            #expect(next.events.map(\.bytes) == fresh.events.map(\.bytes), "after \(call) calls")
            #expect(abs(next.seconds / fresh.seconds - 1) < 0.002, "after \(call) calls")
            #expect(abs(loudness(next.samples) - loudness(fresh.samples)) < 0.5)
        }
        #expect(stoppedCount > 100)
    }

    @Test("The engine speaks 64 KiB of text without violating a rule")
    func speaksLongText() {
        // The text consists mostly of spaces, so that offsets become large without producing an hour of audio.
        let piece = "Ein längerer Satz über Größe 😀, mit 3 Kommas, und so weiter. " + String(repeating: " ", count: 400)
        let text = String(repeating: piece, count: 65_000 / piece.utf8.count)
        let recording = lane.speak(TestRequest(text, voice: "de"))
        #expect(recording.status == SYNTH_OK)
        #expect(recording.violations.isEmpty, "\(Set(recording.violations))")
        let expected = text.split(separator: " ").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: ",.")) }
        #expect(recording.words == expected)
    }

    @Test("The audio matches the output of the espeak-ng command", arguments: EspeakSentences.all)
    func soundsAsCommand(voice: String, text: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "espeak-\(UUID().uuidString).wav")
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["espeak-ng", "-v", voice, "-w", file.path, "--", text]
        try process.run()
        process.waitUntilExit()
        try #require(
            process.terminationStatus == 0, "The command is needed; install it with: sudo apt install espeak-ng")
        let wav = try Data(contentsOf: file).dropFirst(44)
        let reference = stride(from: wav.startIndex, to: wav.endIndex - 1, by: 2).map { index in
            Float(Int16(bitPattern: UInt16(wav[index]) | UInt16(wav[index + 1]) << 8)) / 32768
        }
        let recording = speak(text, voice: voice)
        #expect(abs(Double(recording.frameCount) / Double(reference.count) - 1) < 0.02)
        #expect(abs(loudness(recording.samples) - loudness(reference)) < 1)
    }

    /// The root mean square in dBFS.
    func loudness(_ samples: [Float]) -> Double {
        10 * log10(samples.reduce(1e-12) { $0 + Double($1 * $1) } / Double(max(samples.count, 1)))
    }
}
