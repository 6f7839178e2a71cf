import Foundation
import Testing
import TestNumbers

@testable import SynthCatalogue

@Suite("Registries")
struct RegistryTests {
    private static let sha = String(repeating: "0a", count: 32)

    private static func text(
        source: String = "https://example.org/r1", id: String = "a", size: String = "5", digest: String = sha,
        path: String = "a/b c.onnx", role: String = "model", more: String = ""
    ) -> [UInt8] {
        Array(
            """
            {"sources": {"s": {"url": "\(source)"}},
             "models": [],
             "voices": [
              {"id": "first", "engine": "e", "name": "First", "language": "en", "source": "s",
               "files": [{"role": "model", "path": "x", "size": 1, "md5": "\(sha.prefix(32))"}]},
              {"id": "\(id)", "engine": "e", "name": "A", "language": "en", "source": "s",
               "files": [{"role": "\(role)", "path": "\(path)", "size": \(size), "sha256": "\(digest)"}]\(more)}
             ]}
            """.utf8)
    }

    private static func fault(_ text: [UInt8]) -> RegistryError? {
        do throws(RegistryError) {
            _ = try Registry([(origin: "models.json", text: text)])
            return nil
        } catch {
            return error
        }
    }

    @Test("Paths are resolved relative to their source and percent-encoded")
    func resolves() throws {
        let registry = try Registry([(origin: "models.json", text: Self.text())])
        let file = try #require(registry.voice(id: "a")?.files.first)
        #expect(file.url == "https://example.org/r1/a/b%20c.onnx")
        #expect(file.name == "b c.onnx")
        #expect(registry.voice(id: "first")?.files.first?.digest.algorithm == .md5)
    }

    @Test(
        "An invalid value is rejected, and the error includes the line number and the name of the entry",
        arguments: [
            ("plain http", text(source: "http://example.org/"), 1, .source("s")),
            ("another scheme", text(source: "file:///etc/"), 1, .source("s")),
            ("a password", text(source: "https://me:secret@example.org/"), 1, .source("s")),
            ("an ID that points outside the folder", text(id: "../a"), 6, .voice("../a")),
            ("an ID that makes a hidden folder", text(id: ".a"), 6, .voice(".a")),
            ("a repeated ID", text(id: "first"), 6, .voice("first")),
            ("no size", text(size: "0"), 6, .voice("a")),
            ("a size that overflows", text(size: "9223372036854775807"), 6, .voice("a")),
            ("a digest of the wrong length", text(digest: "12"), 6, .voice("a")),
            ("a path that points outside the folder", text(path: "../../x"), 6, .voice("a")),
            ("an absolute path", text(path: "/etc/passwd"), 6, .voice("a")),
            ("a name that is reserved for the store", text(path: "a/installed.json"), 6, .voice("a")),
            ("the name of an unfinished download", text(path: "a/model.part"), 6, .voice("a")),
            ("a role that no engine can declare", text(role: "Model File"), 6, .voice("a")),
            ("an unknown model", text(more: ", \"model\": \"none\""), 6, .voice("a")),
            ("a value of the wrong type", text(size: "\"five\""), 7, .key("size")),
        ] as [(String, [UInt8], Int, RegistryError.Subject)])
    func refused(_ what: String, _ text: [UInt8], _ line: Int, _ subject: RegistryError.Subject) throws {
        let fault = try #require(Self.fault(text))
        #expect(fault.line == line, "\(what): \(fault)")
        #expect(fault.subject == subject, "\(what): \(fault)")
        #expect(fault.origin == .file("models.json"))
    }

    @Test(
        "Invalid JSON is rejected, and the error includes the line number",
        arguments: [
            ("{\n\"voices\": [\n{]\n}", 3), ("{\n\"voices\": [],\n\n\"models\" []}", 4), ("", 1), ("\n\n{", 3),
            ("{\"voices\": []}\n}", 2), ("{\"voices\":\n[\"\u{1}\"]}", 2), ("{\n\"voices\": tru}", 2),
        ])
    func syntax(_ text: String, _ line: Int) throws {
        let fault = try #require(Self.fault(Array(text.utf8)))
        #expect(fault.line == line, "\(fault)")
    }

