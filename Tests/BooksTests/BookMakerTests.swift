import Foundation
import Synchronization
import SynthAudio
import SynthDocuments

import SynthSystem
import Testing
import TestSupport

@testable import SynthBooks
@testable import SynthSpeech

@Suite("Creating audiobooks", .ownThreads)
struct BookMakerTests {
    /// Produces 40 samples for each byte of the text and fails or stops on request.
    final class Speaker: Sendable {
        struct State {
            var spoken: [String] = []
            var left = Int.max
            var failures: [SpeechError] = []
            var stops = false
        }
        let state = Mutex(State())

        var count: Int { state.withLock { $0.spoken.count } }
        var isStopped: Bool { state.withLock { $0.stops } }

        func speak(
            _ part: BookPart, _ sink: any AudioSink, _ timings: String?, _ progress: (SpeechProgress) -> Void
        ) throws(SpeechError) -> SpeechSummary {
            let text = part.text
            let failure: SpeechError? = state.withLock { state in
                if state.left == 0 {
                    state.stops = true
                    return nil
                }
                state.left -= 1
                if let failure = state.failures.popLast() { return failure }
                state.spoken.append(text)
                return nil
            }
            let format = AudioFormat(sampleRate: 16_000, channels: 1)
            let samples = text.utf8.flatMap { byte in
                (0..<40).map { Float(sin(Double($0) * Double(byte) / 97)) * 0.3 }
            }
            do {
                try sink.begin(format)
                // If a part fails or is stopped, only half of its samples are written.
                let isWhole = failure == nil && !isStopped
                try sink.write(samples[..<(isWhole ? samples.count : samples.count / 2)])
                progress(.reached(textBytes: text.utf8.count, frames: samples.count))
                try isWhole ? sink.finish() : sink.finishEarly()
            } catch {
                throw SpeechError(error)
            }
            if let failure { throw failure }
            return SpeechSummary(format: format, frames: samples.count, wasCancelled: isStopped)
        }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A book with three chapters, each in two parts.
    private func plan(
        _ output: String, chapters count: Int = 3, last: String = "end", format: SoundFileFormat = .wav,
        form: BookTarget.Form = .folder, rate: String = "1", source: String = "A Book",
        identity: BookIdentity? = nil
    ) -> BookPlan {
        let chapters = (1...count).map { number in
            Document.Chapter(
                title: "Part \(number)",
                blocks: [
                    BookPartTests.paragraph(260, "a\(number)"),
                    BookPartTests.paragraph(20, number == count ? last : "b\(number)"),
                ])
        }
        return BookPlan(
            identity: identity ?? BookIdentity(title: source, authors: ["Ann", "Bob"]), title: "A Book",
            authors: identity?.authors ?? ["Ann", "Bob"], chapterCount: count,
            chapters: zip(1..., chapters).map { BookChapter($1, number: $0) },
            voice: BookVoice(engine: "e", engineVersion: "1", voice: "v", settings: ["rate": rate]),
            target: BookTarget(path: folder.file(output), form: form, format: format, quality: 5, loudness: .usual))
    }

    @discardableResult
    private func make(_ plan: BookPlan, _ speaker: Speaker = Speaker()) throws -> BookOutcome {
        try BookMaker(plan, isCancelled: { speaker.isStopped }).make(speaker.speak) { _ in }
    }

