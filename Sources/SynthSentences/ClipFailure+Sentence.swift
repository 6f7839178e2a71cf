import SynthAudio
package import SynthHost
import SynthSystem

extension ClipFailure {
    /// What happened, in one sentence.
    package var message: String { message(calling: "clip") }

    /// - Parameter noun: What the file is to the user, such as "recording". The path follows it.
    package func message(calling noun: String) -> String {
        switch self {
        case .name(let error): error.message
        case .file(let error): error.message(of: "the \(noun) \(error.path)")
        }
    }

    /// What to type or do next, in one sentence.
    package var remedy: String {
        switch self {
        case .name(let error): error.remedy
        case .file(let error):
            switch error.reason {
            case .notOpened: "Check the path and the permissions of the file."
            case .decoderNotLoaded(let library, _): MissingLibrary(name: library).remedy
            case .notDecodable, .formatUnusable, .conversionFailed:
                "To convert it first, type: ffmpeg -i \(ShellWord.quoted(error.path)) clip.wav"
            case .damaged, .cutShort, .notFinite: "Get the file again, or record it again."
            case .tooLong: "Cut it into shorter files."
            }
        }
    }
}

extension ClipError {
    /// What happened, in one sentence.
    ///
    /// - Parameter subject: What the sound is to the reader, in the middle of a sentence: "the recording talk.m4a".
    package func message(of subject: String) -> String {
        switch reason {
        case .notOpened(.isFolder): "Cannot read \(subject): it is a folder."
        case .notOpened(.invalid): "Cannot read \(subject): it is a pipe or a device, not a file."
        case .notOpened(let code): "Cannot read \(subject): \(code)."
        case .decoderNotLoaded(let library, let reason):
            "Cannot read \(subject): \(library), which decodes audio files, cannot be used: "
                + "\(reason ?? "it lacks a function")."
        case .notDecodable(let reason):
            "Cannot read \(subject): it is not an audio file in a supported format (\(Self.clause(reason)))."
        case .damaged(let reason, let frame):
            "Cannot read \(subject): it is damaged at frame \(frame) (\(Self.clause(reason)))."
        case .cutShort(let frame): "Cannot read \(subject) to its end: it is cut off after frame \(frame)."
        case .notFinite(let frame):
            "Cannot read \(subject): it is damaged, the sample at frame \(frame) is not a number."
        case .tooLong(let limit):
            "Cannot read \(subject): it is longer than \(Int(limit.seconds / 60)) minutes, which is the limit."
        case .formatUnusable(let format):
            "Cannot read \(subject): \(format.sampleRate) Hz with \(format.channels) channels is not supported."
        case .conversionFailed: "Cannot read \(subject): its sample rate cannot be converted."
        }
    }

    /// A sentence of a library without its full stop.
    private static func clause(_ reason: String) -> String {
        reason.isEmpty ? "no reason is given" : reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    }
}

extension ClipNameProblem {
    fileprivate var message: String {
        switch self {
        case .unknown(let name, let near): "There is no clip \"\(name)\"." + Wording.suggestion(near)
        case .several(let name, let files):
            "The clip \"\(name)\" may be any of: \(Wording.few(files))."
        case .folder(let path, let reason): "The folder of clips \"\(path)\" cannot be read: \(reason)."
        case .pathNotAllowed(let name): "The text names the file \"\(name)\", and only a local file may do so."
        case .notRelative(let name):
            "The text names \"\(name)\", and it may name only clips and files below its own folder."
        case .tooManyChannels(let name, let limit):
            "The text lets \"\(name)\" sound on one channel more than the \(limit) that it may have."
        case .outside(let name, let folder): "\"\(name)\" leads out of the folder of the text, \(folder)."
        }
    }

    fileprivate var remedy: String {
        switch self {
        case .unknown, .pathNotAllowed, .notRelative, .outside:
            "Give it a name with `synthhost config set clips.NAME FILE`, or take a folder of clips with --clips DIR."
        case .tooManyChannels: "Let clips that follow each other have one channel."
        case .several: "Name it with its ending, or rename one of them."
        case .folder: "Name a folder that can be read with --clips."
        }
    }
}