    @Test(
        "Invalid costs and probes are rejected",
        arguments: [
            ("0", "1", "model", "p", "YQ==", .model("m")), ("-2", "1", "model", "p", "YQ==", .model("m")),
            ("1", "0", "model", "p", "YQ==", .model("m")), ("1", "1", "Model", "p", "YQ==", .model("m")),
            ("1", "1", "model", "../p", "YQ==", .model("m")), ("1", "1", "model", "p", "?", .key("content")),
            ("1", "1", "model", "p", "YQ==", nil),
        ] as [(String, String, String, String, String, RegistryError.Subject?)])
    func probe(
        cost: String, work: String, role: String, name: String, content: String, subject: RegistryError.Subject?
    ) throws {
        let text = """
            {"sources": {"s": {"url": "https://example.org/"}},
             "models": [
              {"id": "m", "engine": "e", "source": "s", "cost": \(cost),
               "probe": {"cost": \(work), "language": "en", "files": [
                {"role": "\(role)", "name": "\(name)", "content": "\(content)"}]},
               "files": [{"role": "model", "path": "x", "size": 1, "sha256": "\(Self.sha)"}]}]}
            """
        let fault = Self.fault(Array(text.utf8))
        #expect(fault?.subject == subject)
        if subject != nil { #expect((3...5).contains(try #require(fault?.line))) }
    }

    private static func engines(_ text: String) -> [UInt8] { Array("{\"engines\": {\n\(text)\n}}".utf8) }

    @Test("A later registry overrides an engine's hints field by field")
    func engines() throws {
        let registry = try Registry([
            (
                "models.json",
                Self.engines(
                    #"""
                    "e": {"absent": "Buy it.", "first": true, "endings": {"model": ".m"}, "archivePrefix": "e-",
                          "signs": {"model": "\n\u0005style"},
                          "description": {"name": "a", "language": ["b.c", "d"], "speakers": "e"}}
                    """#)
            ),
            ("user", Self.engines(#""e": {"absent": "Make it.", "endings": {"style": ".s"}}, "f": {}"#)),
        ])
        let hints = try #require(registry.hints["e"])
        #expect(
            hints.endings == ["model": ".m", "style": ".s"] && hints.archivePrefix == "e-" && hints.isFirst == true)
        #expect(hints.signs == ["model": "\n\u{5}style"])
        #expect(hints.description == .init(name: ["a"], language: [["b", "c"], ["d"]], speakers: ["e"]))
        #expect(registry.remedies == ["e": "Make it."] && registry.hints["f"] == EngineHints())
    }

    @Test(
        "Invalid engine hints are rejected",
        arguments: [
            (#""../e": {}"#, .badID), (#""e": {"endings": {"Model": ".m"}}"#, .badRole("Model")),
            (#""e": {"endings": {"model": "m"}}"#, .badEnding("m")),
            (#""e": {"endings": {"model": "./m"}}"#, .badEnding("./m")),
            (#""e": {"archivePrefix": ""}"#, .badPrefix("")),
            (#""e": {"signs": {"model": ""}}"#, .emptySign(role: "model")),
            (#""e": {"signs": {"Model": "x"}}"#, .badRole("Model")),
            (#""d": {"first": true}, "e": {"first": true}"#, .secondFirst(after: "d")),
        ] as [(String, RegistryProblem)])
    func wrongEngines(text: String, problem: RegistryProblem) throws {
        let fault = try #require(Self.fault(Self.engines(text)))
        #expect(fault.problem == problem && fault.line == 2)
    }

    @Test("Notes on engines are available even if the rest of the registry is invalid")
    func engineNotes() {
        let text = #"""
            {"engines": {"d": {"gain": -2.5, "fallback": 2}, "e": {"first": true, "gains": {"x": 1, "y": "loud"}}}, "voices": [?
            """#
        #expect(
            Registry.engineNotes(in: Array(text.utf8)) == [
                EngineNote(id: "d", isFirst: false, fallback: 2, gains: BuiltInGains(usual: -2.5)),
                EngineNote(id: "e", isFirst: true, fallback: nil, gains: BuiltInGains(byVoice: ["x": 1])),
            ])
        #expect(
            Registry.engineNotes(in: Array(#"{"engines": {"e": {"first": 1, "gain": "3", "fallback": 1.5}}}"#.utf8))
                == [EngineNote(id: "e", isFirst: false, fallback: nil, gains: nil)])
        for text in ["", "[]", "{}", #"{"engines": []}"#, #"{"voices": [?, "engines": 1"#] {
            #expect(Registry.engineNotes(in: Array(text.utf8)).isEmpty)
        }
    }

    @Test("A built-in voice has its own gain or, without one, the default gain")
    func builtInGains() {
        let gains = BuiltInGains(usual: -3, byVoice: ["fr": -1.5])
        #expect(gains.gain(of: "fr") == -1.5 && gains.gain(of: "de") == -3)
    }

    @Test("A user's registry adds voices, replaces voices, and changes a source's URL")
    func merge() throws {
        let user = Array(
            """
            {"sources": {"s": {"url": "https://mirror.example/m/"}},
             "voices": [
              {"id": "a", "engine": "e", "name": "Mine", "language": "de", "source": "s",
               "files": [{"role": "model", "path": "mine", "size": 2, "sha256": "\(Self.sha)"}]},
              {"id": "new", "engine": "e", "name": "New", "language": "fr",
               "files": [{"role": "model", "url": "https://elsewhere.example/dir/n%C3%A9.onnx?v=1", "size": 2,
                          "sha256": "\(Self.sha)"}]}]}
            """.utf8)
        let registry = try Registry([("models.json", Self.text()), ("user", user)])
        #expect(registry.voices.map(\.id) == ["first", "a", "new"])
        #expect(registry.voice(id: "a")?.name == "Mine")
        #expect(registry.voice(id: "first")?.files[0].url == "https://mirror.example/m/x")
        #expect(registry.voice(id: "new")?.files[0].name == "né.onnx")
    }

    @Test("Declared files require an HTTPS URL, a digest, a size and a name")
    func declaredWrong() {
        for (url, sha, size) in [
            ("http://e.example/m", Self.sha, 1), ("https://e.example/m", "x", 1), ("https://e.example/m", Self.sha, 0),
            ("https://e.example/", Self.sha, 1), ("https://e.example/..", Self.sha, 1),
            ("https://e.example/.lock", Self.sha, 1), ("https://e.example/a%2F..%2Fb", Self.sha, 1),
        ] as [(String, String, UInt64)] {
            let file = DeclaredVoice.File(role: "model", isShared: false, url: url, sha256: sha, size: size)
            #expect(throws: RegistryError.self, "\(url) \(size)") {
                try Voice(DeclaredVoice(id: "v", name: "V", language: "en", files: [file]), by: "e")
            }
        }
    }

    @Test("A damaged registry either is rejected or yields only valid files", arguments: 0..<200)
    func damage(_ seed: Int) {
        var noise = SeededRandom(UInt64(seed))
        var text = Self.text(more: ", \"speakers\": [\"x\", \"y\"], \"gain\": -1.5")
        for _ in 0..<Int.random(in: 1...6, using: &noise) {
            let place = Int.random(in: 0..<text.count, using: &noise)
            switch Int.random(in: 0..<3, using: &noise) {
            case 0: text[place] = UInt8.random(in: 0...255, using: &noise)
            case 1: text.remove(at: place)
            default: text.insert(Array("{}[]\",:0".utf8).randomElement(using: &noise) ?? 0, at: place)
            }
        }
        guard let registry = try? Registry([("damaged", text)]) else { return }
        for file in registry.voices.flatMap(\.files) {
            #expect(WebAddress.refusal(of: file.url) == nil)
            #expect(file.size > 0 && !file.name.contains("/"))
        }
    }
}
