import SynthAudio
package import SynthHost
import System

extension ClipFailure {
    /// What happened, in one sentence.
    package var message: String { message(calling: "clip") }

    /// - Parameter noun: what the file is to the user: "clip".
    package func message(calling noun: String) -> String {
        switch self {
        case .name(let error): error.message
        case .file(let error):
            switch error.reason {
            case .notOpened(.isFolder): "The \(noun) \"\(error.path)\" is a folder."
            case .notOpened(.invalid): "The \(noun) \"\(error.path)\" is no file but a pipe or a device."
            case .notOpened(let code): "The \(noun) \"\(error.path)\" cannot be read: \(code)."
            case .decoderNotLoaded(let library, let reason):
                "\(library), which reads sound files, cannot be used: \(reason ?? "it lacks a function")."
            case .notDecodable(let reason): "\"\(error.path)\" is no sound that can be read: \(Self.clause(reason))."
            case .damaged(let reason, let frame):
                "The \(noun) \"\(error.path)\" is damaged at frame \(frame): \(Self.clause(reason))."
            case .cutShort(let frame): "The \(noun) \"\(error.path)\" is cut: it ends after frame \(frame)."
            case .notFinite(let frame):
                "The \(noun) \"\(error.path)\" is damaged: the sample at frame \(frame) is no number."
            case .tooLong(let limit):
                "The \(noun) \"\(error.path)\" is longer than \(Int(limit.seconds / 60)) minutes, the longest that is played."
            case .formatUnusable(let format):
                "The \(noun) \"\(error.path)\" has \(format.sampleRate) Hz and \(format.channels) channels, which cannot be "
                    + "handled."
            case .conversionFailed: "The \(noun) \"\(error.path)\" cannot be converted."
            }
        }
    }

    /// What to type or do next, in one sentence.
    package var remedy: String {
        switch self {
        case .name(let error): error.remedy
        case .file(let error):
            switch error.reason {
            case .notOpened: "Check the path and the rights of the file."
            case .decoderNotLoaded(let library, _): MissingLibrary(name: library).remedy
            case .notDecodable, .formatUnusable, .conversionFailed:
                "ffmpeg makes a file that is understood: ffmpeg -i \(ShellWord.quoted(error.path)) clip.wav"
            case .damaged, .cutShort, .notFinite: "Get the file again, or make it anew."
            case .tooLong: "Cut it, or play it with another program."
            }
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
