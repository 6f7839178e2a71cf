import SynthHost
import SynthService
import Testing

@testable import synthhost_cli
@testable import SynthSentences

@Suite("What is said of the voices of a service")
struct LibraryProblemSentenceTests {
    private static let problems: [VoiceDownloadProblem] = [
        .network, .refused(status: 404), .refused(status: 429), .refused(status: nil), .offline,
        .diskFull(missing: 5_000_000), .diskFull(missing: nil), .wrongContent, .file(path: "/x", code: 13),
        .file(path: "/x", code: nil), .busy(process: 7), .busy(process: nil), .installation,
    ]

    @Test("says what happened and what to do, in a sentence each", arguments: problems)
    func download(problem: VoiceDownloadProblem) {
        for (message, start) in [
            (LibraryProblem.notDownloaded(problem, title: "Heart").message, "Heart was not downloaded: "),
            (LibraryProblem.notRemoved(problem, title: "Heart").message, "Heart was not removed: "),
        ] {
            #expect(message.hasPrefix(start) && message.hasSuffix("."))
            #expect(message.contains(". ") && !message.contains(".."), "\(message)")
        }
    }

    @Test("names what is known")
    func details() {
        func message(_ problem: VoiceDownloadProblem) -> String {
            LibraryProblem.notDownloaded(problem, title: "Heart").message
        }
        #expect(message(.refused(status: 404)).contains("the server answered 404."))
        #expect(message(.refused(status: 429)).contains("Wait some minutes"))
        #expect(message(.diskFull(missing: 5_000_000)).contains("5.0 MB are missing"))
        #expect(message(.file(path: "/srv/x", code: 13)).contains("/srv/x: Permission denied."))
        #expect(message(.busy(process: 7)).contains("process 7"))
    }

    @Test("shows no more of a key from outside than a voice may have")
    func length() {
        let message = LibraryProblem.unknown(key: String(repeating: "x", count: 1_000_000)).message
        #expect(message.utf8.count < 200 && message.contains("GET /api/voices"))
        #expect(LibraryProblem.unknown(key: "tone/x").message.contains("\"tone/x\""))
    }
}
