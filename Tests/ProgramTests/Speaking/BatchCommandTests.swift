import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("batch", .ownThreads)
struct BatchCommandTests {
    @Test("Each line is spoken with its own voice and settings, the manifest lists the results, and a rerun resumes")
    func whole() throws {
        let home = try UserHome()
        try home.write(
            """
            {"id": "a", "text": "Hello there, everybody."}
            {"id": "b", "text": "Hello there, everybody.", "rate": 2}
            {"id": "c", "text": "Guten Tag.", "voice": "German"}
            {"id": "d", "text": "Hello.", "engine": "tone"}
            """, to: "list.jsonl")
        let list = home.file("list.jsonl")
        let result = try home.run("batch", list, "-o", home.file("Out"))
        #expect(result.code == 0 && result.errors.contains("4 texts, "), "\(result.errors)")
        #expect(result.errors.contains("/Out/manifest.jsonl describes each file"))
        let (slow, quick) = try (home.wav("Out/a.wav"), home.wav("Out/b.wav"))
        #expect(quick.samples.count * 3 < slow.samples.count * 2)
        let manifest = String(decoding: try home.data("Out/manifest.jsonl"), as: UTF8.self)
        #expect(manifest.split(separator: "\n").count == 4 && manifest.contains(#""file":"c.wav""#))
        let again = try home.run("batch", list, "-o", home.file("Out"), "--json")
        #expect(again.text.split(separator: "\n").count == 4 && !again.text.contains(#""kept":false"#))
        let piped = try home.runProcess(
            "batch", "-", "-o", home.file("Piped"), "--format", "flac", input: Array(try home.data("list.jsonl")))
        #expect(piped.code == 0, "\(piped.errors)")
        #expect(try DecodedSound(path: home.file("Piped/d.flac")).seconds > 0.1)
    }

    @Test("The tasks of an array job produce the same files as a single process")
    func shards() throws {
        let home = try UserHome()
        let lines = (1...6).map { "{\"id\": \"t\($0)\", \"text\": \"Number \($0).\"}" }
        try home.write(lines.joined(separator: "\n"), to: "list.jsonl")
        func batch(_ folder: String, _ options: String...) throws -> ChildResult {
            try home.start(["batch", home.file("list.jsonl"), "-o", home.file(folder), "-e", "tone"] + options).finish()
        }
        #expect(try batch("One").code == 0)
        #expect(try batch("Many", "--shard", "2/2").errors.contains("Shard 2 of 2"))
        let early = try batch("Many", "--join")
        #expect(
            early.code == 75
                && early.errors.contains("3 texts in the list have not been spoken yet; the first is on line 1"))
        #expect(try batch("Many", "--shard", "1/2").code == 0)
        #expect(try batch("Many", "--join").code == 0)
        for name in (1...6).map({ "t\($0).wav" }) + ["manifest.jsonl"] {
            #expect(try home.data("Many/\(name)") == home.data("One/\(name)"))
        }
    }

    @Test("An invalid line is reported before anything is spoken, and a line without speech is reported at the end")
    func mistakes() throws {
        let home = try UserHome()
        func run(_ list: String, _ options: String...) throws -> (code: Int32?, errors: String) {
            try home.write(list, to: "list.jsonl")
            let result = try home.start(["batch", home.file("list.jsonl"), "-o", home.file("Out")] + options).finish()
            return (result.code, result.errors)
        }
        let good = #"{"id": "a", "text": "Hello."}"# + "\n"
        let rate = try run(good + #"{"id": "b", "text": "x", "rate": 9}"#)
        #expect(rate.code == 66 && rate.errors.contains("Line 2 of the list") && rate.errors.contains("from 0.25 to 4"))
        let voice = try run(good + #"{"id": "b", "text": "x", "voice": "Nobody"}"#)
        #expect(voice.code == 69 && voice.errors.contains("Line 2 of the list: "), "\(voice.errors)")
        #expect(!FileManager.default.fileExists(atPath: home.file("Out")))
        let silent = try run(good + #"{"id": "b", "text": "\n"}"#)
        #expect(
            silent.code == 66 && silent.errors.contains("Line 2 of the list contains nothing to speak"),
            "\(silent.errors)")
        #expect(try home.wav("Out/a.wav").samples.count > 1000)
        #expect(try home.run("batch", home.file("list.jsonl")).code == 64)
        let gone = try home.run("batch", home.file("gone.jsonl"), "-o", home.file("Out"))
        #expect(gone.code == 66 && gone.errors.contains("Pass a file that exists"))
        let file = try home.run("batch", home.file("list.jsonl"), "-o", home.file("list.jsonl"))
        #expect(file.code == 73 && file.errors.contains("is not a folder"))
    }
}
