import CommandParts
import CommandSyntax
import Documents
import HTTPServer
import Sentences
import SpeechService
import SynthAudio
import SynthHost
import System
import Terminal
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
        case .missing(let name): "\"\(name)\" is missing."
        case .invalid(let name, let expectation): "\"\(name)\" must be \(expectation.words)."
        case .format(let name, let known): "There is no format \"\(name)\" here. There are \(Wording.all(known))."
        case .textTooLong(let limit): "The text is longer than \(limit) bytes. Send it in parts."
        case .nothingToSay: "The text has nothing to say."
        case .notDownloaded(let title, let key):
            "\(title) is not downloaded. Download it on the page, or type: synthhost models pull \(key)"
        case .speech(let failure): failure.message
        case .library(let problem): problem.serviceMessage
        case .form(let refusal): refusal.message
        case .recordingTooLong(let limit): "The file is larger than \(ByteCount.words(Int64(limit))). Send it in parts."
        case .notKept(let error): "There is no place for the file: \(error)."
        case .hearing(let failure): failure.message
        case .document(let failure): "\(failure.message(of: "The file")) \(failure.remedy)"
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

extension MultipartRefusal {
    fileprivate var message: String {
        switch self {
        case .type: "The body must be a form: multipart/form-data with a boundary."
        case .fieldTooLong: "A field of the form is too long."
        case .tooManyParts: "The form has too many parts."
        case .repeated: "A field of the form comes more than once."
        case .cutShort: "The form ends in the middle."
        case .boundary, .head, .headTooLong, .encoding: "This is no form that is read here (\(rawValue))."
        }
    }
}

extension HearingFailure {
    /// What happened, and what to do, for a client of a service.
    var message: String {
        switch self {
        case .choice(let problem): "\(problem.message) \(problem.remedy)"
        case .recognizer(let failure): failure.message
        case .sound(let error):
            ClipFailure.file(ClipError("the recording", error.reason)).message(calling: "sound")
        case .noTranslation(let name): "\(name) writes down what is said in its own language, and cannot translate."
        case .language(let tag): "\"\(tag.prefix(64))\" is no language. Write de or pt-BR."
        case .tooLong(let limit): "The sound is longer than \(Readable.duration(limit)). Send it in parts."
        case .overloaded: "Nothing more is listened to for now. Try again in a moment."
        }
    }

    /// As the commands end.
    var code: ExitCode {
        switch self {
        case .choice(let problem): CommandFailure(problem).code
        case .recognizer(let failure): CommandFailure(failure).code
        case .sound, .tooLong, .noTranslation, .language: .usage
        case .overloaded: .tryAgain
        }
    }
}
