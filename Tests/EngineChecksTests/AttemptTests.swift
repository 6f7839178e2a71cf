import Foundation
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@Suite("Checks that may fail on a busy machine", .ownThreads)
struct AttemptTests {
    @Test(
        "A check that fails is repeated, and the best result is reported",
        arguments: [
            ([.failed, .warning, .passed], .passed), ([.failed, .warning, .failed], .warning),
            ([.failed, .failed, .failed], .failed), ([.warning, .passed], .passed), ([.failed, .skipped], .skipped),
        ] as [([CheckVerdict], CheckVerdict)])
    func attempts(verdicts: [CheckVerdict], expected: CheckVerdict) throws {
        let folder = try TemporaryFolder()
        for (index, verdict) in verdicts.enumerated() {
            let message = CheckMessage.finding(CheckFinding(verdict, "Attempt \(index + 1)"))
            try folder.write(message.frameBytes, to: "answer\(index + 1)")
        }
        // A script that replaces the check program and returns the next verdict each time it is started.
        let program = folder.file("check")
        try GeneratedProgram.write(
            """
            #!/bin/sh
            cd '\(folder.path)'
            echo >> starts
            exec cat "answer$(wc -c < starts)" >&3

            """, to: program)
        let validation = Validation(
            program: program, file: folder.file("engine.so"), limit: .seconds(600), stop: try WakeUp())
        let outcome = try #require(validation.run([.cancelIsQuick]).results.first?.outcome)
        #expect(outcome.verdict == expected, "\(outcome)")
        #expect(try folder.data("starts").count == verdicts.count)
    }
}
