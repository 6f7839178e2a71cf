import SynthHost
import SynthModelStore
import SynthSystem
import Testing

@testable import synthhost_cli
@testable import SynthCommandSyntax
@testable import SynthUserVoices

@Suite("Messages about a service's voices")
struct VoiceProblemSentenceTests {
    private static let full = FileFailure(.noSpace, call: "write", path: "/x")
    private static let errors: [StoreError] = [
        .busy(entry: "heart", process: 7), .busy(entry: "heart", process: nil), .file(full),
        .file(FileFailure(.noAccess, call: "open", path: "/srv/x")), .notWhole(voice: "heart"),
        .noSpace(voice: "heart", root: "/", needed: 9_000_000, free: 4_000_000), .notOurs(path: "/srv/x"),
        .notDownloaded(DownloadFailure(file: "a", voice: "heart", folder: "/f", mirror: nil, .offline)),
        .notDownloaded(DownloadFailure(file: "a", voice: "heart", folder: "/f", mirror: nil, .silent)),
    ]

    @Test("One sentence states the problem, and another tells the user what to do", arguments: errors)
    func download(error: StoreError) {
        for (problem, start) in [
            (SpeechError.downloadFailed("Heart", SpeechError(error)), "Heart was not downloaded"),
            (SpeechError.removalFailed("Heart", SpeechError(error)), "Heart was not removed. "),
        ] {
            let message = problem.serviceMessage
            #expect(message.hasPrefix(start) && message.contains(problem.message))
            #expect(message.count > problem.message.count + 10 && !message.contains("synthhost models pull"))
            #expect(message.contains(". ") && !message.contains(".."), "\(message)")
        }
    }

    @Test("The message includes the available facts")
    func details() {
        func error(_ cause: StoreError) -> SpeechError {
            SpeechError.removalFailed("Heart", SpeechError(cause))
        }
        #expect(error(.file(FileFailure(.noAccess, call: "open", path: "/srv/x"))).facts.path == "/srv/x")
        #expect(error(.busy(entry: "heart", process: 7)).facts.process == 7)
        #expect(error(.noSpace(voice: "h", root: "/", needed: 9, free: 4)).facts.bytes == 5)
        #expect(error(.file(Self.full)).facts.voice == "Heart")
    }

    @Test("A client's voice key is truncated to the maximum length of valid keys")
    func length() {
        let key = String(repeating: "x", count: 1_000_000)
        let message = SpeechError.voiceKeyUnknown(key).serviceMessage
        #expect(message.utf8.count < 200 && message.contains("GET /api/voices"))
        #expect(SpeechError.voiceKeyUnknown("tone/x").message.contains("\"tone/x\""))
    }
}
