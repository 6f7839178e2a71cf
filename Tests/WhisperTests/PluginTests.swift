import CSynthEngine
import Foundation
import Testing
import TestSupport

@testable import SynthWhisper

/// These tests call the C table as a host does, and use a small model with random weights.
@Suite("The Whisper recognizer", .serialized) struct PluginTests {
    private let files = [
        "encoder": Fixture.files.encoder, "decoder": Fixture.files.decoder, "tokenizer": Fixture.files.tokenizer,
        "config": Fixture.files.configuration ?? "",
    ]

    /// The plugin is loaded as in the worker, because it has its own copy of EngineKit, which supports only one
    /// recognizer.
    private func recognizer() throws -> LoadedRecognizer {
        typealias Entry = @convention(c) (UInt32, UnsafePointer<synth_host>?) -> UnsafePointer<synth_recognizer>?
        let library = try #require(dlopen("\(BuildFolder.path)/libWhisper.so", RTLD_NOW | RTLD_LOCAL))
        let symbol = try #require(dlsym(library, "synth_recognizer_entry"))
        return try LoadedRecognizer(entry: unsafeBitCast(symbol, to: Entry.self))
    }

    private func listen(
        _ change: (inout TestRecognition) -> Void = { _ in },
        shouldContinue: @escaping (RecordedRecognition) -> Bool = { _ in true }
    ) throws -> RecordedRecognition {
        var asked = TestRecognition(Fixture.sound(3))
        change(&asked)
        return try recognizer().load(files: files).open().listen(asked, shouldContinue: shouldContinue)
    }

    @Test("The recognizer declares its format and its files") func description() throws {
        let recognizer = try recognizer()
        #expect(recognizer.table.pointee.sample_rate == 16_000 && recognizer.models.isEmpty)
        #expect(recognizer.roles.map { String(cString: $0.name) } == ["encoder", "decoder", "tokenizer", "config"])
    }

    @Test("The recognizer complies with the C header, and the result does not depend on how the audio is divided")
    func alike() throws {
        let whole = try listen()
        #expect(whole.status == SYNTH_OK && whole.violations.isEmpty && !whole.finals.isEmpty)
        for piece in [64, 6400] {
            let other = try listen { $0.piece = piece }
            #expect(other.finals == whole.finals && other.violations.isEmpty)
        }
        // No text is known before the end, because partial results were not requested.
        #expect(whole.partials.isEmpty)
    }

    @Test("Partial results are reported during speech") func live() throws {
        let heard = try listen {
            $0.flags = SYNTH_LIVE.rawValue
            $0.piece = 4000
        }
        #expect(heard.violations.isEmpty && heard.partials.allSatisfy { $0.stable == 0 })
        let finals = try listen().finals
        #expect(heard.finals == finals)
    }

    @Test("The recognizer accepts a language, hints and translation to English") func request() throws {
        let heard = try listen {
            $0.language = "de-AT"
            $0.context = "the tern"
            $0.phrases = ["said"]
            $0.flags = SYNTH_TO_ENGLISH.rawValue
        }
        #expect(heard.status == SYNTH_OK && heard.violations.isEmpty)
        #expect(heard.finals.allSatisfy { $0.text.isEmpty || $0.language == "de" })
        let unknown = try listen { $0.language = "fr" }
        #expect(unknown.status == SYNTH_BAD_REQUEST && unknown.outcome.message.contains("fr"))
    }

    @Test("A recording without speech yields an empty text") func silence() throws {
        for sound in [[], [Float](repeating: 0, count: 40_000)] {
            let heard = try listen { $0.sound = sound }
            #expect(heard.status == SYNTH_OK && heard.violations.isEmpty)
            #expect(heard.finals.map(\.text) == [""])
        }
    }

    @Test("The recognizer stops on request") func stop() throws {
        let heard = try listen(shouldContinue: { $0.calls < 3 })
        #expect(heard.status == SYNTH_CANCELLED && heard.violations.isEmpty && heard.calls == 3)
        let ear = try recognizer().load(files: files).open()
        let cancelled = ear.listen(TestRecognition(Fixture.sound(3))) { record in
            if record.calls == 2 { ear.cancel(1) }
            return true
        }
        #expect(cancelled.status == SYNTH_CANCELLED && cancelled.violations.isEmpty)
        var again = TestRecognition(Fixture.sound(3))
        again.serial = 2
        let expected = try listen().finals
        #expect(ear.listen(again).finals == expected)
    }

    @Test("The error names the missing or damaged file") func broken() throws {
        for (role, status) in [("encoder", SYNTH_BAD_FILE), ("tokenizer", SYNTH_BAD_FILE), ("config", SYNTH_BAD_FILE)] {
            var damaged = files
            damaged[role] = Fixture.folder.appending(path: "expected.json").path
            if role == "config" { damaged[role] = files["encoder"] }
            do {
                _ = try recognizer().load(files: damaged)
                Issue.record("The damaged model was loaded.")
            } catch let failure as ErrorReport.Failure {
                #expect(failure.status == status && failure.role == role)
            }
        }
        var missing = files
        missing["decoder"] = nil
        #expect(throws: ErrorReport.Failure.self) { try recognizer().load(files: missing) }
    }
}
