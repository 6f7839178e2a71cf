import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing

@Suite("The engine failure frame")
struct EngineFailureFrameTests {
    private static let reasons: [EngineFailure.Reason] = [
        .refused(Refusal(.noEntry)), .notStarted(.program("/x", Errno(2))), .notStarted(.lane(Errno(24))),
        .notStarted(.noThread), .crashed(signal: 11, .speaking), .exited(code: 3, .loading),
        .hung(.milliseconds(1500), .describing), .hung(.milliseconds(Int64.max), .loading),
        .violatedProtocol(.speaking),
        .reported(EngineError(.failed, "words", role: "model")), .unspeakableText,
    ]

    @Test("Every reason is preserved in a frame", arguments: reasons)
    func reason(_ reason: EngineFailure.Reason) throws {
        for log in [nil, "/state/log"] {
            let failure = EngineFailure(engine: "piper", reason: reason, log: log)
            #expect(try EngineFailure(frameBytes: failure.frameBytes[...]) == failure)
        }
    }

    @Test("A truncated frame is rejected", arguments: reasons)
    func cut(_ reason: EngineFailure.Reason) {
        let bytes = EngineFailure(engine: "piper", reason: reason, log: "x").frameBytes
        for count in bytes.indices {
            #expect(throws: MalformedFrame.self) { try EngineFailure(frameBytes: bytes[..<count]) }
        }
    }
}
