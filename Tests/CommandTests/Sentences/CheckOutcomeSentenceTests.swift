import Glibc
import SynthEngineWire
import SynthSystem
import Testing

@testable import SynthEngineProcesses
@testable import synthhost_cli
@testable import SynthCommandSyntax

@Suite("Messages for check results")
struct CheckOutcomeSentenceTests {
    @Test(
        "The message states the result",
        arguments: [
            (.found(.words("All its symbols are found.")), "All its symbols are found."),
            (
                .found(.refused(Refusal(.damaged), showsRemedy: true)),
                "It is damaged or truncated. Copy the file to this machine again."
            ),
            (.found(.refused(Refusal(.empty), showsRemedy: false)), "It is empty."),
            (.requirement(.tableIsComplete, .failed), "table-is-complete failed."),
            (.notStarted("/x", Errno(ENOENT)), "The program /x did not start: No such file or directory."),
            (.noFolder(Errno(ENOSPC)), "Cannot create temporary files: No space left on device."),
            (
                .hung(.seconds(60), step: "loading a model"),
                "It hung while loading a model: no result within 60.0 seconds."
            ),
            (
                .crashed(signal: SIGSEGV, step: "speaking", lastLine: "oh"),
                "It crashed (SIGSEGV) while speaking. Its last output: oh"
            ),
            (.exited(code: 3, step: nil, lastLine: nil), "It exited with code 3."),
            (.forbidden(.openedInternetSocket, step: "speaking"), "It requested an internet socket while speaking."),
        ] as [(CheckOutcome.Detail, String)])
    func words(detail: CheckOutcome.Detail, words: String) {
        #expect(CheckOutcome(.skipped, detail).words == words)
    }
}
