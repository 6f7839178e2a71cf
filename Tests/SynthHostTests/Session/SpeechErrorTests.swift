import Glibc
import SynthAudio
import SynthCatalogue
import SynthScript
import SynthSystem
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("An error of a session")
struct SpeechErrorTests {
    @Test("names the voice and what is wrong with it")
    func voice() {
        #expect { throw SpeechError(VoiceError.missingFile(title: "Heart", role: "model")) } throws: { error in
            if case .unusableVoice("Heart", .fileMissing(role: "model"))? = error as? SpeechError {
                true
            } else {
                false
            }
        }
        #expect { throw SpeechError(VoiceError.missingEngine(title: "Amy", engine: "piper")) } throws: { error in
            if case .unusableVoice("Amy", .engineMissing("piper"))? = error as? SpeechError { true } else { false }
        }
        #expect { throw SpeechError(VoiceError.unknownEngine("pipr", near: ["piper"])) } throws: { error in
            if case .noEngine("pipr", candidates: ["piper"])? = error as? SpeechError { true } else { false }
        }
        #expect { throw SpeechError(VoiceError.largeBlend(9, largest: 8)) } throws: { error in
            if case .blend(.tooManyVoices(9, most: 8))? = error as? SpeechError { true } else { false }
        }
    }

    @Test("names the file or the device, and the code of the system")
    func output() {
        #expect { throw SpeechError(AudioError.outputNotCreated(path: "/a/b", code: ENOENT)) } throws: { error in
            if case .output(.fileNotCreated(path: "/a/b", code: ENOENT))? = error as? SpeechError {
                true
            } else {
                false
            }
        }
        #expect { throw SpeechError(AudioError.deviceMissing(device: "x", known: ["y"])) } throws: { error in
            if case .output(.deviceMissing("x", known: ["y"]))? = error as? SpeechError { true } else { false }
        }
        #expect { throw SpeechError(AudioError.noDescriptor(code: EMFILE)) } throws: { error in
            if case .system(code: EMFILE)? = error as? SpeechError { true } else { false }
        }
    }

    @Test(
        "has a sentence for people",
        arguments: [
            (.cancelled, "The speech was cancelled."),
            (.notText(byte: 7), "The text is not UTF-8: byte 7 cannot stand there."),
            (
                .script(.expected("</voice>"), line: 2, column: 5),
                "The text cannot be read at line 2, column 5: </voice> is expected."
            ),
            (
                .voice("Hart", candidates: ["Heart"]),
                "There is no voice that \"Hart\" clearly means. It may be one of these: Heart."
            ),
            (.voice("Hart", candidates: []), "There is no voice that \"Hart\" clearly means."),
            (
                .speaker("x", voice: "Flock", candidates: (0..<10).map { "s\($0)" }),
                "The voice Flock has no speaker \"x\". It may be one of these: s0, s1, s2, s3, s4, s5, s6, s7 and 2 more."
            ),
            (.notDownloaded(voice: "Heart", bytes: 329_054_701), "The voice Heart is not downloaded (329 MB)."),
            (
                .unusableVoice(voice: "Amy", .engineMissing("piper")),
                "The voice Amy cannot be used: its engine piper is not here."
            ),
            (
                .voiceFile(path: "/a.onnx", flaw: "The weights are damaged."),
                "The file /a.onnx of the voice cannot be used: The weights are damaged."
            ),
            (.engine("piper", .crashed(signal: 11)), "The engine piper crashed (signal 11)."),
            (.engine("piper", .failed("")), "The engine piper cannot do this: no reason is given."),
            (
                .engine("piper", .notLoaded(.lacksLibrary("liba.so.1"))),
                "The engine piper is not loaded: the library liba.so.1 is not installed."
            ),
            (
                .output(.deviceMissing("default", known: ["null"])),
                "This machine has no sound card, or it offers no sound to this user."
            ),
            (
                .output(.fileNotCreated(path: "/a/b", code: ENOENT)),
                "The file /a/b cannot be written: No such file or directory."
            ),
            (
                .clip("bell", .notSound(path: "/bell.txt")),
                "The clip \"bell\" cannot be heard: /bell.txt is not an audio file that can be read."
            ),
            (
                .installation(missing: "synthhost-worker"),
                "The program synthhost-worker, a part of synthhost, is not installed. Run `Scripts/install ~/.local` in a "
                    + "checkout of synthhost, or set SYNTHHOST_PREFIX to the folder that synthhost is installed in."
            ),
            (
                .settings(.registry("/r.json", line: 3)),
                "The registry of voices /r.json cannot be used: line 3 is wrong."
            ),
            (.files(.network), "The files of the voice cannot be used: no server can be reached, or none goes on."),
            (.files(.refused(status: 404)), "The files of the voice cannot be used: the server answers 404."),
            (
                .files(.refused(status: nil)),
                "The files of the voice cannot be used: the server does not have what is asked for."
            ),
            (.files(.offline), "The files of the voice cannot be used: the network is not to be used."),
            (
                .files(.diskFull(missing: 5_000_000)),
                "The files of the voice cannot be used: the disk is full, 5.0 MB are missing."
            ),
            (.files(.diskFull(missing: nil)), "The files of the voice cannot be used: the disk is full."),
            (.files(.wrongContent), "The files of the voice cannot be used: what is there is not what was promised."),
            (.files(.file(path: "/x", code: EACCES)), "The files of the voice cannot be used: /x: Permission denied."),
            (.files(.file(path: "/x", code: nil)), "The files of the voice cannot be used: /x cannot be used."),
            (.files(.busy(process: 7)), "The files of the voice cannot be used: process 7 changes them."),
            (.files(.busy(process: nil)), "The files of the voice cannot be used: another program changes them."),
            (
                .files(.installation),
                "The files of the voice cannot be used: a program of synthhost is missing, or failed."
            ),
            (.system(code: EAGAIN), "The system refuses: Resource temporarily unavailable."),
        ] as [(SpeechError, String)])
    func sentence(error: SpeechError, words: String) {
        #expect("\(error)" == words)
    }
}
