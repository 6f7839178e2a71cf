import Glibc
import SynthAudio
@testable import SynthCommandSyntax
import Testing

@testable import synthhost_cli

@Suite("Messages about audio that cannot be played or written")
struct AudioErrorSentenceTests {
    @Test(
        "The message says what happened",
        arguments: [
            (
                .outputNotWritten(name: .file("/dev/full"), code: ENOSPC),
                "There is no space left to write \"/dev/full\"."
            ),
            (.outputNotWritten(name: .descriptor(1), code: EIO), "Writing standard output failed: Input/output error."),
            (
                .outputNotWritten(name: .descriptor(7), code: EFBIG),
                "Writing descriptor 7 failed: no file may grow so large here."
            ),
            (.endingUnknown(path: "a.xyz"), "The ending of \"a.xyz\" is no format that synthhost writes."),
            (
                .endingContradicts(path: "a.wav", ending: .wav, asked: .flac),
                "\"a.wav\" ends like a WAV file, and the requested format is FLAC."
            ),
            (
                .formatMissing(.mp3, known: [.wav, .flac, .ogg]),
                "The libsndfile of this machine does not write MP3; with it, synthhost writes WAV, FLAC and Ogg Vorbis."
            ),
            (
                .encoderNotLoaded(library: "libsndfile.so.1", reason: nil),
                "libsndfile.so.1, which encodes sound, cannot be used: it lacks a function."
            ),
            (.encodingFailed(.opus, reason: nil), "The sound could not be encoded as Opus."),
            (.encodingFailed(.opus, reason: "Why."), "The sound could not be encoded as Opus: Why."),
            (
                .tagTooLong(.author, bytes: 20_000, limit: 16_384),
                "The author has 20000 bytes, and a sound file takes 16384."
            ),
            (.outputNotCreated(path: "/a/b", code: EISDIR), "\"/a/b\" is a folder, not a file."),
            (.outputNotCreated(path: "/a/b.wav", code: ENOENT), "The folder \"/a\" does not exist."),
            (.outputNotCreated(path: "b.wav", code: ENOTDIR), "The file \"b.wav\" cannot be written: Not a directory."),
            (
                .outputLinkLeadsNowhere(link: "a.wav", target: "it's gone/b.wav", folder: "it's gone"),
                "\"a.wav\" is a link to \"it's gone/b.wav\", whose folder does not exist."
            ),
            (
                .outputLinkLeadsNowhere(link: "d", target: "none", folder: "none"),
                "\"d\" is a link to \"none\", which does not exist."
            ),
            (.deviceMissing(device: "foo", known: ["quiet"]), "The sound device \"foo\" does not exist."),
            (.deviceMissing(device: "default", known: []), "This machine has no sound device that ALSA knows."),
            (
                .conversionFailed(.rates(from: 8000, to: 8)),
                "The sound could not be converted: 8000 Hz does not convert to 8 Hz."
            ),
            (
                .conversionFailed(.noMemory(library: "libsonic")),
                "The sound could not be converted: libsonic has no memory."
            ),
        ] as [(AudioError, String)])
    func messages(error: AudioError, message: String) { #expect(error.message == message) }

    @Test("The remedy says what to type next")
    func remedies() {
        let link = AudioError.outputLinkLeadsNowhere(link: "a.wav", target: "it's gone/b.wav", folder: "it's gone")
        #expect(link.nextStep.contains("`mkdir -p 'it'\\''s gone'`"))
        #expect(AudioError.deviceMissing(device: "foo", known: ["quiet"]).nextStep.contains("Devices: quiet;"))
        #expect(AudioError.deviceMissing(device: "default", known: []).nextStep.contains("-o file.wav"))
        #expect(
            AudioError.endingUnknown(path: "a.xyz").nextStep
                == "End the name in .wav, .flac, .mp3, .opus or .ogg, or name one of them with `--format`.")
        #expect(
            AudioError.encoderNotLoaded(library: "libsndfile.so.1", reason: nil).nextStep
                == "Type: sudo apt install libsndfile1; without it, `-o file.wav` works.")
        for code in [ENOENT, EISDIR, ENOTDIR] {
            #expect(AudioError.outputNotCreated(path: "a/b.wav", code: code).nextStep.contains("-o"))
        }
    }

    @Test("No message is printed if the reader has ended")
    func brokenPipe() {
        let failure = CommandFailure(AudioError.brokenPipe)
        #expect(failure.code == .done && failure.message == nil)
    }
}
