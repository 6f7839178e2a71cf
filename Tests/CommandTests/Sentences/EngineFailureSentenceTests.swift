import Glibc
import SynthEngineProcesses
import SynthEngineWire
import SynthHost
import SynthSystem
import Testing

@testable import synthhost_cli
@testable import SynthCommandSyntax

@Suite("Messages about engine failures")
struct EngineFailureSentenceTests {
    static let reasons: [EngineFailure.Reason] = [
        .refused(Refusal(.empty)), .notStarted(.program("/bin/synthhost-worker", Errno(ENOENT))),
        .notStarted(.noThread),
        .notStarted(.lane(Errno(EMFILE))), .crashed(signal: SIGSEGV, .describing), .crashed(signal: SIGKILL, .speaking),
        .exited(code: 3, .loading), .hung(.seconds(2), .speaking), .violatedProtocol(.loading),
        .reported(EngineError(.badRequest, "Odd.")), .reported(EngineError(.failed, "")),
        .reported(EngineError(.violatedContract, "It sent audio without samples.")), .unspeakableText,
    ]

    @Test("The message is a single line and names the engine", arguments: reasons)
    func all(reason: EngineFailure.Reason) {
        let failure = EngineFailure(engine: "en\ngine\u{1B}[1m", reason: reason)
        #expect(failure.message.contains("en gine"))
        #expect(failure.message.hasSuffix(".") && failure.nextStep.count > 10)
        #expect(!failure.message.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test(
        "The message states the problem",
        arguments: [
            (
                .notStarted(.program("/w", Errno(ENOENT))),
                "The worker process for x did not start: /w: No such file or directory."
            ),
            (
                .notStarted(.noThread),
                "The worker process for x did not start: the system or a limit for this user does not allow more threads."
            ),
            (.crashed(signal: SIGSEGV, .describing), "The engine x crashed (SIGSEGV) while describing itself."),
            (
                .crashed(signal: SIGKILL, .speaking),
                "The engine x was killed (SIGKILL) while speaking, which can happen when memory runs out."
            ),
            (.exited(code: 3, .loading), "The engine x exited with code 3 while loading."),
            (.hung(.seconds(2), .speaking), "The engine x hung while speaking: no response within 2.0 seconds."),
            (.violatedProtocol(.loading), "The engine x corrupted its worker process while loading."),
            (.reported(EngineError(.badRequest, "Odd.")), "The engine x cannot speak this: Odd."),
            (.reported(EngineError(.failed, "")), "The engine x cannot speak this: It did not give a reason."),
            (.reported(EngineError(.violatedContract, "Odd.")), "The engine x violated its contract: Odd."),
            (.unspeakableText, "The engine x cannot speak this text: it is too long or contains a NUL character."),
        ] as [(EngineFailure.Reason, String)])
    func messages(reason: EngineFailure.Reason, message: String) {
        #expect(EngineFailure(engine: "x", reason: reason).message == message)
    }

    @Test("The remedy refers to the log if there is one")
    func log() {
        for activity in [EngineFailure.Activity.describing, .speaking] {
            let failure = EngineFailure(engine: "x", reason: .crashed(signal: SIGSEGV, activity), log: "/logs/x.log")
            #expect(failure.nextStep.contains("/logs/x.log"))
        }
    }

    @Test(
        "The exit code depends on the failure",
        arguments: [
            (.refused(Refusal(.empty)), .unavailable), (.notStarted(.noThread), .failure), (.unspeakableText, .failure),
            (.crashed(signal: SIGSEGV, .speaking), .engineCrashed), (.violatedProtocol(.speaking), .engineCrashed),
            (.reported(EngineError(.badFile, "Odd.")), .unavailable), (.reported(EngineError(.noMemory, "")), .failure),
            (.reported(EngineError(.violatedContract, "Odd.")), .engineCrashed),
        ] as [(EngineFailure.Reason, ExitCode)])
    func codes(reason: EngineFailure.Reason, code: ExitCode) {
        #expect(CommandFailure(EngineFailure(engine: "x", reason: reason)).code == code)
    }

    @Test("Neither the text nor the engine is blamed for a lack of threads")
    func noThread() {
        let failure = CommandFailure(SpeechError.noThread)
        #expect(failure.code == .tryAgain)
        #expect(failure.message == "The system does not allow more threads.")
        #expect(failure.remedy.contains("ulimit -u"))
    }
}
