import CommandSupport
import Foundation
import SynthAudio
import Testing
import TestSupport

@Suite("transcribe", .ownThreads)
struct TranscribeTests {
    private let home: UserHome

    init() throws {
        home = try UserHome()
        try home.install("Plugins/Scripted/scripted", as: "scripted")
    }

    /// Writes an audio file with segments of a tone, which the recognizer treats as speech.
    @discardableResult
    private func write(_ name: String, _ stretches: [(tone: Double, silence: Double)]) throws -> String {
        let rate = 16_000
        var samples: [Float] = []
        for (tone, silence) in stretches {
            for frame in 0..<Int(tone * Double(rate)) { samples.append(sin(Float(frame) * 0.3) * 0.5) }
            samples += [Float](repeating: 0, count: Int(silence * Double(rate)))
        }
        let path = home.file(name)
        let sink = try SoundFileOptions(try SoundFileFormat.of(path: path)).sink(path: path)
        try sink.begin(AudioFormat(sampleRate: rate, channels: 1))
        try sink.write(samples[...])
        try sink.finish()
        return path
    }

    private static let twice = [(tone: 1.0, silence: 1.0), (tone: 2.0, silence: 1.0)]
    private static let scripted = ["--recognizer", "scripted"]

    @Test(
        "Audio in any supported format is transcribed into sentences", arguments: ["wav", "flac", "mp3", "opus", "ogg"])
    func formats(ending: String) throws {
        let file = try write("talk.\(ending)", Self.twice)
        let result = try home.run(["transcribe", file] + Self.scripted)
        #expect(result.code == 0 && result.errors == "", "\(result.errors)")
        #expect(result.text == "Hello, world. forty-two point five\n")
    }

    @Test(
        "A recording that ffmpeg can read is transcribed, even from a pipe",
        .enabled(if: GeneratedMedia.isPossible, "\(GeneratedMedia.missing)"),
        arguments: GeneratedMedia.allCases)
    func media(media: GeneratedMedia) throws {
        let path = try media.make(of: try write("talk.wav", Self.twice))
        let result = try home.run(["transcribe", path] + Self.scripted)
        #expect(result.code == 0 && result.errors == "", "\(result.errors)")
        #expect(result.text == "Hello, world. forty-two point five\n")
        guard [.m4a, .webm].contains(media) else { return }
        let sound = Array(try Data(contentsOf: URL(filePath: path)))
        let piped = try home.run(["transcribe", "-"] + Self.scripted, input: sound)
        #expect(piped.code == 0 && piped.text == result.text, "\(piped.errors)")
    }

    @Test(
        "The error for an unreadable recording includes the reason and the remedy",
        .enabled(if: GeneratedMedia.isPossible, "\(GeneratedMedia.missing)"))
    func unreadable() throws {
        let path = try GeneratedMedia.m4a.make(of: try write("talk.wav", Self.twice))
        let none = try home.run(["transcribe", path] + Self.scripted, adding: ["PATH": "/none"])
        #expect(none.code == 66 && none.errors.contains("ffmpeg, which reads most other formats, is not installed."))
        #expect(none.errors.contains("sudo apt install ffmpeg"), "\(none.errors)")
        try home.write("", to: "empty.m4a")
        try home.write("A text.", to: "text.mp4")
        for (name, words) in [
            ("empty.m4a", "it is empty."), ("text.mp4", "it is not an audio or video file in a supported format."),
            ("absent.m4a", "No such file"),
        ] {
            let result = try home.run(["transcribe", home.file(name)] + Self.scripted)
            #expect(result.code == 66 && result.text == "" && result.errors.contains(home.file(name)))
            #expect(result.errors.contains(words), "\(result.errors)")
        }
        let whole = try Data(contentsOf: URL(filePath: try GeneratedMedia.fastM4A.make(of: home.file("talk.wav"))))
        try whole.prefix(whole.count * 4 / 5).write(to: URL(filePath: home.file("cut.m4a")))
        let cut = try home.run(["transcribe", home.file("cut.m4a"), "-o", home.file("cut.txt")] + Self.scripted)
        #expect(cut.code == 66 && cut.errors.contains("it is truncated"), "\(cut.errors)")
        #expect(String(decoding: try home.data("cut.txt"), as: UTF8.self).hasPrefix("Hello, world."))
    }

