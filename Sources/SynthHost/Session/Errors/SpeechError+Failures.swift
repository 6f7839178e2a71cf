import Engines
import EngineWire
import ModelStore
import SpeechScript
import SynthAudio
import System

extension SpeechError {
    /// The same in the words of the library.
    package init(_ failure: SpeechFailure) {
        switch failure {
        case .engine(let failure): self = .engine(failure.engine, EngineProblem(failure.reason))
        case .voiceFile(let flaw): self = .voiceFile(path: flaw.path, flaw: flaw.flaw)
        case .voice(let error): self.init(error)
        case .text(.invalidUTF8(let offset, _)), .text(.truncatedUTF8(let offset)): self = .notText(byte: offset)
        case .text(.utf16): self = .notText(byte: 0)
        case .textSource(let error): self = .textSource(error)
        case .input(_, let error): self = .system(code: error.code)
        case .audio(let error): self = .output(reason: error.message, code: nil)
        case .installation(let error): self = .installation(missing: error.missing)
        case .registry(let error): self = .settings(reason: error.description)
        case .alreadyRead: self = .alreadyRead
        case .closed: self = .closed
        case .store(let error): self = .unusableVoice(voice: "", reason: error.reason)
        }
    }

    package init(_ error: VoiceError) {
        switch error {
        case .unknownVoice(let name, let near), .forgottenVoice(let name, _, let near):
            self = .voice(name, candidates: near)
        case .ambiguousVoice(let name, let candidates): self = .voice(name, candidates: candidates)
        case .notDownloaded(let title, _, let bytes, _): self = .notDownloaded(voice: title, bytes: bytes)
        default: self = .unusableVoice(voice: "", reason: error.message)
        }
    }
}

extension SpeechError.EngineProblem {
    init(_ reason: EngineFailure.Reason) {
        switch reason {
        case .crashed(let signal, _): self = .crashed(signal: signal)
        case .exited(let code, _): self = .exited(code: code)
        case .hung(let limit, _): self = .hung(after: limit)
        case .garbled: self = .failed("It damaged its process.")
        case .complained(let complaint): self = .failed(complaint.message)
        case .refused(let refusal): self = .unusable(refusal.reason)
        case .notStarted(let reason): self = .unusable(reason)
        }
    }
}
