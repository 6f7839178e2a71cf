import Foundation
import Synchronization
import SynthAudio
import SynthSystem
import Testing
import TestSupport

@testable import SynthBooks
@testable import SynthSpeech

@Suite("Batches", .ownThreads)
struct BatchTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Produces 40 samples for each byte of the text, and no audio for the text "-".
    private final class Speaker: Sendable {
        struct State {
            var spoken: [String] = []
            var left = Int.max
            var failures: [SpeechError] = []
        }
        let state = Mutex(State())

        var ids: [String] { state.withLock { $0.spoken } }
        var isStopped: Bool { state.withLock { $0.left <= 0 } }

        func speak(_ item: BatchItem, _ sink: any AudioSink) throws(SpeechError) -> SpeechSummary {
            let failure: SpeechError? = state.withLock { state in
                state.left -= 1
                if let failure = state.failures.popLast() { return failure }
                state.spoken.append(item.id)
                return nil
            }
            if item.text == "-" { return SpeechSummary(format: nil, frames: 0, wasCancelled: false) }
            let format = AudioFormat(sampleRate: 8000, channels: 1)
            let samples = item.text.utf8.flatMap { [Float](repeating: Float($0) / 256, count: 40) }
            do {
                try sink.begin(format)
                try sink.write(samples[...])
                try failure == nil && !isStopped ? sink.finish() : sink.finishEarly()
            } catch {
                throw SpeechError(error)
            }
            if let failure { throw failure }
            return SpeechSummary(format: format, frames: samples.count, wasCancelled: isStopped)
        }
    }

    private static func items(_ texts: [String]) throws -> [BatchItem] {
        let lines = texts.enumerated().map { "{\"id\": \"t\($0.offset + 1)\", \"text\": \"\($0.element)\"}" }
        return try BatchList.items(Array(lines.joined(separator: "\n").utf8))
    }

    @discardableResult
    private func make(
        _ texts: [String], _ speaker: Speaker = Speaker(), output: String = "out", rate: String = "1",
        name: String = "list",
        shard: BookShard? = nil, joins: Bool = false
    ) throws -> [BatchMaker.FinishedItem] {
        let maker = try BatchMaker(
            try Self.items(texts), named: name,
            BatchMaker.Target(folder: folder.file(output), format: .wav, quality: 5, shard: shard),
            sparing: FilesInUse(), isCancelled: { speaker.isStopped })
        var made: [BatchMaker.FinishedItem] = []
        let speak: BatchMaker.Speak = { (item, sink) throws(SpeechError) in try speaker.speak(item, sink) }
        try maker.make(
            maker.own,
            voice: { _ in BookVoice(engine: "e", engineVersion: "1", voice: "v", settings: ["rate": rate]) },
            joins ? nil : speak
        ) { made.append($0) }
        if !speaker.isStopped { _ = try maker.writeManifest() }
        return made
    }

    private func sounds(_ output: String) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file(output)).filter { $0.first != "." }
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try folder.data("\(output)/\($0)")) })
    }

    @Test("A batch writes one audio file per text and a manifest that lists the durations")
    func whole() throws {
        let made = try make(["abc", "-", #"Say \"x\""#])
        #expect(made.map { $0.file != nil } == [true, false, true])
        #expect(try sounds("out").keys.sorted() == ["manifest.jsonl", "t1.wav", "t3.wav"])
        #expect(
            String(decoding: try folder.data("out/manifest.jsonl"), as: UTF8.self) == #"""
                {"id":"t1","file":"t1.wav","seconds":0.015,"text":"abc"}
                {"id":"t2","seconds":0,"text":"-"}
                {"id":"t3","file":"t3.wav","seconds":0.035,"text":"Say \"x\""}

                """#)
    }

    @Test("A second run speaks only the texts that have changed")
    func again() throws {
        try make(["abc", "-", "def"])
        let idle = Speaker()
        #expect(try make(["abc", "-", "def"], idle).allSatisfy(\.isKept) && idle.ids.isEmpty)
        let changed = Speaker()
        try make(["abc", "-", "other", "new"], changed)
        #expect(changed.ids == ["t3", "t4"])
        let faster = Speaker()
        try make(["abc"], faster, rate: "2")
        #expect(faster.ids == ["t1"])
        // One file is missing, and another text is now empty.
        try FileManager.default.removeItem(atPath: folder.file("out/t4.wav"))
        let gone = Speaker()
        try make(["abc", "-", "-", "new"], gone, rate: "2")
        #expect(gone.ids == ["t2", "t3", "t4"])
        #expect(!FileManager.default.fileExists(atPath: folder.file("out/t3.wav")))
    }

    @Test("A stopped batch resumes where it left off and leaves no partial file", arguments: 1...4)
    func stopped(after count: Int) throws {
        let texts = ["one", "two", "three", "four"]
        try make(texts, output: "whole")
        let first = Speaker()
        first.state.withLock { $0.left = count }
        let made = try make(texts, first)
        #expect(try sounds("out").keys.sorted() == made.map { "\($0.item.id).wav" })
        #expect(made.count == count - 1)
        // Simulates a process that was killed while writing a line.
        let journal = folder.file("out/.synthhost-batch/done-all.jsonl")
        try (Data(contentsOf: URL(filePath: journal)) + Data("{\"id\":\"t".utf8)).write(to: URL(filePath: journal))
        let second = Speaker()
        try make(texts, second)
        #expect(second.ids == texts.indices.dropFirst(count - 1).map { "t\($0 + 1)" })
        #expect(try sounds("out") == sounds("whole"))
    }

    @Test("Several processes can share a batch, and --join writes the manifest once all have finished")
    func shards() throws {
        let texts = ["one", "two", "three", "four", "five"]
        try make(texts, output: "whole")
        #expect(try make(texts, shard: BookShard(number: 2, count: 2)).map(\.item.id) == ["t2", "t4"])
        #expect(throws: BookFailure.self) { try make(texts, joins: true) }
        #expect(!FileManager.default.fileExists(atPath: folder.file("out/manifest.jsonl")))
        try make(texts, shard: BookShard(number: 1, count: 2))
        try make(texts, joins: true)
        #expect(try sounds("out") == sounds("whole"))
    }

    @Test("A text that crashes the engine is retried a few times before an error with its line number is reported")
    func crashes() throws {
        let crash = SpeechError(AudioError.formatUnusable(AudioFormat(sampleRate: 0, channels: 0)))
        let twice = Speaker()
        twice.state.withLock { $0.failures = [crash, crash] }
        #expect(try make(["one", "two"], twice).count == 2)
        let always = Speaker()
        always.state.withLock { $0.failures = [crash, crash, crash, crash] }
        do {
            try make(["one", "other"], always)
            Issue.record("The batch should have failed.")
        } catch BookFailure.text(let line, _) {
            #expect(line == 2)
        }
    }

    @Test("The latest record determines which texts are spoken again, regardless of which process wrote it")
    func order() throws {
        try make(["old"])
        try make(["new"], shard: BookShard(number: 1, count: 2))
        let join = Speaker()
        try make(["new"], join, joins: true)
        #expect(join.ids.isEmpty)
        let back = Speaker()
        try make(["old"], back)
        #expect(back.ids == ["t1"])
        // An empty file, as left behind by a power failure.
        let path = folder.file("out/t1.wav")
        try Data().write(to: URL(filePath: path))
        let cut = Speaker()
        try make(["old"], cut)
        #expect(cut.ids == ["t1"])
        // A file changed by the user is not replaced.
        try folder.write(Array("mine".utf8), to: "out/t1.wav")
        #expect(throws: BookFailure.self) { try make(["new"]) }
        #expect(try folder.data("out/t1.wav") == Data("mine".utf8))
    }

    @Test("If the disk is full, no partial file is left behind, and the existing file is unchanged")
    func fullDisk() throws {
        let failing = Speaker()
        failing.state.withLock {
            $0.failures = [SpeechError(AudioError.outputNotWritten(name: .file("x"), code: ENOSPC))]
        }
        #expect(throws: BookFailure.self) { try make(["one"], failing) }
        #expect(try sounds("out").isEmpty)
        try make(["one"])
        let before = try sounds("out")
        let again = Speaker()
        again.state.withLock {
            $0.failures = [SpeechError(AudioError.outputNotWritten(name: .file("x"), code: ENOSPC))]
        }
        #expect(throws: BookFailure.self) { try make(["two"], again) }
        #expect(try sounds("out") == before)
    }

    @Test("A batch needs its own folder and does not replace another program's manifest")
    func folders() throws {
        try make(["one"])
        #expect(throws: BookFailure.self) { try make(["one"], name: "other") }
        try folder.write(Array("mine".utf8), to: "own/manifest.jsonl")
        let speaker = Speaker()
        #expect(throws: BookFailure.self) { try make(["one"], speaker, output: "own") }
        #expect(speaker.ids.isEmpty)
        #expect(try folder.data("own/manifest.jsonl") == Data("mine".utf8))
    }

    @Test("A batch does not replace files that it did not write")
    func foreign() throws {
        try folder.write(Array("mine".utf8), to: "out/t2.wav")
        let speaker = Speaker()
        #expect(throws: BookFailure.self) { try make(["one", "two"], speaker) }
        #expect(speaker.ids.isEmpty)
        #expect(try folder.data("out/t2.wav") == Data("mine".utf8))
    }

    @Test(
        "The error for an invalid list includes the line number and the reason",
        arguments: [
            (
                "{\"id\": \"a\", \"text\": \"x\"}\n\n{\"id\": \"A\", \"text\": \"y\"}", 3,
                "the ID \"A\" differs only in case from \"a\" on line 1"
            ),
            ("[]", 1, "it is a list, not an object"), ("{\"id\": \"a\"}", 1, "it needs an \"id\" and a \"text\""),
            ("{\"id\": \"../a\", \"text\": \"x\"}", 1, "an ID may contain only letters, digits, -, _ and ."),
            ("{\"id\": \".a\", \"text\": \"x\"}", 1, "must not begin with \".\""),
            ("{\"id\": \"-rf\", \"text\": \"x\"}", 1, "must not begin with \"-\""),
            ("{\"id\": \"con\", \"text\": \"x\"}", 1, "must not be \"CON\""),
            ("{\"id\": \"lpt1.txt\", \"text\": \"x\"}", 1, "must not be \"LPT1\""),
            ("{\"id\": \"a.\", \"text\": \"x\"}", 1, "must not end with \".\""),
            ("{\"id\": \"a \", \"text\": \"x\"}", 1, "an ID may contain only"),
            ("{\"id\": \"\", \"text\": \"x\"}", 1, "must not be empty"),
            ("{\"id\": \"a\", \"text\": \"x\", \"speed\": 2}", 1, "the key \"speed\" is unknown"),
            ("{\"id\": \"a\", \"text\": \"x\", \"rate\": \"2\"}", 1, "rate must not be a string"),
            ("{\"id\": 7, \"text\": \"x\"}", 1, "id must not be the number 7"), ("{\"id\": \"a\"", 1, "(column "),
        ])
    func wrong(list: String, line: Int, reason: String) throws {
        do {
            _ = try BatchList.items(Array(list.utf8))
            Issue.record("The list should have been rejected.")
        } catch BookFailure.list(let found, let said) {
            #expect(found == line && said.contains(reason), "\(said)")
        }
        #expect(throws: BookFailure.self) { try BatchList.items(Array(" \n\n".utf8)) }
    }

    @Test("A line can set the voice, language, engine, rate and pitch of its text")
    func members() throws {
        let line = """
            {"id": "é-1", "text": "x", "voice": "Heart", "language": "en-GB", "engine": "Kokoro", "rate": 1.5, "pitch": null}
            """
        let item = try #require(try BatchList.items(Array(line.utf8)).first)
        #expect(item.voice == BatchItem.Voice(name: "Heart", language: "en-GB", engine: "kokoro"))
        #expect(item.factors == [.rate: 1.5] && item.id == "é-1" && item.line == 1)
    }
}
