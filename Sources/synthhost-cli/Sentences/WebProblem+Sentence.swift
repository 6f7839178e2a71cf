import SpeechService
import SynthHost
import System
import Web

extension WebProblem {
    /// What is wrong, and what to do.
    var message: String {
        switch self {
        case .refused(let refusal): "This is no request that is read here (\(refusal))."
        case .late: "The request took too long."
        case .notFound: "There is nothing at this path."
        case .method(let allowed): "This path takes \(Wording.all(allowed)) only."
        case .host: "This server is not called that. Behind a proxy, start it with --http-name NAME."
        case .origin: "A page of another server may not ask. Start the server with --http-origin ORIGIN to allow it."
        case .tokenNeeded:
            "This needs the token. Open the link that `synthhost serve` printed, or send Authorization: Bearer TOKEN."
        case .wrongToken: "This is not the token. Open the link that `synthhost serve` printed."
        case .tooManyTokens: "There were too many wrong tokens. Wait a minute."
        case .tooManyRequests: "There were too many requests. Wait a second."
        case .busy: "Nothing more is taken on for now. Try again in a moment."
        case .ending: "The service is about to end."
        case .notJSON(let line?): "The body is not JSON: see its line \(line)."
        case .notJSON(nil): "The body must be an object of JSON."
        case .missing(let name): "“\(name)” is missing."
        case .invalid(let name, let expectation): "“\(name)” must be \(expectation.words)."
        case .format(let name, let known): "There is no format “\(name)” here. There are \(Wording.all(known))."
        case .textTooLong(let limit): "The text is longer than \(limit) bytes. Send it in parts."
        case .nothingToSay: "The text has nothing to say."
        case .notDownloaded(let title, let key):
            "\(title) is not downloaded. Download it on the page, or type: synthhost models pull \(key)"
        case .speech(let failure): failure.message
        case .library(let problem): problem.message
        }
    }
}

extension WebProblem.Expectation {
    fileprivate var words: String {
        switch self {
        case .text: "a text"
        case .name(let longest): "a name of at most \(longest) bytes"
        case .flag: "true or false"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .oneOf(let names): Wording.either(names)
        }
    }
}

extension LibraryProblem {
    /// What is wrong, and what to do.
    var message: String {
        switch self {
        // A key from outside may have any length.
        case .unknown(let key): "There is no voice “\(key.prefix(80))”. GET /api/voices lists all."
        case .builtIn(let title): "\(title) is built into its engine: there is nothing to remove."
        case .notHere(let title): "\(title) is not downloaded: there is nothing to remove."
        case .downloading(let title): "\(title) is being downloaded. Cancel that first."
        case .speaking(let title): "\(title), or another voice of its model, speaks now. Wait until it is silent."
        case .notReady(let title, _): "\(title) is not downloaded. Download it first."
        case .notDownloaded(let problem, let title): "\(title) was not downloaded: \(problem.words) \(problem.advice)"
        case .notRemoved(let problem, let title): "\(title) was not removed: \(problem.words) \(problem.advice)"
        case .configuration(let error): "\(error.message) \(error.remedy)"
        case .speech(let failure): failure.message
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
