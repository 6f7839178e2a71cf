import Glibc
package import SynthAudio
package import SynthCatalogue
package import SynthEngineProcesses
import SynthEngineWire
import SynthScript
import SynthSystem

extension SpeechError {
    /// The same in the terms of the library.
    package init(_ failure: SpeechFailure) {
        switch failure {
        case .engine(let failure): self = .engine(failure.engine, EngineProblem(failure.reason))
        case .voiceFile(let flaw): self = .voiceFile(path: flaw.path, flaw: flaw.error.message)
        case .voice(let error): self.init(error)
        case .text(.invalidUTF8(let offset, _)), .text(.truncatedUTF8(let offset)): self = .notText(byte: offset)
        case .text(.utf16): self = .notText(byte: 0)
        case .script(let error): self.init(error)
        case .channel(let channel, let clip): self = .channel(channel, clip: clip)
        case .lexicon(let path, let error): self = .lexicon(path: path, line: error.line)
        case .libraryNotLoaded(let library, _): self = .libraryMissing(library)
        case .textSource(let error): self = .textSource(error)
        case .input(_, let error): self = .system(code: error.code)
        case .noThread, .overloaded: self = .system(code: EAGAIN)
        case .audio(let error), .timings(let error): self.init(error)
        case .timingsEndingUnknown(let path): self = .output(.timingsEndingUnknown(path: path))
        case .clip(let name, let failure): self = .clip(name, ClipProblem(failure))
        case .installation(let program): self = .installation(missing: program.missing)
        case .host(let error): self = error
        case .alreadyRead: self = .alreadyRead
        case .closed: self = .closed
        case .registry(let error): self = .settings(.registry(error.origin.name, line: error.line))
        }
    }

    private init(_ error: ScriptError) {
        let (line, column) = (error.place.line, error.place.column)
        switch error.reason {
        case .text: self = .notText(byte: error.place.offset)
        case .tooLong(let limit): self = .script(.tooLong(limit: limit), line: line, column: column)
        case .tooDeep(let limit): self = .script(.tooDeep(limit: limit), line: line, column: column)
        case .expected(let what): self = .script(.expected(what), line: line, column: column)
        case .unexpected(let what): self = .script(.unexpected(what), line: line, column: column)
        case .refused(let what): self = .script(.refused(what), line: line, column: column)
        case .badValue(let name, let value):
            self = .script(.badValue(of: name, value: value), line: line, column: column)
        case .libraryNotLoaded(let library, _): self = .libraryMissing(library)
        }
    }

    package init(_ error: VoiceError) {
        switch error {
        case .noEngine, .onlyExamples: self = .noEngine(nil, candidates: [])
        case .unknownEngine(let id, let near): self = .noEngine(id, candidates: near)
        case .noVoices(let engine): self = .noVoice(engine: engine, language: nil, candidates: [])
        case .unknownLanguage(let language, let engine, let near):
            self = .noVoice(engine: engine, language: language, candidates: near)
        case .unknownVoice(let name, let near), .forgottenVoice(let name, _, let near):
            self = .voice(name, candidates: near)
        case .ambiguousVoice(let name, let candidates): self = .voice(name, candidates: candidates)
        case .unknownSpeaker(let name, let voice, let speakers):
            self = .speaker(name, voice: voice, candidates: speakers)
        case .speakerOfBlend(let speaker): self = .blend(.speaker(speaker))
        case .incompleteBlend(let text): self = .blend(.incomplete(text))
        case .noWeight(let weight, let voice): self = .blend(.weight(weight, voice: voice))
        case .largeBlend(let count, let largest): self = .blend(.tooManyVoices(count, most: largest))
        case .noBlends(let engine): self = .blend(.notSupported(engine: engine))
        case .blendOfEngines(let title, _, let other, _): self = .blend(.twoEngines(title, other))
        case .blendOfModels(let title, let other): self = .blend(.twoModels(title, other))
        case .notDownloaded(let title, _, let bytes, _): self = .notDownloaded(voice: title, bytes: bytes)
        case .unsupportedVoice(let title, let why): self = .unusableVoice(voice: title, .notSupported(why))
        case .damaged(let title, _, let why): self = .unusableVoice(voice: title, .damaged(why))
        case .missingEngine(let title, let engine): self = .unusableVoice(voice: title, .engineMissing(engine))
        case .missingFile(let title, let role): self = .unusableVoice(voice: title, .fileMissing(role: role))
        }
    }

