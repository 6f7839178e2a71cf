import CommandSupport
import Foundation
import Testing
import TestSupport

@testable import ONNXInference

/// What an engine says about the form of its model, and what the host makes of it.
@Suite(.ownThreads, .espeakTurn) struct ModelFormTests {
    private static let outcomes: [(RewriteOutcome?, isOff: Bool, isFromCache: Bool, text: String)] = [
        (RewriteOutcome(.rewritten, "all of it"), false, true, "rewritten: all of it"),
        (RewriteOutcome(.unknown, "it has a Sin"), false, true, "as published, because it has a Sin"),
        (
            RewriteOutcome(.failed, "it changes samples"), false, true,
            "as published, because the check failed: it changes samples"
        ),
        (nil, false, true, "as published"),
        (nil, false, false, "not made yet, so as published until it has spoken once"),
        (nil, true, true, "as published, because SYNTHHOST_ORIGINAL_MODELS is 1"),
        (nil, true, false, "as published, because SYNTHHOST_ORIGINAL_MODELS is 1"),
    ]

    @Test("each form has words", arguments: outcomes.indices)
    func words(index: Int) {
        let (rewriting, isOff, isFromCache, text) = Self.outcomes[index]
        let form = ModelForm(isFromCache: isFromCache, rewriting: rewriting, isOff: isOff)
        #expect(form.description == text)
    }

    @Test("a failed check is a warning once, and later only a reason")
    func failed() throws {
        let voice = try TinyPiperVoice(noise: 0.5)
        let cache = try TemporaryFolder()
        let first = try voice.speak(cache: cache)
        #expect(first.contains { $0.hasPrefix("1 not made yet") })
        let warnings = first.filter { $0.hasPrefix("2 ") }
        #expect(warnings.count == 1 && warnings.first?.contains("check") == true, "\(warnings)")
        let second = try voice.speak(cache: cache)
        #expect(second.contains { $0.hasPrefix("1 as published, because the check failed: ") }, "\(second)")
        #expect(!second.contains { $0.hasPrefix("2 ") }, "\(second)")
    }

    @Test("the doctor tells the form of each installed model, and loads it without using it")
    func doctor() throws {
        let home = try UserHome(programs: BuildFolder.path)
        let voice = try TinyPiperVoice()
        let added = try home.run("models", "add", voice.model)
        try #require(added.code == 0, "\(added.errors)")

        let records = try #require(FileManager.default.subpaths(atPath: home.file("data/synthhost/models"))).filter {
            $0.hasSuffix(".json")
        }.map { home.file("data/synthhost/models/\($0)") }
        func speak() throws { try #require(try home.run("speak", "-v", "Tiny", "--raw", "Hello.").code == 0) }
        let unmade = try home.run("doctor", devices: .silent).text
        #expect(unmade.contains("model: Tiny of piper: not made yet"), "\(unmade)")
        try speak()
        let rewritten = "ok    model: Tiny of piper: rewritten: the vocoder in blocks of "
        let past = Date(timeIntervalSince1970: 1_000_000)
        for record in records { try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: record) }
        // Otherwise it loads this voice, as `speak` does.
        let other = ["SYNTHHOST_ENGINE": "espeak-ng"]
        let text = try home.run("doctor", adding: other, devices: .silent).text
        #expect(text.contains(rewritten), "\(text)")
        let json = try home.run("doctor", "--json", adding: other, devices: .silent).text
        #expect(json.contains("\"Tiny of piper: rewritten: the vocoder in blocks of "), "\(json)")
        let switched = other.merging(["SYNTHHOST_ORIGINAL_MODELS": "1"]) { $1 }
        let off = try home.run("doctor", adding: switched, devices: .silent).text
        #expect(off.contains("model: Tiny of piper: as published, because SYNTHHOST_ORIGINAL_MODELS is 1\n"), "\(off)")

        try #require(!records.isEmpty)
        for record in records {
            let date = try FileManager.default.attributesOfItem(atPath: record)[.modificationDate] as? Date
            #expect(date == past, "\(record)")
        }
    }

    @Test("the doctor says why an installed model does not load, and that speaking works")
    func unloadable() throws {
        let home = try UserHome(programs: BuildFolder.path)
        let voice = try TinyPiperVoice()
        try #require(try home.run("models", "add", voice.model).code == 0)
        let folder = home.file("data/synthhost/models")
        let model = try #require(FileManager.default.subpaths(atPath: folder)?.first { $0.hasSuffix(".onnx") })
        let handle = try FileHandle(forWritingTo: URL(filePath: "\(folder)/\(model)"))
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 4096))
        try handle.close()
        let result = try home.run("doctor", adding: ["SYNTHHOST_ENGINE": "espeak-ng"], devices: .silent)
        #expect(result.text.contains("note  model: "), "\(result.text)")
        #expect(result.code == 0)
    }
}
