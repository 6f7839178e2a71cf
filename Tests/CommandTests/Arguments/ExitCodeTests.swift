import Testing

@testable import synthhost_cli
@testable import SynthCommandSyntax
@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite struct ExitCodeTests {
    @Test("The exit codes are stable because scripts rely on them")
    func codes() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 64, 66, 69, 70, 73, 74, 75, 78, 129, 130, 143])
    }

    @Test("An error in the configuration file, a usage error and a write failure have different codes")
    func configuration() {
        func code(_ error: SpeechError) -> ExitCode { CommandFailure(error).code }
        #expect(code(.configurationNotJSON(file: "", line: 1, column: 1, reason: "")) == .configuration)
        #expect(code(.noSuchKey("", near: nil)) == .usage)
        #expect(code(.configurationUnwritable(file: "", code: 5)) == .cannotWriteOutput)
    }
}
