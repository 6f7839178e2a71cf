import Foundation
import SynthEngineProcesses
import SynthEngineWire
import Testing
import TestSupport

#if arch(x86_64)
    /// Engine binaries from November 2026 (`Tests/Fixtures/Strangers`) that were built before engines were confined and
    /// could declare needs, and `c-tone`, an early `Plugins/Tone` that was built before requests had pitch points.
    @Suite("Engines built with earlier versions", .ownThreads)
    struct StrangerBinaryTests {
        /// Swift's standard library is not ABI-stable across versions on Linux.
        #if compiler(<6.4)
            private static let names = ["c-skeleton", "swift-skeleton", "tone", "c-tone"]
        #else
            private static let names = ["c-skeleton", "c-tone"]
        #endif

        @Test("A confined old engine, which declares no needs, still speaks", arguments: names)
        func speaks(_ name: String) throws {
            let fixture = try EngineFixture()
            let path = "\(fixture.plugins)/\(name).so"
            try FileManager.default.copyItem(
                atPath: "\(EngineFixture.root)/Tests/Fixtures/Strangers/\(name).so", toPath: path)
            var program = fixture.program
            program.confinement = .required
            let description = try EngineFile(path: path).describe(by: program, limits: .short())
            #expect(description.needs.isEmpty)
            let voice = try #require(description.voices.first)
            let engine = Engine(file: path, description: description, program: program, limits: .short())
            let lane = try engine.openLane(on: LoadRequest(id: voice.model ?? voice.id))
            let spoken = try lane.speak("It speaks as it did.", voice: voice.id)
            #expect(spoken.wasSpoken && spoken.samples.contains { abs($0) > 0.01 })
            var request = LaneRequest(.text("It speaks as it did."), voices: [VoiceUse(id: voice.id)])
            request.pitchPoints = [LanePitchPoint(offset: 0, factor: 2), LanePitchPoint(offset: 20, factor: 0.5)]
            request.isWhispered = true
            let other = try lane.speak(request) { _ in true }
            #expect(other.wasSpoken && other.samples == spoken.samples)
        }
    }
#endif
