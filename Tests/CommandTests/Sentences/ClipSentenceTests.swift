import SynthAudio
import SynthCommandSyntax
import SynthHost
import SynthSystem
import Testing

@testable import SynthCommandParts
@testable import SynthSentences

@Suite("The sentences of clips")
struct ClipSentenceTests {
    private static let failures: [any ErrorCause] =
        [
            .notOpened(.isFolder), .notOpened(.invalid), .notOpened(Errno(2)),
            .decoderNotLoaded(library: "libsndfile.so.1", reason: nil), .notDecodable("Format not recognised."),
            .damaged("", frame: 17), .cutShort(frame: 18), .notFinite(frame: 19), .tooLong(limit: .seconds(7200)),
            .formatUnusable(AudioFormat(sampleRate: 1, channels: 99)), .conversionFailed(.noMemory(library: "a")),
        ].map { (reason: ClipError.Reason) -> any ErrorCause in ClipError("a b.wav", reason) }
        + [
            ClipNameProblem.unknown("a b.wav", near: ["chime"]), .several("a b.wav", files: ["x", "y"]),
            .folder("a b.wav", Errno(13)),
            .pathNotAllowed("a b.wav"), .notRelative("a b.wav"), .tooManyChannels("a b.wav", limit: 16),
            .outside("a b.wav", folder: "/book"),
        ].map { (problem: ClipNameProblem) -> any ErrorCause in problem }

    @Test("say what happened in one sentence, with the name, and what to do in another", arguments: failures)
    func sentences(failure: any ErrorCause) {
        let command = CommandFailure(failure as any Error)
        let message = command.message ?? ""
        if case .decoderNotLoaded? = (failure as? ClipError)?.reason {
            #expect(command.code == .unavailable && message.contains("libsndfile.so.1"))
        } else {
            #expect(command.code == .inputMissing && message.contains("a b.wav"))
        }
        #expect(message.hasSuffix(".") || message.hasSuffix("?"))
        #expect(!message.contains("..") && !command.remedy.isEmpty)
    }

    @Test("differ from each other")
    func different() {
        #expect(Set(Self.failures.map(\.message)).count == Self.failures.count)
    }
}
