import SynthAudio
@testable import SynthCommandSyntax
import SynthHost
import SynthSpeech
import SynthSystem
import Testing

@testable import synthhost_cli

@Suite("Clip messages")
struct ClipSentenceTests {
    private static let failures: [any ErrorCause] =
        [
            .notOpened(.isFolder), .notOpened(.invalid), .notOpened(Errno(2)),
            .decoderNotLoaded(library: "libsndfile.so.1", reason: nil), .notDecodable("Format not recognised."),
            .empty, .converterMissing, .unknownFormat, .withoutSound, .undecodable,
            .damaged("", frame: 17), .cutShort(frame: 18), .notFinite(frame: 19), .tooLong(limit: .seconds(7200)),
            .formatUnusable(AudioFormat(sampleRate: 1, channels: 99)), .conversionFailed(.noMemory(library: "a")),
        ].map { (reason: ClipFlaw.Reason) -> any ErrorCause in AudioError.clip("a b.wav", reason) }
        + [
            SpeechError.clipUnknown("a b.wav", near: ["chime"]), .clipAmbiguous("a b.wav", files: ["x", "y"]),
            .clipFolderNotReadable("a b.wav", Errno(13)), .clipPathNotAllowed("a b.wav"), .clipNotRelative("a b.wav"),
            .tooManyClipChannels("a b.wav", limit: 16), .clipOutside("a b.wav", folder: "/book"),
        ]

    @Test(
        "One sentence describes the problem and names the clip, and another tells the user what to do",
        arguments: failures)
    func sentences(failure: any ErrorCause) {
        let command = CommandFailure(failure as any Error)
        let message = command.message ?? ""
        if case .decoderNotLoaded? = (failure as? AudioError)?.clip?.reason {
            #expect(command.code == .unavailable && message.contains("libsndfile.so.1"))
        } else {
            #expect(command.code == .inputMissing && message.contains("a b.wav"))
        }
        #expect(message.hasSuffix(".") || message.hasSuffix("?"))
        #expect(!message.contains("..") && !command.remedy.isEmpty)
    }

    @Test("All clip messages are different")
    func different() {
        #expect(Set(Self.failures.map(\.message)).count == Self.failures.count)
    }
}