    package init(_ error: AudioError) {
        switch error {
        case .outputNotCreated(let path, let code): self = .output(.fileNotCreated(path: path, code: code))
        case .outputLinkLeadsNowhere(let link, _, _): self = .output(.fileNotCreated(path: link, code: ENOENT))
        case .outputNotWritten(let name, let code): self = .output(.fileNotWritten(path: name.path, code: code))
        case .outputNotReplaced(let path): self = .output(.fileNotReplaced(path: path))
        case .outputInUse(let path, _, _): self = .output(.fileInUse(path: path))
        case .endingUnknown(let path): self = .output(.endingUnknown(path: path))
        case .endingContradicts(let path, let ending, let asked):
            self = .output(.endingContradicts(path: path, ending: .init(ending), asked: .init(asked)))
        case .formatMissing(let format, let known):
            self = .output(.formatMissing(.init(format), known: known.map { .init($0) }))
        case .encoderNotLoaded(let library, _): self = .output(.encoderNotLoaded(library: library))
        case .encodingFailed(let format, _): self = .output(.encodingFailed(.init(format)))
        case .tagTooLong(_, let bytes, let limit): self = .output(.tagTooLong(bytes: bytes, limit: limit))
        case .brokenPipe: self = .output(.readerGone)
        case .deviceMissing(let device, let known): self = .output(.deviceMissing(device, known: known))
        case .deviceNotOpened(let device, let code): self = .output(.deviceNotOpened(device, code: code))
        case .deviceRefusesFormat(let device, let format, let code):
            self = .output(.deviceRefusesFormat(device, SpeechFormat(format), code: code))
        case .deviceFailed(let device, let code): self = .output(.deviceFailed(device, code: code))
        case .deviceStalled(let device): self = .output(.deviceStalled(device))
        case .formatUnusable(let format): self = .output(.formatUnusable(SpeechFormat(format)))
        case .tempoUnusable(let tempo, let pitch): self = .output(.speedUnusable(rate: tempo, pitch: pitch))
        case .conversionFailed, .notMeasured: self = .output(.notConverted)
        case .noDescriptor(let code): self = .system(code: code)
        }
    }
}

extension SpeechError {
    /// Why a microphone does not listen.
    package init(microphone error: AudioError) {
        switch error {
        case .deviceMissing(let device, let known): self = .listening(.microphoneMissing(device, known: known))
        case .deviceNotOpened(let device, let code): self = .listening(.microphoneNotOpened(device, code: code))
        case .deviceRefusesFormat(let device, let format, let code):
            self = .listening(.microphoneRefusesFormat(device, SpeechFormat(format), code: code))
        case .deviceFailed(let device, let code): self = .listening(.microphoneFailed(device, code: code))
        default: self.init(error)
        }
    }
}

extension SpeechFormat {
    fileprivate init(_ format: AudioFormat) { self.init(sampleRate: format.sampleRate, channels: format.channels) }
}

extension OutputName {
    fileprivate var path: String {
        switch self {
        case .file(let path): path
        case .descriptor(let number): "/dev/fd/\(number)"
        }
    }
}

extension SpeechError.EngineProblem {
    package init(_ reason: EngineFailure.Reason) {
        switch reason {
        case .crashed(let signal, _): self = .crashed(signal: signal)
        case .exited(let code, _): self = .exited(code: code)
        case .hung(let limit, _): self = .hung(after: limit)
        case .violatedProtocol: self = .violatedProtocol
        case .reported(let error) where error.kind == .violatedContract: self = .violatedContract(error.message)
        case .reported(let error): self = .failed(error.message)
        case .unspeakableText: self = .unspeakableText
        case .refused(let refusal): self = .notLoaded(SpeechError.LoadProblem(refusal))
        case .notStarted(.program(_, let error)), .notStarted(.lane(let error)): self = .notStarted(code: error.code)
        case .notStarted(.noThread): self = .notStarted(code: nil)
        }
    }
}

extension SpeechError.LoadProblem {
    fileprivate init(_ refusal: Refusal) {
        if case .lacksLibrary(let name) = refusal.flaw {
            self = .lacksLibrary(name)
            return
        }
        switch refusal.kind {
        case .notLoadable: self = .notLoadable
        case .untrusted: self = .untrusted
        case .incompatible: self = .incompatible
        case .broken: self = .violatesContract
        }
    }
}

extension SpeechError.ClipProblem {
    package init(_ failure: ClipFailure) {
        switch failure {
        case .name(let error): self.init(error)
        case .file(let error): self.init(error)
        }
    }

    private init(_ error: ClipNameProblem) {
        switch error {
        case .unknown(_, let near): self = .unknown(candidates: near)
        case .several(_, let files): self = .ambiguous(files: files)
        case .folder(let path, let error): self = .notOpened(path: path, code: error.code)
        case .pathNotAllowed, .notRelative, .outside, .tooManyChannels: self = .notAllowed
        }
    }

    private init(_ error: ClipError) {
        let path = error.path
        switch error.reason {
        case .notOpened(let error): self = .notOpened(path: path, code: error.code)
        case .decoderNotLoaded(let library, _): self = .decoderNotLoaded(library: library)
        case .notDecodable: self = .notSound(path: path)
        case .damaged(_, let frame), .cutShort(let frame), .notFinite(let frame):
            self = .damaged(path: path, frame: frame)
        case .tooLong(let limit): self = .tooLong(path: path, limit: limit)
        case .formatUnusable(let format):
            self = .formatUnusable(
                path: path, SpeechFormat(sampleRate: format.sampleRate, channels: format.channels))
        case .conversionFailed: self = .notSound(path: path)
        }
    }
}
