import Foundation
import SynthEngineWire
import SynthScript
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Timing file formats")
struct TimingsTextTests {
    private static let origin = TimingsOrigin(
        engine: "test", engineTitle: "Test -->\n1.0", voice: "a\"b", timesWords: true)

    /// Two utterances of "Say 1 < 2 & <b>. مرحبا! -->", with words every 500 ms.
    private static func sentences() throws -> [TimedSentence] {
        var script = PlainTextScript()
        try script.append("\u{FEFF}Say 1 < 2 & <b>. مرحبا! --> x")
        try script.finish()
        var collector = SentenceCollector()
        var found: [TimedSentence] = []
        var frame = 0
        while let utterance = script.next() {
            let range = utterance.sourceRange
            let sentence = SpokenEvent(kind: .sentence, frame: frame, source: range, utterance: utterance)
            if let done = collector.take(sentence) { found.append(done) }
            let first = range.lowerBound..<range.lowerBound + 3
            #expect(collector.take(SpokenEvent(kind: .word, frame: frame + 500, source: first, text: 0..<3)) == nil)
            frame += 2000
            collector.utteranceEnds(at: frame - 300)
        }
        if let last = collector.finish(at: frame, timesWords: true) { found.append(last) }
        return found
    }

    private func text(_ format: TimingsFormat, _ kind: TimingsKind = .words) throws -> String {
        var text = TimingsText(format, kind, Self.origin, sampleRate: 1000)
        return try text.head + Self.sentences().map { text.append($0) }.joined()
            + text.finish(frames: 6000, isComplete: true)
    }

    @Test("In SubRip, subtitles are numbered, and the text is unchanged except for the arrow")
    func srt() throws {
        #expect(
            try text(.srt) == """
                1
                00:00:00,500 --> 00:00:01,700
                Say 1 < 2 & <b>.

                2
                00:00:02,500 --> 00:00:03,700
                مرحبا!

                3
                00:00:04,500 --> 00:00:05,700
                → x


                """)
    }

    @Test("WebVTT names the engine that provided the times, and the text is escaped")
    func vtt() throws {
        #expect(
            try text(.vtt, .sentences) == """
                WEBVTT

                NOTE Test -> 1.0 provided the timings of sentences.

                00:00:00.000 --> 00:00:01.700
                Say 1 &lt; 2 &amp; &lt;b&gt;.

                00:00:02.000 --> 00:00:03.700
                مرحبا!

                00:00:04.000 --> 00:00:05.700
                --&gt; x


                """)
    }

    @Test("JSON contains positions in bytes and in characters")
    func json() throws {
        let text = try text(.json)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(json["timing"] as? String == "words" && json["engine"] as? String == "test")
        #expect(json["voice"] as? String == "a\"b")
        #expect(json["seconds"] as? Double == 6 && json["complete"] as? Bool == true)
        let sentences = try #require(json["sentences"] as? [[String: Any]])
        #expect(sentences.map { $0["text"] as? String } == ["Say 1 < 2 & <b>.", "مرحبا!", "--> x"])
        #expect(sentences.map { $0["bytes"] as? [Int] } == [[3, 19], [20, 31], [32, 37]])
        #expect(sentences.map { $0["characters"] as? [Int] } == [[1, 17], [18, 24], [25, 30]])
        #expect(sentences.map { $0["start"] as? Double } == [0, 2, 4])
        #expect(sentences.map { $0["end"] as? Double } == [1.7, 3.7, 5.7])
        let word = try #require((sentences[0]["words"] as? [[String: Any]])?.first)
        #expect(word["text"] as? String == "Say" && word["characters"] as? [Int] == [1, 4])
        #expect(word["start"] as? Double == 0.5 && word["end"] as? Double == 1.7)
        #expect(try !self.text(.json, .sentences).contains("\"words\""))
    }

    @Test("For an empty text, the file is empty and valid", arguments: TimingsFormat.allCases)
    func empty(format: TimingsFormat) throws {
        var text = TimingsText(format, .words, Self.origin, sampleRate: 1000)
        let whole = text.head + text.finish(frames: 0, isComplete: true)
        switch format {
        case .srt: #expect(whole == "")
        case .vtt: #expect(whole == "WEBVTT\n\nNOTE Test -> 1.0 provided the timings of words.\n\n")
        case .json:
            let json = try #require(try JSONSerialization.jsonObject(with: Data(whole.utf8)) as? [String: Any])
            #expect((json["sentences"] as? [Any])?.isEmpty == true)
        }
    }

    @Test("If speech is stopped, the file contains the words whose playback has started")
    func stopped() {
        var collector = SentenceCollector()
        let utterance = Utterance(text: "One two three.", source: SourceMap(offset: 10), pauseAfter: .sentence)
        _ = collector.take(SpokenEvent(kind: .sentence, frame: 100, source: 10..<24, utterance: utterance))
        for (place, frame) in [(10, 100), (14, 200), (18, 300)] {
            _ = collector.take(
                SpokenEvent(kind: .word, frame: frame, source: place..<place + 3, text: place - 10..<place - 7))
        }
        var other = collector
        let timed = collector.finish(at: 250, timesWords: true)
        #expect(timed?.text == "One two" && timed?.frames == 100..<250)
        #expect(timed?.words.map(\.frames) == [100..<200, 200..<250])
        #expect(other.finish(at: 250, timesWords: false)?.text == "One two three.")
        #expect(other.finish(at: 250, timesWords: false) == nil)
    }

    @Test(
        "The file extension determines the format",
        arguments: [("a.srt", TimingsFormat.srt), ("b/a.VTT", .vtt), ("a.b.json", .json), ("a.txt", nil), ("srt", nil)])
    func endings(path: String, format: TimingsFormat?) { #expect(TimingsFormat(path: path) == format) }
}
