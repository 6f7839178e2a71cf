import Glibc
@testable import SynthCommandSyntax
import SynthHost
import SynthScript
import SynthTerminal
import Testing

@testable import synthhost_cli

@Suite("Messages about text, terminals and installations")
struct OtherSentenceTests {
    @Test("Invalid text is reported with the position and value of the byte, and the name of a converter")
    func text() {
        let error = SpeechError.invalidUTF8(offset: 17, byte: 0x0E)
        #expect(error.message == "The text is not UTF-8: invalid byte 0x0E at offset 17.")
        #expect(error.nextStep.contains("iconv -f latin1 -t utf-8"))
        #expect(SpeechError.utf16.nextStep.contains("iconv -f utf-16 -t utf-8"))
        #expect(SpeechError.truncatedUTF8(offset: 9).message.contains("9"))
        #expect(CommandFailure(error).code == .inputMissing)
    }

    @Test("The remedy for a full disk is to free up space")
    func output() {
        #expect(TerminalError.failed(code: ENOSPC).nextStep.contains("space"))
        #expect(CommandFailure(TerminalError.failed(code: ENOSPC)).code == .cannotWriteOutput)
    }

    @Test("No message is printed if the user interrupts a question")
    func question() {
        #expect(CommandFailure(TerminalError.interrupted).message == nil)
        #expect(CommandFailure(TerminalError.noAnswer(code: EIO)).code == .failure)
    }

    @Test("If a program is missing, the error lists all paths that were searched")
    func installation() {
        let error = CommandFailure(
            SpeechError.installationIncomplete(
                "synthhost-worker", candidates: ["/a/synthhost-worker", "/b/synthhost-worker"]))
        #expect(
            error.message
                == "The program synthhost-worker is missing. Paths searched: /a/synthhost-worker, /b/synthhost-worker.")
        #expect(error.remedy.contains("SYNTHHOST_PREFIX") && error.remedy.contains("Scripts/install ~/.local"))
        #expect(error.code == .failure)
    }
}
