import CSynthEngine
import Foundation
import Testing
import TestSupport

@testable import SynthParakeet

/// Calls the recognizer through the C table, as a host does. The model is small and has random weights.
@Suite("The Parakeet recognizer") struct PluginTests {
    private let files = [
        "encoder": Fixture.files.encoder, "decoder": Fixture.files.decoder, "tokens": Fixture.files.tokens,
        "config": Fixture.files.configuration ?? "",
    ]

    private func recognizer() throws -> LoadedRecognizer {
        typealias Entry = @convention(c) (UInt32, UnsafePointer<synth_host>?) -> UnsafePointer<synth_recognizer>?
        let library = try #require(dlopen("\(BuildFolder.path)/libParakeet.so", RTLD_NOW | RTLD_LOCAL))
        let symbol = try #require(dlsym(library, "synth_recognizer_entry"))
        return try LoadedRecognizer(entry: unsafeBitCast(symbol, to: Entry.self))
    }

    private let sound = Fixture.sound(3.7, 900, -150, 7)

    @Test("The recognizer declares its roles, some of which are optional") func description() throws {
        let recognizer = try recognizer()
        #expect(recognizer.table.pointee.sample_rate == 16_000 && recognizer.models.isEmpty)
        #expect(
            recognizer.roles.map { String(cString: $0.name) } == ["encoder", "decoder", "joiner", "tokens", "config"])
    }

    @Test("The results comply with the C header, do not depend on how the audio is divided, and include partial texts")
    func alike()
        throws
    {
        let ear = try recognizer().load(files: files).open()
        let whole = ear.listen(TestRecognition(sound))
        #expect(whole.status == SYNTH_OK && whole.violations.isEmpty && whole.partials.isEmpty)
        #expect(whole.finals.contains { !$0.words.isEmpty && $0.confidence > 0 })
        for (serial, piece) in [(2, 64), (3, 6400)] {
            var asked = TestRecognition(sound)
            (asked.serial, asked.piece) = (UInt64(serial), piece)
            if piece == 6400 { asked.flags = SYNTH_LIVE.rawValue }
            let other = ear.listen(asked)
            #expect(other.finals == whole.finals && other.violations.isEmpty)
            #expect(other.partials.isEmpty == (piece == 64))
        }
    }

    @Test("A request for a number returns a single text, which is empty if there was no speech") func kinds() throws {
        let ear = try recognizer().load(files: files).open()
        var asked = TestRecognition(sound)
        asked.kind = SYNTH_HINT_NUMBER
        #expect(ear.listen(asked).finals.count == 1)
        asked = TestRecognition([Float](repeating: 0, count: 40_000))
        asked.serial = 2
        let silence = ear.listen(asked)
        #expect(silence.status == SYNTH_OK && silence.violations.isEmpty && silence.finals.map(\.text) == [""])
    }

    @Test("Stopping ends the request") func stop() throws {
        let ear = try recognizer().load(files: files).open()
        let told = ear.listen(TestRecognition(sound), shouldContinue: { $0.calls < 3 })
        #expect(told.status == SYNTH_CANCELLED && told.violations.isEmpty && told.calls == 3)
        var asked = TestRecognition(sound)
        asked.serial = 2
        let cancelled = ear.listen(asked) { record in
            if record.calls == 2 { ear.cancel(2) }
            return true
        }
        #expect(cancelled.status == SYNTH_CANCELLED && cancelled.violations.isEmpty)
        asked.serial = 3
        #expect(ear.listen(asked).status == SYNTH_OK)
    }

    @Test("The error names a missing or damaged file") func broken() throws {
        for role in ["encoder", "decoder", "tokens", "config"] {
            var damaged = files
            damaged[role] = role == "config" ? files["encoder"] : Fixture.path("expected.json")
            do {
                _ = try recognizer().load(files: damaged)
                Issue.record("The model should have been refused.")
            } catch let failure as ErrorReport.Failure {
                #expect(failure.status == SYNTH_BAD_FILE && failure.role == role)
            }
        }
        var missing = files
        missing["decoder"] = nil
        #expect(throws: ErrorReport.Failure.self) { try recognizer().load(files: missing) }
    }
}
