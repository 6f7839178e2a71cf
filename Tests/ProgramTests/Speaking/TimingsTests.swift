import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Word timing files", .ownThreads)
struct TimingsTests {
    private struct Subtitle: Equatable {
        var start: Double
        var end: Double
        var text: String
    }

    /// 300 words in sentences of 4 to 40 words, some with commas.
    private static let text: String = {
        let words = ["morning", "river", "stone", "under", "window", "yellow", "letters", "garden", "seven", "often"]
        var sentences: [String] = []
        var count = 0
        for length in [4, 10, 40, 7, 25, 3, 33, 18, 40, 12, 9, 29, 31, 5, 34] {
            let sentence = (0..<length).map { index in
                words[(count + index * 3) % words.count] + (index % 9 == 8 && index < length - 1 ? "," : "")
            }
            count += length
            sentences.append("The " + sentence.dropFirst().joined(separator: " ") + ".")
        }
        return sentences.joined(separator: " ")
    }()

    private let home: UserHome

    init() throws { home = try UserHome() }

    private func speak(_ words: String...) throws -> ChildResult {
        try home.run(["speak", "-v", "en-us"] + words)
    }

    private func json(_ name: String) throws -> [String: Any] {
        try parse(String(decoding: try home.data(name), as: UTF8.self))
    }

    private func words(_ name: String) throws -> [[String: Any]] {
        let sentences = try #require(try json(name)["sentences"] as? [[String: Any]])
        return sentences.flatMap { $0["words"] as? [[String: Any]] ?? [] }
    }

    private func text(_ name: String) throws -> String { String(decoding: try home.data(name), as: UTF8.self) }

    /// The subtitles as read by ffmpeg.
    private func subtitles(_ name: String) throws -> [Subtitle] {
        let result = try ChildProcess.run(
            "/usr/bin/env", ["ffmpeg", "-v", "error", "-i", home.file(name), "-f", "webvtt", "-"])
        #expect(result.code == 0 && result.errors == "", "\(result.errors)")
        return result.text.components(separatedBy: "\n\n").compactMap { block in
            let lines = block.split(separator: "\n").map(String.init)
            let times = lines.first?.components(separatedBy: " --> ").map { time in
                time.split(separator: ":").reduce(0.0) { $0 * 60 + (Double($1) ?? .nan) }
            }
            guard let times, times.count == 2 else { return nil }
            return Subtitle(start: times[0], end: times[1], text: lines.dropFirst().joined(separator: " "))
        }
    }

