import CSynthEngine
import Foundation
import Testing
import TestSupport

@Suite(.espeakTurn) struct TimingTests {
    @Test("Each word has a time range within the audio and a position in the text")
    func words() throws {
        let text = "👋🏽 Hello, the cafe\u{301} of the na\u{EF}ve “25” men… Really? Yes!"
        let recording = try Voice().speak(text)
        #expect(recording.status == SYNTH_OK && recording.violations.isEmpty, "\(recording.violations)")
        let words = recording.words.map { Array($0.unicodeScalars) }
        let expected = ["Hello", "the", "cafe\u{301}", "of", "the", "na\u{EF}ve", "25", "men", "Really", "Yes"]
        #expect(Array(words.suffix(expected.count)) == expected.map { Array($0.unicodeScalars) })
        for event in recording.events where event.kind == SYNTH_WORD.rawValue {
            #expect(event.frameCount > 0)
            #expect(event.frame + event.frameCount <= UInt64(recording.frameCount))
        }
    }

    @Test("Phonemes cover the audio of their words, in order and without overlap")
    func phonemes() throws {
        let recording = try Voice().speak("The big dogs sat on the mat, all day.")
        let phonemes = recording.events.filter { $0.kind == SYNTH_PHONEME.rawValue }
        let words = recording.events.filter { $0.kind == SYNTH_WORD.rawValue }
        #expect(words.count == 9)
        var end: UInt64 = 0
        for phoneme in phonemes {
            #expect(phoneme.frame >= end && phoneme.frameCount > 0)
            end = phoneme.frame + phoneme.frameCount
        }
        #expect(end <= UInt64(recording.frameCount))
        for word in words {
            let inside = phonemes.filter { $0.bytes == word.bytes && $0.frame >= word.frame }
            let frames = inside.prefix { $0.frame < word.frame + word.frameCount }.map(\.frameCount).reduce(0, +)
            #expect(frames == word.frameCount)
        }
        let sound = phonemes.map(\.frameCount).reduce(0, +)
        #expect(Double(sound) > 0.6 * Double(recording.frameCount))
        let labels = phonemes.compactMap(\.label)
        #expect(labels.count == phonemes.count)
        #expect(labels.joined().hasPrefix("ðəbˈɪɡ"))
        #expect(!labels.contains { $0.contains(" ") || $0.contains(",") })
    }

    @Test("A word's frame is the one at which its audio begins, even after a pause")
    func onset() throws {
        let voice = try Voice {
            $0["inference"] = ["noise_scale": 0, "length_scale": 1, "noise_w": 0, "phoneme_silence": [",": 1.0]]
        }
        let recording = try voice.speak("Cats, dogs.")
        let words = recording.events.filter { $0.kind == SYNTH_WORD.rawValue }
        try #require(words.count == 2)
        let samples = recording.samples
        let silence = try #require(
            (0..<samples.count - 22_050).first { start in
                samples[start..<start + 22_050].allSatisfy { $0 == 0 }
            })
        #expect(words[0].frame + words[0].frameCount <= UInt64(silence))
        #expect(words[1].frame >= UInt64(silence + 22_050))
        #expect(words[1].frame < UInt64(silence + 22_050) + 6000)
    }

    @Test("Events that were not requested are not sent, and the audio does not change")
    func unwanted() throws {
        let voice = try Voice()
        let all = try voice.speak("One, two.")
        let none = try voice.speak("One, two.") { $0.wants = 0 }
        let sentences = try voice.speak("One, two.") { $0.wants = SYNTH_SENTENCE.rawValue }
        #expect(none.events.isEmpty)
        #expect(sentences.events.map(\.kind) == [SYNTH_SENTENCE.rawValue])
        #expect(isSame(none.samples, all.samples) && isSame(sentences.samples, all.samples))
    }

    @Test("Positions are correct in a sentence that is spoken in several runs")
    func pieces() throws {
        let words = (0..<150).map { "w\($0 % 7 == 0 ? "o" : "a")rd" }
        let recording = try Voice().speak(words.joined(separator: " ") + ".")
        #expect(recording.violations.isEmpty, "\(recording.violations)")
        #expect(recording.words.count > 140)
        #expect(recording.words.allSatisfy { $0 == "word" || $0 == "ward" })
    }
}