    @Test("`--channels split` transcribes channels separately and merges the texts by time, even after being resumed")
    func channels() throws {
        let rate = 16_000
        func isTone(_ second: Double, _ channel: Int) -> Bool { channel == 0 ? second < 1 : (2..<3.5).contains(second) }
        func write(_ name: String, turns: Int) throws -> String {
            let samples = (0..<turns * 5 * rate).flatMap { frame in
                (0..<2).map { channel in
                    let second = Double(frame % (5 * rate)) / Double(rate)
                    return isTone(second, channel) ? sin(Float(frame) * 0.3) * 0.5 : 0
                }
            }
            let sink = try SoundFileOptions(.wav).sink(path: home.file(name))
            try sink.begin(AudioFormat(sampleRate: rate, channels: 2))
            try sink.write(samples[...])
            try sink.finish()
            return home.file(name)
        }
        let split = ["--channels", "split"] + Self.scripted
        let call = try write("call.wav", turns: 1)
        let result = try home.run(["transcribe", call] + split)
        #expect(result.code == 0 && result.text == "Left: Hello, world.\nRight: Hello, world.\n", "\(result.errors)")
        #expect(try home.run(["transcribe", call] + Self.scripted).text == "Hello, world. forty-two point five\n")
        let json = try home.run(["transcribe", call, "--json"] + split)
        let texts = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: [[String: Any]]])["texts"]
        #expect(texts?.map { $0["channel"] as? Int } == [1, 2])
        #expect(texts?.map { $0["text"] as? String } == ["Hello, world.", "Hello, world."])
        let vtt = try home.run(["transcribe", call, "--format", "vtt"] + split)
        #expect(vtt.text.contains("\n<v Left>Hello, world.\n") && vtt.text.contains("\n<v Right>Hello, world.\n"))
        let srt = try home.run(["transcribe", call, "--format", "srt"] + split)
        #expect(srt.text.contains("\nLeft: Hello, world.\n") && srt.text.contains("\nRight: Hello, world.\n"))
        // The text of a single channel has no channel label.
        let mono = try self.write("talk.wav", Self.twice)
        #expect(try home.run(["transcribe", mono] + split).text == "Hello, world. forty-two point five\n")
        #expect(try home.run(["transcribe", mono, "--channels", "both"] + Self.scripted).code == 64)
        let long = try write("long.wav", turns: 60)
        #expect(try home.run(["transcribe", long, "-o", home.file("whole.json")] + split).code == 0)
        let process = try home.start(["transcribe", long, "-o", home.file("cut.json")] + split)
        while !process.hasEnded, lines() <= 2 { usleep(500) }
        process.signal(SIGKILL)
        _ = try process.finish()
        if home.exists("cut.json") { try FileManager.default.removeItem(atPath: home.file("cut.json")) }
        #expect(try home.run(["transcribe", long, "-o", home.file("cut.json")] + split).code == 0)
        #expect(try home.data("cut.json") == home.data("whole.json"))
    }

    @Test("Audio is transcribed even if its channels are in opposite phase")
    func opposite() throws {
        let path = try write("talk.wav", Self.twice)
        guard GeneratedMedia.isPossible else { return }
        try GeneratedMedia.run(["-i", path, "-af", "pan=stereo|c0=c0|c1=-1*c0", home.file("opposite.wav")])
        let result = try home.run(["transcribe", home.file("opposite.wav")] + Self.scripted)
        #expect(result.text == "Hello, world. forty-two point five\n", "\(result.errors)")
    }

    @Test("Audio from a pipe is transcribed")
    func pipe() throws {
        let file = try write("talk.wav", Self.twice)
        let sound = Array(try Data(contentsOf: URL(filePath: file)))
        let result = try home.run("transcribe", "-", "--recognizer", "scripted", input: sound)
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.text == "Hello, world. forty-two point five\n")
        let empty = try home.run("transcribe", "-", "--recognizer", "scripted", input: [])
        #expect(empty.code == 66 && empty.text == "")
        let rubbish = try home.run("transcribe", "-", "--recognizer", "scripted", input: Array("no sound".utf8))
        #expect(
            rubbish.code == 66
                && rubbish.errors.contains(
                    "Cannot read the recording on standard input: it is not an audio or video file"),
            "\(rubbish.errors)")
        let json = try home.run("transcribe", "-", "--recognizer", "scripted", "--json", input: sound)
        #expect(try JSONSerialization.jsonObject(with: Data(json.output)) is [String: Any])
    }

    @Test("The output file's extension selects subtitles, JSON or plain text, and the file is complete")
    func forms() throws {
        let file = try write("talk.wav", Self.twice)
        for form in ["srt", "vtt", "json", "txt"] {
            let result = try home.run(["transcribe", file, "-o", home.file("talk.\(form)")] + Self.scripted)
            #expect(result.code == 0 && result.text == "", "\(result.errors)")
        }
        let times = /00:00:0\d,\d\d\d --> 00:00:0\d,\d\d\d/
        let srt = String(decoding: try home.data("talk.srt"), as: UTF8.self).split(separator: "\n")
        #expect(srt.count == 6 && srt[0] == "1" && srt[2] == "Hello, world." && srt[3] == "2")
        #expect(srt[1].wholeMatch(of: times) != nil && srt[4].wholeMatch(of: times) != nil, "\(srt)")
        #expect(String(decoding: try home.data("talk.vtt"), as: UTF8.self).hasPrefix("WEBVTT\n\n00:00:0"))
        let json = try #require(
            try JSONSerialization.jsonObject(with: try home.data("talk.json")) as? [String: [[String: Any]]])
        let texts = try #require(json["texts"])
        #expect(texts.map { $0["text"] as? String } == ["Hello, world.", "forty-two point five"])
        #expect(texts[0]["confidence"] as? Double == 0.9 && (texts[0]["words"] as? [Any])?.count == 2)
        let start = try #require(texts[1]["start"] as? Double)
        #expect(abs(start - 2) < 0.1)
        #expect(try home.data("talk.txt") == Data("Hello, world. forty-two point five\n".utf8))
        // No journal is left behind.
        #expect(try journals().isEmpty)
    }

    @Test("A killed transcription resumes, and its output is the same as that of an uninterrupted run")
    func killed() throws {
        let minutes = 6
        let file = try write("long.wav", Array(repeating: (tone: 4, silence: 2), count: minutes * 10))
        let whole = try home.run(["transcribe", file, "-o", home.file("whole.json")] + Self.scripted)
        #expect(whole.code == 0, "\(whole.errors)")
        var kills = 0
        for _ in 0..<50 where kills < 3 {
            let process = try home.start(["transcribe", file, "-o", home.file("cut.json")] + Self.scripted)
            let before = lines()
            // Transcribed pieces are not transcribed again, so the journal never shrinks.
            while !process.hasEnded, lines() <= max(1, before) {
                #expect(lines() >= before || home.exists("cut.json"))
                usleep(500)
            }
            if !process.hasEnded { kills += 1 }
            process.signal(SIGKILL)
            _ = try process.finish()
            if home.exists("cut.json") { try FileManager.default.removeItem(atPath: home.file("cut.json")) }
        }
        let rest = try home.run(["transcribe", file, "-o", home.file("cut.json")] + Self.scripted)
        #expect(rest.code == 0, "\(rest.errors)")
        #expect(kills > 0)
        #expect(try home.data("cut.json") == home.data("whole.json"))
        #expect(try journals().isEmpty)
    }

    private func journals() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.path).filter { $0.hasSuffix(".synthhost-transcript") }
    }

    /// Returns the number of lines in the only journal.
    private func lines() -> Int {
        let path = (try? journals().first).flatMap { $0 }.map { home.file($0) } ?? ""
        return (try? Data(contentsOf: URL(filePath: path)))?.count { $0 == 0x0A } ?? 0
    }

    @Test("A run with a different language keeps the journal of the first run")
    func another() throws {
        let file = try write("long.wav", Array(repeating: (tone: 4, silence: 2), count: 60))
        var process = try home.start(["transcribe", file, "-o", home.file("a.txt")] + Self.scripted)
        while !process.hasEnded, lines() < 2 { usleep(500) }
        process.signal(SIGKILL)
        _ = try process.finish()
        let kept = lines()
        let other = try home.run(["transcribe", file, "-o", home.file("a.txt"), "-l", "en"] + Self.scripted)
        #expect(other.code == 0, "\(other.errors)")
        // The process may already have exited before it could be killed.
        #expect(kept < 2 || lines() == kept)
        process = try home.start(["transcribe", file, "-o", home.file("a.txt")] + Self.scripted)
        #expect(try process.finish().code == 0)
        #expect(try journals().isEmpty)
    }

    @Test("Output to a pipe or a device is written directly, without a temporary file")
    func streams() throws {
        let file = try write("talk.wav", Self.twice)
        let path = home.file("fifo")
        #expect(mkfifo(path, 0o600) == 0)
        let reader = try ChildProcess("/bin/cat", arguments: [Array(path.utf8)], environment: [:])
        let result = try home.run(["transcribe", file, "-o", path, "--format", "txt"] + Self.scripted)
        #expect(result.code == 0, "\(result.errors)")
        #expect(try reader.finish().text == "Hello, world. forty-two point five\n")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        #expect(try home.run(["transcribe", file, "-o", "/dev/null"] + Self.scripted).code == 0)
        #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
        let full = try home.run(["transcribe", file, "-o", "/dev/full"] + Self.scripted)
        #expect(full.code == 74 && full.errors.contains("The disk is full"), "\(full.errors)")
    }

    @Test("Transcripts are written to a folder, and completed files are not transcribed again") func several() throws {
        for name in ["a/talk.wav", "b/talk.wav", "b/talk.flac", "note.wav"] {
            try FileManager.default.createDirectory(
                atPath: home.file((name as NSString).deletingLastPathComponent), withIntermediateDirectories: true)
            try write(name, Self.twice)
        }
        try home.write("no sound", to: "broken.wav")
        let files = ["a/talk.wav", "broken.wav", "b/talk.wav", "b/talk.flac", "note.wav"].map { home.file($0) }
        let command = ["transcribe"] + files + ["-o", home.file("out")] + Self.scripted
        let first = try home.run(command)
        #expect(first.code == 66 && first.errors.contains("broken.wav: "), "\(first.errors)")
        #expect(first.errors.contains("4 transcripts in ") && first.errors.contains("broken.wav was not transcribed."))
        let names = ["note.txt", "talk.flac.txt", "talk.wav-2.txt", "talk.wav.txt"]
        func visible() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: home.file("out")).filter { !$0.hasPrefix(".") }.sorted()
        }
        #expect(try visible() == names)
        for name in names { #expect(try home.data("out/\(name)") == Data("Hello, world. forty-two point five\n".utf8)) }
        // A corrected transcript is kept, and nothing is transcribed again.
        try home.write("Corrected.", to: "out/note.txt")
        let again = try home.run(command)
        #expect(again.code == 66 && again.errors.contains("4 transcripts in "), "\(again.errors)")
        #expect(again.errors.contains("all from an earlier run"))
        #expect(try home.data("out/note.txt") == Data("Corrected.".utf8))
        // Changed recordings are transcribed again, but corrected transcripts and unknown files are never replaced.
        try write("note.wav", [(1, 1)])
        try home.write("Mine.", to: "out/talk.wav.txt")
        try FileManager.default.removeItem(atPath: home.file("out/.synthhost-transcripts/talk.wav.txt"))
        let foreign = try home.run(["transcribe"] + files + ["-q", "-o", home.file("out")] + Self.scripted)
        #expect(foreign.errors.contains("3 of 5 files were not transcribed"), "\(foreign.errors)")
        #expect(try home.data("out/note.txt") == Data("Corrected.".utf8))
        #expect(try home.data("out/talk.wav.txt") == Data("Mine.".utf8))
        // An unmodified transcript is updated along with its recording.
        try write("b/talk.flac", [(1, 1)])
        _ = try home.run(command)
        #expect(try home.data("out/talk.flac.txt") == Data("Hello, world.\n".utf8))
    }

    @Test("Several files are printed one after another, as text or as lines of JSON") func severalPrinted() throws {
        let files = [try write("one.wav", Self.twice), try write("two.wav", [(1, 1)])]
        let printed = try home.run(["transcribe"] + files + Self.scripted)
        #expect(printed.code == 0, "\(printed.errors)")
        #expect(
            printed.text
                == "==> \(files[0]) <==\nHello, world. forty-two point five\n\n==> \(files[1]) <==\nHello, world.\n")
        let json = try home.run(["transcribe"] + files + ["--json"] + Self.scripted)
        let lines = try json.text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(json.code == 0 && lines.map { $0["file"] as? String } == files, "\(json.text)")
        let texts = lines.map { ($0["texts"] as? [[String: Any]])?.map { $0["text"] as? String } }
        #expect(texts == [["Hello, world.", "forty-two point five"], ["Hello, world."]])
        // An unreadable file yields no line of JSON, but each of the other files does.
        let lost = try home.run(["transcribe", files[1], home.file("none.wav"), files[1], "--json"] + Self.scripted)
        #expect(lost.code == 66 && lost.text.split(separator: "\n").count == 2, "\(lost.errors)")
        #expect(try home.run(["transcribe"] + files + ["--format", "srt"] + Self.scripted).code == 64)
        #expect(try home.run(["transcribe"] + files + ["-"] + Self.scripted).code == 64)
        let named = try home.run(["transcribe"] + files + ["-o", home.file("x.txt")] + Self.scripted)
        #expect(named.code == 64 && named.errors.contains("need a folder") && !home.exists("x.txt"), "\(named.errors)")
        // A single file can be written to an existing folder.
        let single = try home.run(["transcribe", files[1], "-o", home.path, "--format", "vtt"] + Self.scripted)
        #expect(single.code == 0 && home.exists("two.vtt"), "\(single.errors)")
        let taken = try home.run(["transcribe"] + files + ["-o", files[0]] + Self.scripted)
        #expect(taken.code == 73 && taken.errors.contains("is not a folder"), "\(taken.errors)")
    }

    @Test("Omitted text is listed separately, along with the reason") func leftOut() throws {
        try home.install("deaf", ["LEAVES_OUT=1", "TRANSCRIBES"], as: "deaf")
        let file = try write("talk.wav", [(1, 1)])
        let command = ["transcribe", file, "--recognizer", "deaf"]
        #expect(try home.run(command).text == "Hello\n")
        let verbose = try home.run(command + ["--verbose"])
        #expect(
            verbose.text == "Hello\n"
                && verbose.errors.contains("0:00 to 0:00: left out \"Thank you.\", because it repeats itself."))
        func found(_ result: ChildResult) throws -> [String: [[String: Any]]]? {
            try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: [[String: Any]]]
        }
        let json = try #require(try found(home.run(command + ["--json"])))
        #expect(json["texts"]?.map { $0["text"] as? String } == ["Hello"])
        let one = try #require(json["left_out"]?.first)
        #expect(one["text"] as? String == "Thank you." && one["reason"] as? String == "repetition")
        #expect(one["start"] as? Double == 0 && one["end"] as? Double == 0.5)
        #expect(try found(home.run(["transcribe", file, "--json"] + Self.scripted))?["left_out"] == nil)
        // An unknown reason violates the contract.
        try home.install("deaf", ["LEAVES_OUT=7", "TRANSCRIBES"], as: "deaf")
        #expect(try home.run(command).code == 70)
    }

    @Test("Names and terms are read from the command line, a file and the user's vocabulary") func words() throws {
        let file = try write("talk.wav", [(1, 1)])
        try home.write("# names\n\nSiobhan\n  Saint-Saëns \r\n", to: "words.txt")
        let command = ["transcribe", file, "--prompt", "A talk.", "--words", "nginx,Anna B", "--vocabulary"]
        let good = try home.run(command + [home.file("words.txt")] + Self.scripted)
        #expect(good.code == 0 && good.text == "Hello, world.\n", "\(good.errors)")
        let absent = try home.run(command + [home.file("absent.txt")] + Self.scripted)
        #expect(absent.code != 0 && absent.errors.contains("Check the file's path"), "\(absent.errors)")
        try home.write(String(repeating: "x", count: 101), to: "long.txt")
        let long = try home.run(command + [home.file("long.txt")] + Self.scripted)
        #expect(long.code == 78 && long.errors.contains("Line 1 of ") && long.errors.contains("more than 100 bytes"))
        try home.write((0...500).map { "word\($0)\n" }.joined(), to: "config/synthhost/vocabulary.txt")
        let many = try home.run(["transcribe", file] + Self.scripted)
        #expect(many.code == 78 && many.errors.contains("Line 501 of "), "\(many.errors)")
        try home.write("Siobhan\n", to: "config/synthhost/vocabulary.txt")
        #expect(try home.run(["transcribe", file] + Self.scripted).code == 0)
    }

    @Test("Missing recognizers, unreadable files and files that must not be replaced are reported")
    func mistakes() throws {
        let file = try write("talk.wav", Self.twice)
        let unnamed = try home.run("transcribe", file)
        // An example recognizer is used only if it is specified by name.
        #expect(unnamed.code == 69 && unnamed.errors.contains("No recognizers are installed."), "\(unnamed.errors)")
        let unknown = try home.run("transcribe", file, "--recognizer", "nobody")
        #expect(unknown.code == 64 && unknown.errors.contains("No recognizer is called nobody."), "\(unknown.errors)")
        let model = try home.run("transcribe", file, "--recognizer", "scripted", "-m", "huge")
        #expect(model.code == 64 && model.errors.contains("No model is called huge."), "\(model.errors)")
        let ending = try home.run(["transcribe", file, "-o", home.file("a.pdf")] + Self.scripted)
        #expect(ending.code == 64 && ending.errors.contains("does not have the extension of a transcript"))
        let contradiction = try home.run(
            ["transcribe", file, "-o", home.file("a.srt"), "--format", "vtt"] + Self.scripted)
        #expect(contradiction.code == 64)
        let absent = try home.run(["transcribe", home.file("absent.wav")] + Self.scripted)
        #expect(absent.code == 66, "\(absent.errors)")
        try home.write("no sound", to: "text.wav")
        let text = try home.run(["transcribe", home.file("text.wav")] + Self.scripted)
        #expect(
            text.code == 66 && text.errors.contains("it is not an audio or video file in a supported format"),
            "\(text.errors)")
        let own = try home.run(["transcribe", file, "--format", "txt", "-o", file] + Self.scripted)
        #expect(own.code == 73, "\(own.errors)")
        #expect(try home.data("talk.wav").prefix(4) == Data("RIFF".utf8))
        let folder = try home.run(["transcribe", file, "-o", home.file("nowhere/a.txt")] + Self.scripted)
        #expect(folder.code == 73, "\(folder.errors)")
    }

    @Test("The readable part of a truncated file is transcribed, and the damage is reported")
    func cut() throws {
        let file = try write("talk.flac", Array(repeating: (tone: 4, silence: 2), count: 12))
        let bytes = try home.data("talk.flac")
        try home.write(Array(bytes.prefix(bytes.count * 3 / 4)), to: "talk.flac")
        let result = try home.run(["transcribe", file] + Self.scripted)
        #expect(result.code == 66, "\(result.errors)")
        #expect(result.text.hasPrefix("Hello, world.\n\nforty-two point five\n\n"))
        let written = try home.run(["transcribe", file, "-o", home.file("a.json")] + Self.scripted)
        let isSaved = written.errors.contains("the text up to that point was saved")
        #expect(written.code == 66 && isSaved, "\(written.errors)")
        #expect(try JSONSerialization.jsonObject(with: home.data("a.json")) is [String: Any])
        #expect(try journals().isEmpty)
    }

    @Test("Recognizers are not listed as speech engines but have their own list")
    func lists() throws {
        let engines = try home.run("engines", "list")
        #expect(engines.code == 0 && !engines.text.contains("scripted"), "\(engines.text)")
        let doctor = try home.run("doctor").text
        #expect(doctor.split(separator: "\n").filter { $0.contains("scripted.so") }.count == 1, "\(doctor)")
        #expect(doctor.contains("recognizer") && doctor.contains("microphone"), "\(doctor)")
        let listed = try home.run("recognizers")
        #expect(listed.code == 0)
        #expect(listed.lines.first == "scripted  Scripted 0.1.0, Apache-2.0", "\(listed.text)")
        #expect(listed.lines.contains { $0.contains("built in") })
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(try home.run("recognizers", "--json").output))
                as? [[String: Any]])
        #expect(json.map { $0["recognizer"] as? String } == ["scripted"] && json[0]["state"] as? String == "built in")
        try home.write("rubbish", to: "data/synthhost/plugins/broken.so")
        #expect(try home.run("recognizers").lines.contains { $0.hasPrefix("! ") && $0.contains("broken.so") })
        #expect(try home.run("config", "set", "recognizer", "scripted").code == 0)
        let file = try write("talk.wav", Self.twice)
        #expect(try home.run("transcribe", file).text == "Hello, world. forty-two point five\n")
    }

    @Test("Recognition models are downloaded, stored, used and removed like voices")
    func models() throws {
        let script = Array("From the file.\nAnd again. | 0.5\n".utf8)
        let server = try LoopbackServer.good(["/script.txt": script])
        try home.write(
            """
            {"recognizerModels": [{"id": "own-script", "recognizer": "scripted", "name": "Own script",
              "languages": ["de"], "files": [{"role": "script", "url": "\(server.base)script.txt",
              "size": \(script.count), "sha256": "\(try Checksum.sha256(script))"}]}]}
            """, to: "data/synthhost/models.json")
        let file = try write("talk.wav", Self.twice)
        let use = ["transcribe", file, "-m", "own-script"]
        let missing = try home.run(use)
        #expect(
            missing.code == 69 && missing.errors.contains("Own script (32 bytes) is not downloaded."),
            "\(missing.errors)")
        #expect(missing.errors.contains("To download the model, type: synthhost models pull own-script"))
        // An operation that the recognizer does not support is rejected before the download.
        let translated = try home.run(use + ["--translate", "--yes"])
        #expect(
            translated.code == 64 && translated.errors.contains("The recognizer scripted cannot translate."),
            "\(translated.errors)")
        #expect(
            try home.run("recognizers").lines.contains {
                $0.contains("own-script  Own script, de, 32 bytes to download")
            })
        let pulled = try home.run("models", "pull", "own-script")
        #expect(pulled.code == 0 && pulled.errors.contains("Own script is ready."), "\(pulled.errors)")
        let again = try home.run("models", "pull", "own-script", "--json")
        #expect(again.code == 0 && again.text.contains("own-script") && again.text.contains("ready"), "\(again.text)")
        let spoken = try home.run(use)
        #expect(spoken.code == 0 && spoken.text == "From the file. And again.\n", "\(spoken.errors)")
        let other = try home.run(use + ["-l", "en"])
        #expect(other.code == 64 && other.errors.contains("The model own-script supports German only."))
        #expect(other.errors.contains("`synthhost recognizers` lists other models."), "\(other.errors)")
        // `models prune` keeps the recognition model, although it is not a voice.
        #expect(try home.run("voices").text.contains("own-script") == false)
        #expect(try home.run("models", "prune", "--unknown").code == 0)
        #expect(try home.run(use).text == spoken.text)
        let removed = try home.run("models", "remove", "own-script")
        #expect(
            removed.code == 0 && removed.errors.contains("Removed Own script: 32 bytes was freed."),
            "\(removed.errors)")
        #expect(try home.run(use).code == 69)
        #expect(try home.run(use + ["--yes"]).text == spoken.text)
        #expect(server.requests.count == 2)
    }

    @Test("A user's own model is tested, stored and used")
    func ownModels() throws {
        try home.write("From the file.\nAnd again. | 0.5\n", to: "mine/script.txt")
        try home.write("no model of it", to: "other/notes.md")
        let added = try home.run("models", "add", home.file("mine"), "--engine", "scripted", "--language", "de")
        #expect(added.code == 0, "\(added.errors)")
        #expect(
            added.errors.contains("Mine is ready. To use it, type: synthhost listen --recognizer scripted --model mine")
        )
        let file = try write("talk.wav", Self.twice)
        let use = ["transcribe", file, "-m", "mine"]
        #expect(try home.run(use).text == "From the file. And again.\n")
        #expect(try home.run("recognizers").lines.contains { $0.contains("mine  Mine, de, ready") })
        #expect(try home.run("models", "prune").errors.contains("All files are needed."))
        let other = try home.run("models", "add", home.file("other"), "--engine", "scripted")
        #expect(
            other.code == 66 && other.errors.contains("needs one file for each of these roles: script"),
            "\(other.errors)")
        try home.write("Twice.", to: "mine/second.script")
        let twice = try home.run("models", "add", home.file("mine"), "--engine", "scripted")
        #expect(
            twice.code == 64 && twice.errors.contains("Several of the files could be the script: script.txt, second"),
            "\(twice.errors)")
        // Adding a model with the same ID replaces the previous model.
        let again = try home.run("models", "add", home.file("mine/second.script"), "-e", "scripted", "--id", "mine")
        #expect(again.code == 0, "\(again.errors)")
        #expect(try home.run(use).text == "Twice.\n")
        #expect(try home.run("models", "remove", "mine").code == 0)
        let gone = try home.run(use)
        #expect(gone.code != 0 && gone.errors.contains("mine"), "\(gone.errors)")
        #expect(try home.run("models", "list").text.contains("mine") == false)
    }

    @Test("The languages of a user's own model are determined by querying its recognizer")
    func ownLanguages() throws {
        try home.write(
            """
            {"recognizerModels": [{"id": "known", "recognizer": "deaf", "name": "Known", "languages": ["en", "pl", "pt-BR", "de"],
              "files": [{"role": "weights", "url": "http://127.0.0.1:9/a.weights", "size": 1,
               "sha256": "\(String(repeating: "a", count: 64))"}]}]}
            """, to: "data/synthhost/models.json")
        try home.write("weights", to: "mine/model.weights")
        func languages(_ choices: [String], id: String) throws -> [String] {
            try home.install("deaf", ["TRANSCRIBES", "ROLE=\"weights\""] + choices, as: "deaf")
            let added = try home.run(["models", "add", home.file("mine"), "--engine", "deaf", "--id", id])
            #expect(added.code == 0, "\(added.errors)")
            let list = try JSONSerialization.jsonObject(with: Data(home.run("recognizers", "--json").text.utf8))
            let model = (list as? [[String: Any]])?.first { $0["id"] as? String == id }
            return try #require(model?["languages"] as? [String])
        }
        #expect(try languages(["KNOWS=\"en fr pt-BR de\""], id: "many") == ["en", "pt-BR", "de"])
        // A recognizer that accepts every request reveals nothing about the model.
        #expect(try languages([], id: "any") == [])
    }

    @Test("User models with the same name get different IDs, and a model is found among the files in a folder")
    func namesOfModels() throws {
        try home.write(
            """
            {"recognizerModels": [{"id": "known", "recognizer": "scripted", "name": "Known", "files": [
              {"role": "script", "url": "http://127.0.0.1:9/lines.json", "size": 1,
               "sha256": "\(String(repeating: "a", count: 64))"}]}]}
            """, to: "data/synthhost/models.json")
        for (folder, line) in [("a/tdt-0.6-v3", "Third."), ("b/tdt-0.6-v3", "Other.")] {
            try home.write(line, to: "\(folder)/onnx/lines.json")
            try home.write("{}", to: "\(folder)/lines_config.json")
            try home.write("{}", to: "\(folder)/script.json")
        }
        // No engine is given, because the registry describes the files in enough detail.
        let first = try home.run("models", "add", home.file("a/tdt-0.6-v3"))
        #expect(first.code == 0 && first.errors.contains("--model tdt-0.6-v3"), "\(first.errors)")
        let second = try home.run("models", "add", home.file("b/tdt-0.6-v3/onnx/lines.json"), "--id", "tdt-0.6-v3-b")
        #expect(second.code == 0, "\(second.errors)")
        let third = try home.run("models", "add", home.file("b/tdt-0.6-v3"))
        #expect(third.code == 0 && third.errors.contains("--model tdt-0.6-v3-2"), "\(third.errors)")
        let file = try write("talk.wav", [(1, 1)])
        for (model, line) in [("tdt-0.6-v3", "Third."), ("tdt-0.6-v3-b", "Other."), ("tdt-0.6-v3-2", "Other.")] {
            #expect(try home.run("transcribe", file, "-m", model).text == line + "\n")
        }
        // The given file is used, although a different file has the usual name.
        try home.write("Half.", to: "b/tdt-0.6-v3/onnx/lines_fp16.json")
        let half = try home.run("models", "add", home.file("b/tdt-0.6-v3/onnx/lines_fp16.json"), "--id", "half")
        #expect(half.code == 0, "\(half.errors)")
        #expect(try home.run("transcribe", file, "-m", "half").text == "Half.\n")
        // If the ID were accepted, the voice with this ID would be deleted.
        try home.write("440\n", to: "en_GB-bell.pitch")
        #expect(try home.run("models", "add", home.file("en_GB-bell.pitch"), "--id", "bell").code == 0)
        let taken = try home.run("models", "add", home.file("a/tdt-0.6-v3"), "--id", "bell")
        #expect(
            taken.code == 69 && taken.errors.contains("bell is already the ID of another item"), "\(taken.errors)")
        let voice = try home.run("models", "add", home.file("en_GB-bell.pitch"), "--id", "tdt-0.6-v3")
        #expect(voice.code == 69 && voice.errors.contains("the ID of another item"), "\(voice.errors)")
        // A file whose name happens to match a recognizer's role is still part of a voice.
        try home.install("deaf", ["TRANSCRIBES", "ROLE=\"pitch\""], as: "deaf")
        #expect(
            try home.run("models", "add", home.file("en_GB-bell.pitch"), "--id", "bell").errors.contains("To hear it"))
    }

    @Test("Setup installs a recognition model after one question")
    func setup() throws {
        try home.install("deaf", ["TRANSCRIBES"], as: "deaf")
        // An example recognizer is not suggested.
        let mute = try home.run("setup", "--listen")
        #expect(mute.code == 64 && mute.errors.contains("type: synthhost setup --listen --yes"), "\(mute.errors)")
        let screen = try Screen(columns: 100)
        let process = try home.begin(["setup", "--listen"], on: screen.terminal)
        try screen.wait(for: "Which model should transcribe speech?")
        try screen.wait(for: "1  Use Only")
        screen.terminal.type("2\n")
        #expect(try screen.finish(process).code == 0)
        #expect(screen.text.contains("Nothing was changed."))
        #expect(try home.run("config", "get", "recognizer").text.contains("deaf") == false)
        let done = try home.run("setup", "--listen", "--yes")
        #expect(
            done.code == 0 && done.errors == "Only is now the default model. To use it, type: synthhost listen\n",
            "\(done.errors)")
        #expect(try home.run("config", "get", "recognizer").text == "deaf\n")
        #expect(try home.run("setup", "--listen", "--precision", "fp16").code == 64)
    }

    @Test("Setup lists each model's purpose, size and speed on this machine and recommends one that is fast enough")
    func advice() throws {
        try home.install("deaf", ["TRANSCRIBES", "NO_MODEL", "ROLE=\"weights\""], as: "deaf")
        func model(_ id: String, _ cost: Int, _ suits: String, _ place: Int) -> String {
            """
            {"id": "\(id)", "recognizer": "deaf", "name": "\(id.capitalized)", "languages": ["en"], "cost": \(cost),
             "suits": "\(suits)", "starter": \(place), "files": [{"role": "weights", "url": "http://127.0.0.1:9/\(id)",
             "size": \(cost)000000, "sha256": "\(String(repeating: "a", count: 64))"}]}
            """
        }
        let models = [model("careful", 40, "for recordings", 1), model("quick", 4, "for notes", 2)]
        try home.write("{\"recognizerModels\": [\(models.joined(separator: ", "))]}", to: "data/synthhost/models.json")
        for (pace, lines) in [
            (
                "10",
                [
                    "Download Careful, for recordings: 40.0 MB, about 4 minutes for a minute of speech",
                    "Download Quick, for notes: 4.0 MB, about 24 s for a minute of speech (recommended)",
                ]
            ),
            (
                "60",
                [
                    "Download Careful, for recordings: 40.0 MB, about 40 s for a minute of speech (recommended)",
                    "Download Quick, for notes: 4.0 MB, about 4 s for a minute of speech",
                ]
            ),
            (
                "3",
                [
                    "Download Careful, for recordings: 40.0 MB, about 13 minutes for a minute of speech",
                    "Download Quick, for notes: 4.0 MB, about 80 s for a minute of speech (recommended)",
                ]
            ),
        ] {
            let screen = try Screen(columns: 120)
            let process = try home.begin(
                ["setup", "--listen"], on: screen.terminal, adding: ["SYNTHHOST_PACE": pace])
            for (place, line) in lines.enumerated() { try screen.wait(for: "\(place + 1)  \(line)") }
            try screen.wait(for: "Skip: change nothing")
            screen.terminal.type("3\n")
            #expect(try screen.finish(process).code == 0)
        }
    }

    @Test("If the recognizer rejects a user's own model, the model is not kept")
    func refusedModel() throws {
        try home.install("deaf", ["CRASH", "TRANSCRIBES", "ROLE=\"script\""], as: "deaf")
        try home.write("x", to: "mine/script.txt")
        let added = try home.run("models", "add", home.file("mine"), "--engine", "deaf")
        #expect(added.code == 70 && added.errors.contains("Mine was not added."), "\(added.errors)")
        #expect(try home.run("recognizers").text.contains("mine") == false)
    }

    @Test("A crash of the recognizer is reported, and nothing hangs")
    func crash() throws {
        try home.install("deaf", ["CRASH", "TRANSCRIBES"], as: "deaf")
        let file = try write("talk.wav", Self.twice)
        let result = try home.run("transcribe", file, "--recognizer", "deaf", "-o", home.file("a.txt"))
        #expect(result.code == 70, "\(result.errors)")
        #expect(!home.exists("a.txt"))
        #expect(try journals().isEmpty)
    }
}