    @Test("ffmpeg can read the subtitles, and they match the word timings", arguments: ["srt", "vtt"])
    func subtitles(format: String) throws {
        #expect(try speak(Self.text, "-o", home.file("a.wav"), "--timings", home.file("a.\(format)")).code == 0)
        #expect(try speak(Self.text, "-o", home.file("a.wav"), "--timings", home.file("a.json")).code == 0)
        let words = try words("a.json")
        let starts = try words.map { try #require($0["start"] as? Double) }
        #expect(words.count == 300)
        let cues = try subtitles("a.\(format)")
        #expect(cues.map(\.text).joined(separator: " ") == Self.text)
        #expect(zip(cues, cues.dropFirst()).allSatisfy { $0.end <= $1.start })
        let seconds = try home.wav("a.wav").seconds
        #expect(cues.allSatisfy { $0.start < $0.end })
        #expect((cues.last?.end ?? .nan) <= seconds + 0.001)
        var first = 0
        var near = 0
        for cue in cues {
            if abs(cue.start - starts[first]) <= 0.05 { near += 1 }
            first += cue.text.split(separator: " ").count
        }
        #expect(first == 300 && cues.count > 15)
        #expect(near * 100 >= cues.count * 95, "\(near) of \(cues.count)")
    }

    @Test(
        "Whatever the rate, the file states that its timings are per word, and its duration matches that of the audio")
    func rates() throws {
        var seconds: [Double] = []
        for rate in ["1", "2"] {
            #expect(
                try speak(Self.text, "-r", rate, "-o", home.file("a.opus"), "--timings", home.file("a.json")).code == 0)
            let json = try json("a.json")
            #expect(json["timing"] as? String == "words" && json["engine"] as? String == "espeak-ng")
            #expect(json["complete"] as? Bool == true)
            let total = try #require(json["seconds"] as? Double)
            let decoded = try DecodedSound(path: home.file("a.opus")).seconds
            #expect(abs(total - decoded) < 0.05)
            seconds.append(try #require(try words("a.json").last?["start"] as? Double))
        }
        #expect(abs(seconds[0] / seconds[1] - 2) < 0.3, "\(seconds)")
    }

    @Test("Timings are written even if the audio is sent to a pipe or a device")
    func others() throws {
        let piped = try speak("Hello, world.", "-o", "-", "--timings", home.file("pipe.vtt"))
        #expect(piped.code == 0 && !piped.output.isEmpty)
        #expect(try text("pipe.vtt").hasPrefix("WEBVTT\n\nNOTE eSpeak NG"))
        #expect(try text("pipe.vtt").contains("provided the timings of words."))
        #expect(try text("pipe.vtt").contains("\nHello, world.\n"))
        let played = try home.run(
            ["speak", "-v", "en-us", "Hello, world.", "--timings", home.file("device.srt")], devices: .silent)
        #expect(played.code == 0)
        #expect(try text("device.srt").hasPrefix("1\n00:00:00,"))
    }

    @Test("If only sentence timings are available, the timings file states this")
    func sentences() throws {
        try home.install("reed")
        for format in ["srt", "vtt", "json"] {
            let result = try home.run(
                "speak", "-e", "reed", "One two. Three.", "-o", home.file("a.wav"), "--timings",
                home.file("a.\(format)"))
            #expect(result.code == 0)
            #expect(result.errors.contains("contains sentence timings") == (format == "srt"))
        }
        #expect(try text("a.vtt").contains("provided the timings of sentences."))
        #expect(try json("a.json")["timing"] as? String == "sentences")
        #expect(try subtitles("a.srt").map(\.text) == ["One two.", "Three."])
        let result = try home.run(
            "speak", "-e", "reed", "One.", "-o", home.file("a.wav"), "--timings", home.file("a.srt"), "--json")
        #expect(try parse(result.text)["timing"] as? String == "sentences")
        #expect(try parse(result.text)["timings"] as? String == home.file("a.srt"))
    }

    @Test("A timings file for text without words is valid")
    func wordless() throws {
        for format in ["srt", "vtt", "json"] {
            #expect(try speak("-o", home.file("a.wav"), "--timings", home.file("a.\(format)"), "🎉 🎈").code == 0)
        }
        _ = try json("a.json")
        #expect(try text("a.vtt").hasPrefix("WEBVTT\n"))
        #expect(try text("a.srt").contains("🎉"))
    }

    @Test("No file is written if the text is empty", arguments: ["srt", "vtt", "json"])
    func nothing(format: String) throws {
        let result = try speak("-o", home.file("a.wav"), "--timings", home.file("a.\(format)"), "--", " ")
        #expect(result.code == 66)
        #expect(!home.exists("a.\(format)") && !home.exists("a.wav"))
    }

    @Test("Timings include positions in text from standard input")
    func places() throws {
        let spoken = "\u{FEFF}Grüße,\u{85}liebe Welt!\n\nZweiter Absatz — Ende."
        let result = try home.run(
            ["speak", "-v", "de", "-o", home.file("a.wav"), "--timings", home.file("a.json")],
            input: Array(spoken.utf8))
        #expect(result.code == 0)
        let (bytes, scalars) = (Array(spoken.utf8), Array(spoken.unicodeScalars))
        let words = try words("a.json")
        #expect(words.count == 6)
        for word in words {
            let text = try #require(word["text"] as? String)
            let (place, characters) = (
                try #require(word["bytes"] as? [Int]), try #require(word["characters"] as? [Int])
            )
            #expect(String(decoding: bytes[place[0]..<place[1]], as: UTF8.self) == text)
            #expect(scalars[characters[0]..<characters[1]].map(String.init).joined() == text)
        }
    }

    @Test("After a signal, the timings of the spoken part are kept next to the existing file")
    func interruption() throws {
        try home.install("reed")
        try home.write("precious", to: "x.json")
        let long = String(repeating: "A long text that takes its time to be said. ", count: 400)
        let process = try home.start(
            ["speak", "-v", "Slow", "-o", home.file("x.wav"), "--timings", home.file("x.json"), "--json", long])
        try process.waitForErrors("\"fraction\"")
        #expect(try text("x.json") == "precious")
        process.signal(SIGINT)
        #expect(try process.finish(within: .seconds(300)).code == 130)
        #expect(try text("x.json") == "precious")
        let json = try json("x (stopped).json")
        #expect(json["complete"] as? Bool == false)
        #expect((json["sentences"] as? [Any])?.isEmpty == false)
        let seconds = try home.wav("x (stopped).wav").seconds
        let told = json["seconds"] as? Double ?? .nan
        #expect(abs(told - seconds) < 0.001, "\(told) s told, \(seconds) s in the file")
    }

    @Test("The timings end with the last word that the program reading the audio received before a signal")
    func stoppedWords() throws {
        let sentence = "A long text that takes its time to be said."
        try home.write(Array(repeating: sentence, count: 4000).joined(separator: " "), to: "x.txt")
        let process = try home.start(
            ["speak", "-v", "en-us", "-f", home.file("x.txt"), "-o", "-", "--timings", home.file("x.json")])
        try process.waitForOutput(count: 200_000)
        process.signal(SIGINT)
        #expect(try process.finish(within: .seconds(300)).code == 130)
        let json = try json("x (stopped).json")
        let seconds = try #require(json["seconds"] as? Double)
        #expect(json["complete"] as? Bool == false && seconds > 2)
        let sentences = try #require(json["sentences"] as? [[String: Any]])
        #expect(sentences.dropLast().allSatisfy { $0["text"] as? String == sentence })
        let last = try #require(sentences.last)
        #expect(sentence.hasPrefix(try #require(last["text"] as? String)))
        #expect(try #require(last["end"] as? Double) <= seconds)
        let words = try words("x (stopped).json")
        #expect(words.allSatisfy { ($0["start"] as? Double ?? .nan) < seconds })
        #expect(words.count > 5 && (words.last?["end"] as? Double ?? .nan) <= seconds)
    }

    @Test("Disk and folder errors are reported before any audio")
    func trouble() throws {
        try FileManager.default.createSymbolicLink(
            atPath: home.file("full.srt"), withDestinationPath: "/dev/full")
        let full = try speak("Hello.", "-o", home.file("a.wav"), "--timings", home.file("full.srt"))
        #expect(full.code == 73)
        #expect(full.errors.contains("The disk is full: cannot write \"\(home.file("full.srt"))\""), "\(full.errors)")
        #expect(full.errors.contains("on a different disk with `--timings`"))
        let missing = try speak("Hello.", "-o", home.file("b.wav"), "--timings", home.file("none/a.vtt"))
        #expect(missing.code == 73 && missing.errors.contains("does not exist"))
        #expect(missing.errors.contains("or choose a different file with `--timings`"))
        #expect(!home.exists("b.wav"))
        try home.write("x", to: "folder.json/x")
        #expect(try speak("Hello.", "-o", home.file("b.wav"), "--timings", home.file("folder.json")).code == 73)
    }

    @Test("The timings file must have a supported extension and be neither the audio file nor the input")
    func mistakes() throws {
        for name in ["a.txt", "a", "-", "a.sub"] {
            let result = try speak("Hello.", "-o", home.file("a.wav"), "--timings", name)
            #expect(result.code == 64)
            #expect(
                result.errors.contains("Use the extension .srt, .vtt or .json, for example `--timings speech.srt`."),
                "\(result.errors)")
        }
        #expect(!home.exists("a.wav"))
        try home.write("1", to: "t.srt")
        let same = try speak("-f", home.file("t.srt"), "-o", home.file("a.wav"), "--timings", home.file("t.srt"))
        #expect(same.code == 73 && same.errors.contains("is the text that this command reads"), "\(same.errors)")
        let both = try speak("Hi", "--raw", "-o", home.file("n.srt"), "--timings", home.file("n.srt"))
        #expect(both.code == 64 && both.errors.contains("cannot both be written to"))
    }
}
