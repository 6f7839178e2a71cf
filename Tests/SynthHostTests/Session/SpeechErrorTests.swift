import Glibc
import SpeechScript
import SynthAudio
import System
import Testing
import VoiceCatalogue

@testable import SynthHost

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
}