    private func sounds(_ output: String) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file(output)).filter { $0.first != "." }
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try folder.data("\(output)/\($0)")) })
    }

    @Test("A finished book consists of one file per chapter and a playlist, with no leftover parts")
    func whole() throws {
        let outcome = try make(plan("out"))
        #expect(outcome.files.map(\.chapter) == [1, 2, 3] && !outcome.wasCancelled)
        #expect(
            try sounds("out").keys.sorted() == ["01 Part 1.wav", "02 Part 2.wav", "03 Part 3.wav", "playlist.m3u8"])
        let work = try FileManager.default.contentsOfDirectory(atPath: folder.file("out/.synthhost-book"))
        #expect(work.sorted() == ["book.json", "book.lock", "file-1-wav.json", "file-2-wav.json", "file-3-wav.json"])
        let wav = try ParsedWAV(try folder.data("out/01 Part 1.wav"))
        // A chapter in two parts, with silence between paragraphs.
        let texts = BookPart.parts(of: Document.Chapter(blocks: [BookPartTests.paragraph(260, "a1")]), number: 1)
        #expect(wav.samples.count > texts[0].text.utf8.count * 40 + 9_000)
    }

    @Test("A second run speaks only the chapters that have changed")
    func again() throws {
        try make(plan("out"))
        let before = try sounds("out")
        let idle = Speaker()
        let kept = try make(plan("out"), idle)
        #expect(idle.count == 0 && kept.files.allSatisfy(\.isKept))
        let changed = Speaker()
        try make(plan("out", last: "other"), changed)
        #expect(changed.count == 2)
        let after = try sounds("out")
        #expect(after["01 Part 1.wav"] == before["01 Part 1.wav"] && after["03 Part 3.wav"] != before["03 Part 3.wav"])
        let faster = Speaker()
        try make(plan("out", rate: "2"), faster)
        #expect(faster.count == 6)
    }

    @Test("Parts that an earlier run left behind are removed", arguments: [BookTarget.Form.folder, .file])
    func leftParts(form: BookTarget.Form) throws {
        let plan = plan(form == .file ? "out.wav" : "out", form: form)
        try make(plan)
        for part in ["part-1-1.pcm", "part-2-1.json", "part-2-1.times.json"] {
            try Data([1]).write(to: URL(filePath: plan.target.workFolder + "/" + part))
        }
        #expect(try make(plan).files.allSatisfy(\.isKept))
        let names = try FileManager.default.contentsOfDirectory(atPath: plan.target.workFolder)
        #expect(!names.contains { $0.hasPrefix("part-") })
    }

    @Test("An interrupted book resumes, and the result matches that of an uninterrupted run", arguments: 0..<6)
    func stopped(after count: Int) throws {
        try make(plan("whole"))
        let first = Speaker()
        first.state.withLock { $0.left = count }
        #expect(try make(plan("out"), first).wasCancelled)
        let second = Speaker()
        try make(plan("out"), second)
        #expect(first.count + second.count == 6)
        #expect(try sounds("out") == sounds("whole"))
    }

    @Test("A part that crashes the engine is retried a few times")
    func crashes() throws {
        try make(plan("whole"))
        let crash = SpeechError(AudioError.formatUnusable(AudioFormat(sampleRate: 0, channels: 0)))
        let twice = Speaker()
        twice.state.withLock { $0.failures = [crash, crash] }
        try make(plan("out"), twice)
        #expect(try sounds("out") == sounds("whole"))
        let always = Speaker()
        always.state.withLock { $0.failures = Array(repeating: crash, count: 3) }
        #expect(throws: BookFailure.self) { try make(plan("none"), always) }
        #expect(try sounds("none").isEmpty)
        try make(plan("none"))
        #expect(try sounds("none") == sounds("whole"))
    }

    @Test("Joining shards produces the same files as a single process")
    func shared() throws {
        try make(plan("whole"))
        for number in [3, 1] {
            let speaker = Speaker()
            let shard = try #require(BookShard(number: number, count: 3))
            _ = try BookMaker(plan("out")) { false }.make(shard, speaker.speak) { _ in }
            #expect(speaker.count == 2)
        }
        #expect(throws: BookFailure.self) { try BookMaker(plan("out")) { false }.make(nil) { _ in } }
        #expect(try sounds("out").isEmpty)
        _ = try BookMaker(plan("out")) { false }
            .make(try #require(BookShard(number: 2, count: 3)), Speaker().speak) { _ in }
        let outcome = try BookMaker(plan("out")) { false }.make(nil) { _ in }
        #expect(outcome.files.count == 3)
        #expect(try sounds("out") == sounds("whole"))
    }

    @Test("Files that are not part of the book, and other processes' books, are left unchanged")
    func foreign() throws {
        try folder.write(Array("mine".utf8), to: "out/02 Part 2.wav")
        #expect(throws: BookFailure.self) { try make(plan("out")) }
        #expect(try folder.data("out/02 Part 2.wav") == Data("mine".utf8))
        try make(plan("own"))
        #expect(throws: BookFailure.self) { try make(plan("own", last: "else", source: "Another Book")) }
        let other = plan("other")
        let work = try BookWorkFolder(path: other.target.workFolder)
        let lock = try work.lock("book")
        #expect(throws: BookFailure.self) { try make(other) }
        withExtendedLifetime(lock) {}
    }

    @Test("A book does not replace the files of another book with the same title")
    func sameTitle() throws {
        let first = BookIdentity(title: "Poems", authors: ["Ann Lee"], identifiers: ["urn:isbn:978-0-00-000000-1"])
        try make(plan("out", identity: first))
        let before = try sounds("out")
        let record = try folder.data("out/.synthhost-book/book.json")
        for other in [
            BookIdentity(title: "Poems", authors: ["Bob May"], identifiers: ["urn:isbn:978-0-00-000000-2"]),
            BookIdentity(title: "Poems", authors: ["Bob May"]), BookIdentity(title: "Poems", file: "poems.html"),
            BookIdentity(title: "Poems", authors: ["Ann Lee"], identifiers: ["9780000000002"]),
        ] {
            let speaker = Speaker()
            let failure = #expect(throws: BookFailure.self) {
                try make(plan("out", last: "else", identity: other), speaker)
            }
            guard case .otherBook(folder.file("out"), "Poems", ["Ann Lee"], false) = failure else {
                Issue.record("\(failure as Any)")
                continue
            }
            #expect(speaker.count == 0)
        }
        #expect(try sounds("out") == before && folder.data("out/.synthhost-book/book.json") == record)

        // A new edition of the book uses the same folder even if its title differs.
        let edition = BookIdentity(title: "Collected Poems", authors: ["Ann Lee"], identifiers: ["ISBN 9780000000001"])
        let speaker = Speaker()
        try make(plan("out", last: "more", identity: edition), speaker)
        #expect(speaker.count == 2)
    }

    @Test("A folder's record keeps identifiers and authors that are missing from a later edition")
    func poorerRecord() throws {
        func poems(_ authors: [String] = ["Ann Lee"], _ identifiers: String...) -> BookPlan {
            plan("out", identity: BookIdentity(title: "Poems", authors: authors, identifiers: identifiers))
        }
        try make(poems(["Ann Lee"], "9780000000001"))
        try make(poems())
        try make(poems([], "urn:isbn:978-0-00-000000-1"))
        try make(poems(["Ann Lee"], "urn:uuid:0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"))
        let record = try folder.data("out/.synthhost-book/book.json")
        for other in [poems(["Ann Lee"], "9780000000002"), poems(["Bob May"]), poems([])] {
            #expect(throws: BookFailure.self) { try make(other) }
        }
        let text = String(decoding: record, as: UTF8.self)
        #expect(text.contains("9780000000001") && text.contains("0f1e2d3c") && text.contains("Ann Lee"), "\(text)")
        #expect(!text.contains("978-0-00"), "\(text)")
        #expect(try folder.data("out/.synthhost-book/book.json") == record)
    }

    @Test("A folder from an earlier version that recorded only the title is reused unless the authors differ")
    func earlierRecord() throws {
        try make(plan("out"))
        let record = "out/.synthhost-book/book.json"
        try folder.write(Array("\"A Book\"\n".utf8), to: record)
        let others = BookIdentity(title: "A Book", authors: ["Eve"])
        let failure = #expect(throws: BookFailure.self) { try make(plan("out", identity: others)) }
        guard case .otherBook(folder.file("out"), "A Book", ["Ann, Bob"], true) = failure else {
            Issue.record("\(failure as Any)")
            return
        }
        #expect(try folder.data(record) == Data("\"A Book\"\n".utf8))
        // The same authors, spelled differently.
        let same = BookIdentity(title: "A Book", authors: ["BOB", "Ann"])
        #expect(try make(plan("out", identity: same)).files.count == 3)
        try folder.write(Array("\"A Book\"\n".utf8), to: record)
        try make(plan("out"))
        try folder.write(Array("\"A Book\"\n".utf8), to: record)
        let speaker = Speaker()
        let outcome = try make(plan("out"), speaker)
        #expect(speaker.count == 0 && outcome.files.allSatisfy(\.isKept))
        // The record now contains everything that identifies the book.
        #expect(String(decoding: try folder.data(record), as: UTF8.self).contains("Bob"))
    }

    @Test("A part whose audio does not match its record is spoken again, and invalid records are ignored")
    func damaged() throws {
        try make(plan("whole"))
        let first = Speaker()
        first.state.withLock { $0.left = 2 }
        try make(plan("out"), first)
        let work = try BookWorkFolder(path: folder.file("out/.synthhost-book"))
        // One part's audio and several records are damaged. The first chapter is intact.
        try folder.write([1, 2, 3], to: "out/.synthhost-book/part-2-1.pcm")
        for (name, text) in [
            ("part-2-1", #"{"channels":2,"frames":5000000000000000000,"sampleRate":0,"text":"","voice":{}}"#),
            ("file-3-wav", #"{"name":"../../thesis.wav","recipe":{},"seconds":1e300}"#), ("part-3-1", "null"),
        ] { try folder.write(Array(text.utf8), to: "out/.synthhost-book/\(name).json") }
        #expect(work.record(ofFile: 3, .wav) == nil)
        try make(plan("out"))
        #expect(try sounds("out") == sounds("whole"))
    }

    @Test("A book started by an earlier version of the program is spoken again, and the user is notified")
    func earlierForm() throws {
        let first = Speaker()
        first.state.withLock { $0.left = 3 }
        try make(plan("out"), first)
        func restarts() throws -> Bool {
            let isRestarted = Mutex(false)
            _ = try BookMaker(plan("out"), isCancelled: { true }).make(first.speak) { progress in
                if progress == .restarted { isRestarted.withLock { $0 = true } }
            }
            return isRestarted.withLock { $0 }
        }
        #expect(try !restarts())
        let name = "out/.synthhost-book/part-2-1.json"
        let record = String(decoding: try folder.data(name), as: UTF8.self)
        let marked = "\"text\":\"2\\u0000"
        #expect(record.contains(marked), "\(record.prefix(200))")
        try folder.write(Array(record.replacing(marked, with: "\"text\":\"").utf8), to: name)
        #expect(try restarts())
    }

    @Test("If the parts of a chapter have different audio formats, the format of the longer part is used")
    func formats() throws {
        let one = plan("out", chapters: 1)
        let speaker = Speaker()
        let outcome = try BookMaker(one, isCancelled: { false }).make(
            { (part, sink, timings, progress) throws(SpeechError) in
                guard part.text.hasPrefix("end") else { return try speaker.speak(part, sink, timings, progress) }
                let format = AudioFormat(sampleRate: 8000, channels: 2)
                let samples = (0..<16_000).map { Float(sin(Double($0 / 2) / 7)) * 0.3 }
                do throws(AudioError) {
                    try sink.begin(format)
                    try sink.write(samples[...])
                    try sink.finish()
                } catch { throw SpeechError(error) }
                return SpeechSummary(format: format, frames: 8000, wasCancelled: false)
            }, { _ in })
        let wav = try ParsedWAV(try folder.data("out/01 Part 1.wav"))
        #expect(wav.sampleRate == 16_000 && outcome.files.count == 1)
        let spoken = one.chapters[0].parts[0].text.utf8.count * 40
        #expect(abs(wav.samples.count - spoken - 9_600 - 16_000) < 200, "\(wav.samples.count - spoken)")
    }

    @Test("Files in other formats, and other programs' playlists, are kept")
    func beside() throws {
        try make(plan("out", format: .flac))
        try make(plan("out"))
        let names = try sounds("out").keys
        #expect(names.contains("01 Part 1.flac") && names.contains("01 Part 1.wav"))
        try folder.write(Array("#EXTM3U\nmine.wav\n".utf8), to: "other/playlist.m3u8")
        try make(plan("other"))
        #expect(try folder.data("other/playlist.m3u8") == Data("#EXTM3U\nmine.wav\n".utf8))
    }

    @Test("The playlist lists all chapters, even if only some are spoken again")
    func playlist() throws {
        try make(plan("out"))
        var some = plan("out", last: "other")
        some.chapters = [some.chapters[2]]
        try make(some)
        let lines = String(decoding: try folder.data("out/playlist.m3u8"), as: UTF8.self).split(separator: "\n")
        #expect(lines.count { $0.hasSuffix(".wav") } == 3 && lines.contains("#PLAYLIST:A Book"))
        #expect(lines.contains { $0.hasPrefix("#EXTINF:") && $0.hasSuffix(",Part 3") })
    }

    @Test("A single-file book has chapter marks", arguments: [SoundFileFormat.opus, .mp3, .flac, .ogg])
    func oneFile(format: SoundFileFormat) throws {
        let name = "book.\(format.rawValue)"
        let outcome = try make(plan(name, format: format, form: .file))
        let file = try #require(outcome.files.first)
        #expect(outcome.files.count == 1 && file.chapter == nil)
        let probed = try ChildProcess.run(
            "/usr/bin/env", ["ffprobe", "-v", "error", "-show_chapters", "-of", "csv", folder.file(name)])
        let chapters = String(decoding: probed.output, as: UTF8.self).split(separator: "\n").map {
            $0.split(separator: ",")
        }
        #expect(chapters.map(\.last) == ["Part 1", "Part 2", "Part 3"])
        #expect(Double(chapters.last?[7 - 1] ?? "") ?? 0 > 0)
        let sound = try DecodedSound(path: folder.file(name))
        #expect(abs(sound.seconds - file.seconds) < 0.1)
        let tags = try sound.label().tags
        #expect(tags["title"] == "A Book" && tags["artist"] == "Ann, Bob")
        #expect(try make(plan(name, format: format, form: .file)).files.first?.isKept == true)
    }

    @Test("A book has the requested loudness")
    func loudness() throws {
        try make(plan("out"))
        let wav = try ParsedWAV(try folder.data("out/01 Part 1.wav"))
        let meter = try LoudnessMeter(format: AudioFormat(sampleRate: 16_000, channels: 1))
        try meter.add(wav.samples.map { Float($0) / 32_768 })
        #expect(abs((meter.loudness?.integrated ?? 0) + 19) < 0.5)
    }

    @Test("Reported progress never decreases")
    func progress() throws {
        let told = Mutex<[BookShare]>([])
        let speaker = Speaker()
        _ = try BookMaker(plan("out")) { false }.make(speaker.speak) { progress in
            if case .spoken(let share) = progress { told.withLock { $0.append(share) } }
        }
        let shares = told.withLock { $0 }
        let words = shares.map(\.words)
        #expect(words == words.sorted() && words.last == Double(shares[0].total) && shares.count >= 12)
        #expect(shares.map(\.chapter) == shares.map(\.chapter).sorted() && shares.last?.chapter == 3)
        #expect(shares.allSatisfy { $0.chapterCount == 3 } && shares.last?.ofChapter == 1)
        for chapter in 1...3 {
            let own = shares.filter { $0.chapter == chapter }.map(\.ofChapter)
            #expect(own == own.sorted() && own.last == 1)
        }
        #expect((shares.last?.seconds ?? 0) > 1 && shares[0].seconds == 0)
    }
}
