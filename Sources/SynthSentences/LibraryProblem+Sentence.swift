import SynthCatalogue
package import SynthHost
import SynthSystem

extension LibraryProblem {
    /// What is wrong, in one sentence; for those that a service tells, with what to do.
    package var message: String {
        switch self {
        // A key from outside may have any length.
        case .unknown(let key): "There is no voice \"\(key.prefix(80))\". GET /api/voices lists all."
        case .builtIn(let title, let engine): "\(title) is built into \(engine) and has no files."
        case .notHere(let title): "\(title) is not downloaded."
        case .downloading(let title): "\(title) is being downloaded. Cancel that first."
        case .speaking(let title): "\(title), or another voice of its model, speaks now. Wait until it is silent."
        case .notReady(let title, _): "\(title) is not downloaded. Download it first."
        case .notDownloaded(let problem, let title): "\(title) was not downloaded: \(problem.words) \(problem.advice)"
        case .notRemoved(let problem, let title): "\(title) was not removed: \(problem.words) \(problem.advice)"
        case .notOneVoice(let name, isBlend: true, _): "\"\(name)\" is a blend, and one voice is meant here."
        case .notOneVoice(let name, isBlend: false, _):
            "\"\(name)\" is one speaker of a voice, and the whole voice is meant here."
        case .noPrecision(_, let title, let known) where known.isEmpty: "\(title) comes in one precision only."
        case .noPrecision(let precision, let title, _): "\(title) does not come in \(precision)."
        case .ownFiles(let problem): problem.message
        case .hearing(let problem): problem.message
        case .store(let error): error.message
        case .configuration(let error): error.message
        case .speech(let failure): failure.message
        }
    }

    /// What to type next; empty if the message says it, or there is nothing to do.
    package var remedy: String {
        switch self {
        case .builtIn, .notHere: "`synthhost models list` shows what is."
        case .notOneVoice(_, _, let words): "Type in its place: \(Wording.either(words.map(ShellWord.quoted)))"
        case .noPrecision(_, _, let known) where known.isEmpty: "Leave --precision out."
        case .noPrecision(_, _, let known):
            "It comes in "
                + known.compactMap { voice in
                    voice.model?.precision.map { "\($0) (\(ByteCount.words(voice.downloadSize)))" }
                }.joined(separator: ", ") + "."
        case .ownFiles(let problem): problem.remedy
        case .hearing(let problem): problem.remedy
        case .store(let error): error.remedy()
        case .configuration(let error): error.remedy
        case .speech(let failure): failure.remedy
        case .unknown, .downloading, .speaking, .notReady, .notDownloaded, .notRemoved: ""
        }
    }

    /// The message for the download of a voice, with its title.
    package func message(ofDownloading title: String) -> String {
        if case .store(let error) = self { error.message(ofDownloading: title) } else { message }
    }

    /// Whether a server limits the rate of requests.
    package var isOfTooManyRequests: Bool {
        guard case .store(let error) = self, case .notDownloaded(let download) = error else { return false }
        return error.kind == .tryAgain && download.cause.isTooManyRequests
    }

    /// For a client of a service, which removes or downloads: what is wrong, and what to do.
    package var serviceMessage: String {
        switch self {
        case .builtIn(let title, _): "\(title) is built into its engine: there is nothing to remove."
        case .notHere(let title): "\(title) is not downloaded: there is nothing to remove."
        case .configuration(let error): "\(error.message) \(error.remedy)"
        default: message
        }
    }
}

extension VoiceDownloadProblem {
    /// The end of a sentence.
    fileprivate var words: String {
        switch self {
        case .network: "no server could be reached, or none went on."
        case .refused(let status?): "the server answered \(status)."
        case .refused(nil): "the server does not have what was asked for."
        case .offline: "the network is not to be used."
        case .diskFull(let missing?): "the disk is full, \(ByteCount.words(missing)) are missing."
        case .diskFull(nil): "the disk is full."
        case .wrongContent: "what arrived is not what was promised."
        case .file(let path, let code?): "\(path): \(Errno(code))."
        case .file(let path, nil): "\(path) cannot be used."
        case .busy(let process?): "process \(process) changes the same files."
        case .busy(nil): "another program changes the same files."
        case .installation: "a program of synthhost is missing, or failed."
        }
    }

    /// What to do.
    fileprivate var advice: String {
        switch self {
        case .network: "Look at the connection, and try again; it goes on where it stopped."
        case .refused(429): "Wait some minutes, and try again."
        case .refused, .wrongContent: "Update synthhost, or choose another voice."
        case .offline: "Start the service without --offline and SYNTHHOST_OFFLINE."
        case .diskFull: "Free some space, and try again."
        case .file: "Look at its permissions, and try again."
        case .busy: "Wait for it, and try again."
        case .installation: "Install synthhost again."
        }
    }
}
