import SynthAudio
import System

extension SpeechError {
    /// Why a clip cannot be heard.
    @nonexhaustive
    public enum ClipProblem: Hashable, Sendable {
        /// There is no clip of that name; `candidates` are names near it.
        case unknown(candidates: [String])
        /// Several files have the name.
        case ambiguous(files: [String])
        /// A document asks for what it may not have: a file outside of its folder, an address, a channel too many.
        case notAllowed
        /// The file cannot be opened, or is none that holds bytes; `code` is an errno.
        case notOpened(path: String, code: Int32)
        /// The library that decodes, by its file's name, is not installed or does not load.
        case decoderNotLoaded(library: String)
        /// The file is no sound, or of a format that libsndfile of this machine does not read.
        case notSound(path: String)
        /// The file is damaged or cut after this many of its frames.
        case damaged(path: String, frame: Int)
        /// It is longer than any clip may be.
        case tooLong(path: String, limit: Duration)
        /// Sound of its format cannot be handled.
        case formatUnusable(path: String, SpeechFormat)
    }
}

extension SpeechError.ClipProblem {
    init(_ failure: ClipFailure) {
        switch failure {
        case .name(let error): self.init(error)
        case .file(let error): self.init(error)
        }
    }

    private init(_ error: ClipNameError) {
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
