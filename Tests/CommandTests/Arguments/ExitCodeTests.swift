import Testing

@testable import synthhost_cli
@testable import SynthCommandSyntax
@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite struct ExitCodeTests {
    @Test("the codes are those that scripts rely on")
    func codes() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 64, 66, 69, 70, 73, 74, 75, 78, 129, 130, 143])
    }

    @Test("mistakes in the file, in the request and in writing have different codes")
    func configuration() {
        func code(_ error: SpeechError) -> ExitCode { CommandFailure(error).code }
        #expect(code(.configurationNotJSON(file: "", line: 1, column: 1, reason: "")) == .configuration)
        #expect(code(.noSuchKey("", near: nil)) == .usage)
        #expect(code(.configurationUnwritable(file: "", code: 5)) == .cannotWriteOutput)
    }
}
