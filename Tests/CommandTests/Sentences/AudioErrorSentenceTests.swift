import Glibc
import SynthAudio
@testable import SynthCommandSyntax
import Testing

@testable import synthhost_cli

@Suite("Messages about audio that cannot be played or written")
struct AudioErrorSentenceTests {
    @Test(
        "The message states the problem",
        arguments: [
            (
                .outputNotWritten(name: .file("/dev/full"), code: ENOSPC),
                "The disk is full: cannot write \"/dev/full\"."
            ),
            (.outputNotWritten(name: .descriptor(1), code: EIO), "Writing standard output failed: Input/output error."),
            (
                .outputNotWritten(name: .descriptor(7), code: EFBIG),
                "Cannot write descriptor 7: it would exceed the file size limit."
            ),
            (.endingUnknown(path: "a.xyz"), "Cannot write \"a.xyz\": its file extension is not supported."),
            (
                .endingContradicts(path: "a.wav", ending: .wav, asked: .flac),
                "\"a.wav\" has the extension of a WAV file, but the requested format is FLAC."
            ),
            (
                .formatMissing(.mp3, known: [.wav, .flac, .ogg]),
                "The installed libsndfile cannot write MP3. It can write WAV, FLAC and Ogg Vorbis."
            ),
            (
                .encoderNotLoaded(library: "libsndfile.so.1", reason: nil),
                "libsndfile.so.1 cannot be used to encode audio: it lacks a required function."
            ),
            (.encodingFailed(.opus, reason: nil), "Cannot encode the audio as Opus."),
            (.encodingFailed(.opus, reason: "Why."), "Cannot encode the audio as Opus: Why."),
            (
                .tagTooLong(.author, bytes: 20_000, limit: 16_384),
                "The author is 20000 bytes long; the limit in audio files is 16384."
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
            (.deviceMissing(device: "default", known: []), "ALSA found no sound device on this machine."),
            (
                .conversionFailed(.rates(from: 8000, to: 8)),
                "Cannot convert the audio from 8000 Hz to 8 Hz."
            ),
            (
                .conversionFailed(.noMemory(library: "libsonic")),
                "Cannot convert the audio: libsonic is out of memory."
            ),
        ] as [(AudioError, String)])
    func messages(error: AudioError, message: String) { #expect(error.message == message) }

    @Test("The remedy tells the user what to type")
    func remedies() {
        let link = AudioError.outputLinkLeadsNowhere(link: "a.wav", target: "it's gone/b.wav", folder: "it's gone")
        #expect(link.nextStep.contains("`mkdir -p 'it'\\''s gone'`"))
        #expect(AudioError.deviceMissing(device: "foo", known: ["quiet"]).nextStep.contains("Devices: quiet;"))
        #expect(AudioError.deviceMissing(device: "default", known: []).nextStep.contains("-o file.wav"))
        #expect(
            AudioError.endingUnknown(path: "a.xyz").nextStep
                == "Use the extension .wav, .flac, .mp3, .opus or .ogg, or choose a format with `--format`.")
        #expect(
            AudioError.encoderNotLoaded(library: "libsndfile.so.1", reason: nil).nextStep
                == "Type: sudo apt install libsndfile1; without the library, use `-o file.wav`.")
        for code in [ENOENT, EISDIR, ENOTDIR] {
            #expect(AudioError.outputNotCreated(path: "a/b.wav", code: code).nextStep.contains("-o"))
        }
    }

    @Test("No message is printed if the program that reads the pipe has closed it")
    func brokenPipe() {
        let failure = CommandFailure(AudioError.brokenPipe)
        #expect(failure.code == .done && failure.message == nil)
    }
}
