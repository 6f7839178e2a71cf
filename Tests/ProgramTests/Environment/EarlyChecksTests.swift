import CommandSupport
import Foundation
import Testing
import TestSupport

/// Each command would download immediately (`--yes`) but must not, because its input or output is invalid.
@Suite("Checks before a download", .ownThreads)
struct EarlyChecksTests {
    private func fixture() throws -> RegistryFixture {
        let fixture = try RegistryFixture { request, _ in
            request.path == "/script.txt" ? .init(Array("Hello.\n".utf8), to: request) : nil
        }
        let home = fixture.home
        try home.install("Plugins/Scripted/scripted", as: "scripted")
        let known = String(decoding: try home.data("data/synthhost/models.json"), as: UTF8.self)
        let model = """
            "recognizerModels": [{"id": "own-script", "recognizer": "scripted", "name": "Own script", "languages": ["en"],
              "files": [{"role": "script", "url": "\(fixture.server.base)script.txt", "size": 7,
              "sha256": "\(try Checksum.sha256(Array("Hello.\n".utf8)))"}]}],
            """
        try home.write("{\(model)\(known.dropFirst())", to: "data/synthhost/models.json")
        try home.write("Some text.", to: "text.txt")
        try home.write("no sound", to: "noise.wav")
        try home.write("# One\n\nSome text.\n", to: "book.md")
        try home.write(
            """
            {"id": "a", "text": "One", "voice": "Nature"}
            {"id": "b", "text": "Two", "voice": "Nobody"}
            """, to: "list.jsonl")
        try home.write(#"{"speakers": {"Ann": {"voice": "Nobody"}}}"#, to: "cast.json")
        try home.write("word wɜːd\n", to: "words.txt")
        try #require(try home.run("speak", "-e", "tone", "hello", "-o", home.file("talk.wav")).code == 0)
        return fixture
    }

    @Test(
        "Invalid input and output arguments are reported before a download",
        arguments: [
            (["speak", "-v", "Nature", "-f", "~/none.txt", "-o", "~/x.wav"], 66, "none.txt"),
            (["speak", "-v", "Nature", "hi", "-o", "~/none/x.wav"], 73, "none"),
            (["speak", "-v", "Nature", "hi", "-o", "~"], 73, "is a folder"),
            (["speak", "-v", "Nature", "hi", "-o", "~/text.txt/x.wav"], 73, "text.txt"),
            (["speak", "-v", "Nature", "-f", "~/text.txt", "-o", "~/text.txt", "--format", "wav"], 73, "text.txt"),
            (["speak", "-v", "Nature", "hi", "-o", "~/x.wav", "--timings", "~/none/x.srt"], 73, "none"),
            (["speak", "-v", "Nature", "hi", "-o", "~/x.wav", "--lexicon", "~/none.txt"], 66, "none.txt"),
            (["speak", "-v", "Nature", "hi"], 74, "no sound device"),
            (["play", "-v", "Nature", "~/text.txt", "~/none.wav", "-o", "~/x.wav"], 66, "none.wav"),
            (["play", "-v", "Nature", "~/text.txt", "~/noise.wav", "-o", "~/x.wav"], 66, "noise.wav"),
            (["play", "-v", "Nature", "~/text.txt", "-o", "~/none/x.wav"], 73, "none"),
            (["book", "~/none.epub", "-v", "Nature", "-o", "~/out"], 66, "none.epub"),
            (["book", "~/book.md", "-v", "Nature", "-o", "~/text.txt/out"], 73, "text.txt"),
            (["book", "~/book.md", "-v", "Nature", "-o", "~/none/x.wav"], 73, "none"),
            (["book", "~/book.md", "-v", "Nature", "-o", "~/out", "--lexicon", "~/none.txt"], 66, "none.txt"),
            (
                ["book", "~/book.md", "-v", "Nature", "-o", "~/out", "--voices", "~/cast.json"], 69,
                "In the cast: No voice is called"
            ),
            (["batch", "~/list.jsonl", "-o", "~/out"], 69, "Line 2 of the list"),
            (["batch", "~/list.jsonl", "-o", "~/text.txt/out"], 73, "text.txt"),
            (["transcribe", "~/none.wav", "-m", "own-script"], 66, "none.wav"),
            (["transcribe", "~/noise.wav", "-m", "own-script"], 66, "noise.wav"),
            (["transcribe", "~/talk.wav", "-m", "own-script", "-o", "~/none/x.txt"], 73, "none"),
            (["transcribe", "~/talk.wav", "-m", "own-script", "-o", "~/talk.wav/x.txt"], 73, "talk.wav"),
            (["transcribe", "~/talk.wav", "-m", "own-script", "-l", "fr"], 64, "own-script supports English only"),
            (["listen", "-m", "own-script", "-d", "nowhere"], 74, "nowhere"),
            (["listen", "-m", "own-script", "--record", "~/none/x.wav"], 73, "none"),
            (["listen", "-m", "own-script", "--record", "~/x.doc"], 64, "x.doc"),
            (["models", "add", "~/none.onnx"], 66, "none.onnx"),
        ] as [([String], Int32, String)])
    func checked(words: [String], code: Int32, named: String) throws {
        let fixture = try fixture()
        let home = fixture.home
        let before = try FileManager.default.contentsOfDirectory(atPath: home.path).sorted()
        let line = words.map { $0 == "~" ? home.path : $0.hasPrefix("~/") ? home.file(String($0.dropFirst(2))) : $0 }
        let result = try home.run(line + (words.contains("add") ? [] : ["--yes"]))
        #expect(result.code == code && result.errors.contains(named), "\(result.code) \(result.errors)")
        #expect(fixture.asked.isEmpty, "\(fixture.asked)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).sorted() == before)
        #expect(try home.data("text.txt") == Data("Some text.".utf8))
    }

    @Test("The error for an invalid environment variable includes its name, its value and the valid values")
    func variables() throws {
        let home = try UserHome()
        let wrong = [
            ("SYNTHHOST_PRECISION", "faster", "automatic, exact or fast"), ("SYNTHHOST_EXACT", "yes", "0 or 1"),
            ("SYNTHHOST_ORIGINAL_MODELS", "true", "0 or 1"), ("SYNTHHOST_PACE", "quick", "a number above 0"),
            ("SYNTHHOST_PACE", "-1", "a number above 0"), ("SYNTHHOST_RATE", "fast", "SYNTHHOST_RATE must be"),
            ("SYNTHHOST_VOLUME", "loud", "SYNTHHOST_VOLUME must be"),
            ("SYNTHHOST_PITCH", "high", "SYNTHHOST_PITCH must be"),
        ]
        for (name, value, expected) in wrong {
            let result = try home.run("speak", "hi", "-o", home.file("x.wav"), adding: [name: value])
            #expect(result.code == 78, "\(name): \(result.code) \(result.errors)")
            #expect(result.errors.contains("\(name) must be ") && result.errors.contains("\"\(value)\""))
            #expect(result.errors.contains(expected) && result.errors.contains("unset \(name)"), "\(result.errors)")
            #expect(!home.exists("x.wav"))
        }
        let right = [
            "SYNTHHOST_PRECISION": "fast", "SYNTHHOST_EXACT": "0", "SYNTHHOST_ORIGINAL_MODELS": "1",
            "SYNTHHOST_PACE": "7.5",
        ]
        #expect(try home.run("speak", "hi", "-o", home.file("x.wav"), adding: right.mapValues { $0 }).code == 0)
        let empty = right.mapValues { _ in "" as String? }
        #expect(try home.run("speak", "hi", "-o", home.file("x.wav"), adding: empty).code == 0)
    }
}
