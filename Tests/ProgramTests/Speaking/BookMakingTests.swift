import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Creating audiobooks", .ownThreads)
struct BookMakingTests {
    private static let book = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/Documents/lamp.epub").path

    private static func sounds(_ home: UserHome, _ folder: String) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: home.file(folder)).filter { $0.first != "." }
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try home.data("\(folder)/\($0)")) })
    }

    @Test("Each chapter becomes a file, and a second run has nothing left to do")
    func folder() throws {
        let home = try UserHome()
        let out = home.file("Lamp")
        let result = try home.run("book", Self.book, "-o", out)
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            result.errors.contains("Wrote \(out)/01 The Door.opus: ") && result.errors.contains("\(out) is complete: "))
        #expect(
            try Self.sounds(home, "Lamp").keys.sorted() == ["01 The Door.opus", "02 The Window.opus", "playlist.m3u8"])
        let sound = try DecodedSound(path: out + "/02 The Window.opus")
        let tags = try sound.label().tags
        #expect(tags["title"] == "The Window" && tags["album"] == "The Lamp")
        #expect(tags["artist"] == "Nobody in Particular" && sound.seconds > 1)
        let again = try home.run("book", Self.book, "-o", out)
        #expect(again.code == 0 && again.errors.contains("all from an earlier run") && !again.errors.contains("Wrote"))
        let json = try home.run("book", Self.book, "-o", out, "--chapters", "2", "--json")
        #expect(json.text.contains(#""chapter":2"#) && json.text.contains(#""kept":true"#))
    }

    @Test("An M4B file has chapters, which ffmpeg adds, and subtitles for the entire book")
    func m4b() throws {
        let home = try UserHome()
        let result = try home.run("book", Self.book, "-o", home.file("lamp.m4b"), "--timings", "srt")
        #expect(result.code == 0, "\(result.errors)")
        let probed = try ChildProcess.run(
            "/usr/bin/env",
            ["ffprobe", "-v", "error", "-show_chapters", "-show_format", "-of", "compact", home.file("lamp.m4b")])
        let said = String(decoding: probed.output, as: UTF8.self)
        #expect(said.contains("tag:title=The Door") && said.contains("tag:title=The Window"), "\(said)")
        #expect(said.contains("tag:artist=Nobody in Particular") && said.contains("tag:title=The Lamp"))
        let subtitles = String(decoding: try home.data("lamp.srt"), as: UTF8.self)
        #expect(subtitles.hasPrefix("1\n00:00:00,") && subtitles.contains("A lamp stood here."))
        // The second chapter starts after the first one and the pause.
        let last = subtitles.split(separator: "\n").last { $0.contains(" --> ") }
        #expect((last ?? "") > "00:00:04", "\(subtitles)")
    }

    @Test("An EPUB contains the same text as its source along with timings for its sentences")
    func epub() throws {
        let home = try UserHome()
        let path = home.file("read.epub")
        let result = try home.run("book", Self.book, "-o", path)
        #expect(result.code == 0, "\(result.errors)")
        func listing(_ path: String) throws -> String {
            let text = try home.run("book", path, "--json").text
            return try #require(text.split(separator: "\"chapters\":").last.map(String.init))
        }
        #expect(try listing(path) == listing(Self.book))
        func member(_ name: String) throws -> Data {
            let code = "import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))"
            let read = try ChildProcess.run("/usr/bin/env", ["python3", "-c", code, path, "EPUB/\(name)"])
            #expect(read.code == 0, "\(read.errors)")
            return Data(read.output)
        }
        let page = String(decoding: try member("chapter-2.xhtml"), as: UTF8.self)
        #expect(page.contains("<h1><span id=\"s1\">The Window</span></h1>"), "\(page)")
        let overlay = String(decoding: try member("chapter-2.smil"), as: UTF8.self)
        let clips = overlay.matches(of: /#(s\d+)".*clipBegin="([\d.]+)s" clipEnd="([\d.]+)s"/)
        #expect(clips.count > 1 && clips.allSatisfy { page.contains("<span id=\"\($0.1)\">") })
        #expect(zip(clips, clips.dropFirst()).allSatisfy { $0.3 == $1.2 } && clips.first?.2 == "0.000")
        try home.write(Array(try member("chapter-2.mp3")), to: "chapter-2.mp3")
        let sound = try DecodedSound(path: home.file("chapter-2.mp3"))
        let end = try #require(clips.last.flatMap { Double($0.3) })
        #expect(abs(sound.seconds - end) < 0.15)
        #expect(try sound.label().tags["title"] == "The Window")
        // The first member declares the file type, and nothing precedes it.
        #expect(try home.data("read.epub")[30..<58] == Data("mimetypeapplication/epub+zip".utf8))
        let again = try home.run("book", Self.book, "-o", path)
        #expect(again.errors.contains("from an earlier run"))
        let subtitles = try home.run("book", Self.book, "-o", path, "--timings", "srt")
        #expect(subtitles.code == 64 && subtitles.errors.contains("Omit --timings"))
        let format = try home.run("book", Self.book, "-o", path, "--format", "opus")
        #expect(format.code == 64 && format.errors.contains("MP3"))
    }

    @Test("A cast file is suggested, and the voices in it speak the lines of their speakers")
    func cast() throws {
        let home = try UserHome()
        try home.write("# One\n\n“Good morning to you all,” said Anna. He left.\n", to: "b.md")
        let (book, cast) = (home.file("b.md"), home.file("cast.json"))
        let proposed = try home.run("book", book, "--cast", cast)
        #expect(proposed.code == 0 && proposed.text.contains("Anna"), "\(proposed.errors)")
        #expect(proposed.errors.contains("--voices \(cast)"))
        let again = try home.run("book", book, "--cast", cast)
        #expect(again.code == 73 && again.errors.contains("may contain voices that you chose"))
        func frames(_ name: String, _ options: String...) throws -> Int {
            let result = try home.start(["book", book, "-o", home.file(name), "--loudness", "off"] + options).finish()
            #expect(result.code == 0, "\(result.errors)")
            return try home.wav(name).samples.count
        }
        let alone = try frames("a.wav")
        #expect(try frames("b.wav", "--voices", cast) == alone)
        try home.write(
            String(decoding: try home.data("cast.json"), as: UTF8.self).replacing(
                #""Anna": {"voice": null"#, with: #""Anna": {"voice": "German""#), to: "cast.json")
        #expect(try frames("c.wav", "--voices", cast) != alone)
        #expect(try home.run("book", book, "-o", home.file("c.epub"), "--voices", cast).code == 0)
        try home.write(#"{"speakers": {"Anna": "Nobody"}}"#, to: "wrong.json")
        let wrong = try home.run("book", book, "-o", home.file("d.wav"), "--voices", home.file("wrong.json"))
        #expect(wrong.code == 69 && wrong.errors.contains("In the cast: "), "\(wrong.errors)")
        let damaged = try home.run("book", book, "-o", home.file("d.wav"), "--voices", book)
        #expect(damaged.code == 66 && damaged.errors.contains("of the cast is invalid"), "\(damaged.errors)")
    }

    private static var checker: String? {
        let path = "/usr/bin/epubcheck"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    @Test("epubcheck accepts the EPUB", .enabled(if: checker != nil, "This test needs epubcheck."))
    func checkedEPUB() throws {
        let home = try UserHome()
        try home.write(
            """
            # One & <two>

            It was *late*. "Open it [now]!" A \u{5D0}\u{5D1} word.

            > Quoted.

            * a
                * b

            3. three

            | a | b |
            |---|---|
            | c | d |

            ```
            let x = 1 < 2
            ```

            # שלום

            Only this.
            """, to: "odd.md")
        let path = home.file("odd.epub")
        #expect(try home.run("book", home.file("odd.md"), "-o", path, "--author", "A & B").code == 0)
        let checked = try ChildProcess.run("/usr/bin/env", ["java", "-jar", try #require(Self.checker), path])
        let said = String(decoding: checked.output, as: UTF8.self) + checked.errors
        #expect(checked.code == 0 && said.contains("No errors or warnings detected"), "\(said)")
    }

    @Test("Errors are reported before anything is spoken")
    func mistakes() throws {
        let home = try UserHome()
        let m4b = try home.runProcess("book", Self.book, "-o", home.file("lamp.m4b"), adding: ["PATH": "/none"])
        #expect(m4b.code == 64 && m4b.errors.contains("sudo apt install ffmpeg"), "\(m4b.errors)")
        let m4a = try home.run("book", Self.book, "-o", home.file("lamp.m4a"))
        #expect(m4a.code == 64 && m4a.errors.contains("ffmpeg -i book.opus"))
        try home.write("mine", to: "plain")
        let file = try home.run("book", Self.book, "-o", home.file("plain"))
        #expect(file.code == 73 && file.errors.contains("is a file, not a folder"))
        let differs = try home.run("book", Self.book, "-o", home.file("a.mp3"), "--format", "opus")
        #expect(differs.code == 64)
        let join = try home.run("book", Self.book, "-o", home.file("Lamp"), "--join")
        #expect(join.code == 75 && join.errors.contains("have not been spoken yet"), "\(join.errors)")
        let gap = try home.runProcess(
            "book", Self.book, "-o", home.file("Lamp"),
            adding: ["SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_MIN": "3"])
        #expect(gap.code == 64 && gap.errors.contains("--shard 2/8"), "\(gap.errors)")
        #expect(try home.run("book", Self.book, "-o", "-").code == 64)
        #expect(try home.run("book", Self.book, "--rate", "2").code == 64)
        let shard = try home.run("book", Self.book, "-o", home.file("Lamp"), "--shard", "3/2")
        #expect(shard.code == 64 && shard.errors.contains("a shard such as 2/8"))
        let alone = try home.run("book", Self.book, "--format", "mp3")
        #expect(alone.code == 64 && alone.errors.contains("--output"))
        try home.write("mine", to: "Own/01 The Door.opus")
        let foreign = try home.run("book", Self.book, "-o", home.file("Own"))
        #expect(foreign.code == 73 && foreign.errors.contains("this command did not create it"))
        #expect(try home.data("Own/01 The Door.opus") == Data("mine".utf8))
        let missing = try home.run("book", Self.book, "-o", home.file("no/such/Lamp"))
        #expect(missing.code == 73, "\(missing.errors)")
    }

    @Test(
        "Flags override the configured pauses, and the pause between chapters does not affect other pauses")
    func pauses() throws {
        let home = try UserHome()
        func frames(_ name: String, _ options: String...) throws -> Int {
            let words = ["book", Self.book, "-o", home.file(name), "--loudness", "off", "-e", "tone"] + options
            let result = try home.start(words).finish()
            #expect(result.code == 0, "\(result.errors)")
            return try home.wav(name).samples.count
        }
        let rate = try frames("a.wav") > 0 ? home.wav("a.wav").sampleRate : 0
        let usual = try frames("a.wav")
        #expect(try frames("b.wav", "--pause", "chapter=5") - usual == rate * 7 / 2)
        #expect(try home.run("config", "set", "pauses.chapterSeconds", "0.5").code == 0)
        #expect(try frames("c.wav") - usual == -rate)
        #expect(try frames("d.wav", "--pause", "chapter=5") - usual == rate * 7 / 2)
        #expect(try frames("e.wav", "--pause", "heading=4") - usual > 3 * rate)
        let wrong = try home.run("book", Self.book, "-o", home.file("f.wav"), "--pause", "verse=1")
        #expect(wrong.code == 64 && wrong.errors.contains("sentence, paragraph, heading or chapter"))
    }

    @Test("The tasks of an array job produce the same files as a single process")
    func array() throws {
        let home = try UserHome()
        // eSpeak NG retains some state between texts, so a different engine is used.
        #expect(try home.run("book", Self.book, "-o", home.file("One"), "-e", "tone").code == 0)
        for task in [2, 1] {
            let result = try home.runProcess(
                "book", Self.book, "-o", home.file("Many"), "-e", "tone",
                adding: ["SLURM_ARRAY_TASK_ID": "\(task)", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_MIN": "1"])
            #expect(result.code == 0 && result.errors.contains("Shard \(task) of 2 is complete"), "\(result.errors)")
        }
        #expect(try Self.sounds(home, "Many").isEmpty)
        let joined = try home.run("book", Self.book, "-o", home.file("Many"), "-e", "tone", "--join")
        #expect(joined.code == 0, "\(joined.errors)")
        #expect(try Self.sounds(home, "Many") == Self.sounds(home, "One"))
    }

    /// A text with many chapters, which the Tone engine speaks quickly.
    private func longBook(_ home: UserHome) throws -> String {
        let chapters = (1...12).map { number in
            "CHAPTER \(number)\n\n"
                + Array(repeating: "Some words of chapter \(number) are here.", count: 20).joined(separator: " ")
        }
        try home.write(chapters.joined(separator: "\n\n") + "\n", to: "long.txt")
        return home.file("long.txt")
    }

    @Test("After being killed at any time, `book` resumes and produces the same result")
    func killed() throws {
        let home = try UserHome()
        let book = try longBook(home)
        func arguments(_ folder: String) -> [String] {
            ["book", book, "-o", home.file(folder), "--format", "wav", "-e", "tone"]
        }
        let whole = try home.start(arguments("whole")).finish()
        #expect(whole.code == 0, "\(whole.errors)")
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<LongForm.choose(6, long: 100) {
            let process = try home.start(arguments("out"))
            // Progress is measured in finished parts, not in time.
            let work = home.file("out/.synthhost-book")
            func made() -> Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: work)) ?? []) }
            var (before, changes) = (made(), 0)
            let wanted = Int.random(in: 0...6, using: &generator)
            try process.wait("its parts") { _ in
                let now = made()
                if now != before { (before, changes) = (now, changes + 1) }
                return process.hasEnded || changes >= wanted
            }
            process.signal(SIGKILL)
            guard try process.finish().code == 0 else { continue }
            // The process finished the book before it could be killed, so the next round starts from the beginning.
            #expect(try Self.sounds(home, "out") == Self.sounds(home, "whole"))
            try FileManager.default.removeItem(atPath: home.file("out"))
        }
        let last = try home.start(arguments("out")).finish()
        #expect(last.code == 0, "\(last.errors)")
        #expect(try Self.sounds(home, "out") == Self.sounds(home, "whole"))
    }

    /// A program's engine processes, including those started by its starter.
    private func workers(of program: Int32) -> [Int32] {
        ProcessTable.children(of: program).flatMap { child in
            (ProcessTable.command(of: child).contains("synthhost-worker") ? [child] : []) + workers(of: child)
        }
    }

    @Test("A book is complete even if its engine is killed every few parts")
    func crashes() throws {
        let home = try UserHome()
        let book = try longBook(home)
        func arguments(_ folder: String) -> [String] {
            ["book", book, "-o", home.file(folder), "--format", "wav", "-e", "tone", "--timings", "srt"]
        }
        #expect(try home.start(arguments("whole")).finish().code == 0)
        var (killed, round) = (0, 0)
        // A busy machine may finish the book before the engine is killed.
        while killed == 0 {
            round += 1
            let folder = "out\(round)"
            killed = try kills(try home.start(arguments(folder)), in: home.file("\(folder)/.synthhost-book"))
            #expect(try Self.sounds(home, folder) == Self.sounds(home, "whole"))
        }
    }

    /// Kills a book's engine every few parts and returns the number of kills.
    private func kills(_ process: ChildProcess, in work: String) throws -> Int {
        var (killed, wanted) = (0, 1)
        try process.wait("its end while its engines are being killed", within: .seconds(1200)) { _ in
            let made = ((try? FileManager.default.contentsOfDirectory(atPath: work)) ?? []).count {
                $0.hasSuffix(".json")
            }
            if made >= wanted {
                for worker in workers(of: process.identifier) where kill(worker, SIGKILL) == 0 { killed += 1 }
                wanted = made + 3
            }
            return process.hasEnded
        }
        let result = try process.finish()
        #expect(result.code == 0, "\(result.errors)")
        return killed
    }

    @Test("After Ctrl-C, the message states that finished parts are kept")
    func interrupted() throws {
        let home = try UserHome()
        let book = try longBook(home)
        let process = try home.start(["book", book, "-o", home.file("out"), "--format", "wav", "-e", "tone"])
        let work = home.file("out/.synthhost-book")
        try process.wait("a part") { _ in
            process.hasEnded
                || ((try? FileManager.default.contentsOfDirectory(atPath: work)) ?? []).contains {
                    $0.hasSuffix(".json")
                }
        }
        process.signal(SIGINT)
        let result = try process.finish()
        // The book may already have been complete.
        #expect(result.code == 130 || result.code == 0)
        if result.code == 130 {
            #expect(result.errors.contains("Run the same command again to continue."), "\(result.errors)")
        }
    }
}
