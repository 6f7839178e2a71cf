import SynthAudio
import SynthCatalogue
import SynthDocuments
package import SynthHost
package import SynthHTTPServer
import SynthJSON
import SynthService
package import SynthSystem

/// The messages for HTTP clients, supplied by the program that runs the server.
package struct WebMessages: Sendable {
    package let problem: @Sendable (WebProblem) -> String
    /// Reports a deviation from a speech request to the program's user. Called on any thread.
    package let note: @Sendable (SpeechNotice) -> Void

    package init(
        problem: @escaping @Sendable (WebProblem) -> String, note: @escaping @Sendable (SpeechNotice) -> Void
    ) {
        self.problem = problem
        self.note = note
    }
}

/// A problem with a request. The program that runs the server supplies the message.
package enum WebProblem: Sendable {
    /// The expected type of a value.
    package enum Expectation: Equatable, Sendable {
        case text
        /// A string with a maximum length in UTF-8 bytes.
        case name(longest: Int)
        case flag
        case number(ClosedRange<Double>)
        case oneOf([String])
    }

    /// The request is not valid HTTP.
    case refused(HTTPRefusal)
    /// The request timed out.
    case late
    case notFound
    case method(allowed: [String])
    /// The Host header does not match this service.
    case host
    /// The request comes from a web page of another origin.
    case origin
    case tokenNeeded
    case wrongToken
    case tooManyTokens
    /// The client has exceeded its request rate.
    case tooManyRequests
    /// The service is overloaded.
    case busy
    case ending
    /// The body is not a JSON object.
    ///
    /// - Parameter line: the line number of the syntax error, or nil if the body is valid JSON of a different type.
    case notJSON(line: Int?)
    case missing(String)
    case invalid(String, Expectation)
    /// The body has an unknown member, or the form has an unknown field.
    case unknownField(String, known: [String])
    /// No speech engine or model has this name.
    case unknownModel(String, known: [String])
    /// The format is not supported.
    case format(String, known: [String])
    /// The text exceeds the limit, which is given in UTF-8 bytes.
    case textTooLong(limit: Int)
    case nothingToSay
    /// The voice must be downloaded first.
    case notDownloaded(title: String, key: String)
    /// An error from the voice library, a voice, a recognizer or a document.
    case error(SpeechError)
    /// The body is not a valid form.
    case form(HTTPRefusal)
    case realtime(RealtimeProblem)
    /// The uploaded file exceeds the limit in bytes.
    case recordingTooLong(limit: Int)
    /// The upload could not be written to a temporary file.
    case notKept(Errno)
}

/// A problem specific to realtime sessions. The raw value is OpenAI's error code.
package enum RealtimeProblem: String, Sendable {
    /// The audio buffer is empty.
    case emptyBuffer = "input_audio_buffer_commit_empty"
    /// Another response is active.
    case responseActive = "conversation_already_has_active_response"
    case noResponse = "response_cancel_not_active"
    /// The client has been idle for too long.
    case idle = "session_idle"
    /// The session has reached its audio limit.
    case expired = "session_expired"
}

extension WebProblem {
    package var status: HTTPStatus { answer.status }

    /// The machine-readable error code.
    package var code: String { answer.code }

    private var answer: (status: HTTPStatus, code: String) {
        switch self {
        case .refused(let refusal): (refusal.status, "bad_request")
        case .late: (.requestTimeout, "too_slow")
        case .notFound: (.notFound, "not_found")
        case .method: (.methodNotAllowed, "method_not_allowed")
        case .host: (.misdirectedRequest, "unknown_host")
        case .origin: (.forbidden, "foreign_origin")
        case .tokenNeeded: (.unauthorized, "token_needed")
        case .wrongToken: (.unauthorized, "bad_token")
        case .tooManyTokens: (.tooManyRequests, "too_many_tokens")
        case .tooManyRequests: (.tooManyRequests, "too_many_requests")
        case .busy: (.serviceUnavailable, "busy")
        case .ending: (.serviceUnavailable, "ending")
        // Do not use 5xx, 429, 409 or 408 for these problems, because clients would then keep retrying the request to
        // no avail.
        case .notDownloaded: (.notFound, "voice_not_downloaded")
        case .unknownModel: (.notFound, "unknown_model")
        case .notJSON: (.badRequest, "not_json")
        case .missing: (.badRequest, "missing_parameter")
        case .invalid: (.badRequest, "invalid_parameter")
        case .unknownField: (.badRequest, "unknown_parameter")
        case .format: (.badRequest, "unsupported_format")
        case .nothingToSay: (.badRequest, "nothing_to_say")
        case .textTooLong: (.contentTooLarge, "text_too_long")
        case .error(let error): (error.isOfFullDisk ? .insufficientStorage : error.code.status, error.code.word)
        case .recordingTooLong: (.contentTooLarge, "sound_too_long")
        case .form(let refusal): (refusal.status, "bad_form")
        case .notKept: (.insufficientStorage, "not_kept")
        case .realtime(let problem): (.badRequest, problem.rawValue)
        }
    }

    /// The name of the missing or invalid request parameter, or nil if no parameter is at fault.
    package var parameter: String? {
        switch self {
        case .missing(let name), .invalid(let name, _): name
        case .unknownField(let name, _): String(name.prefix(64))
        case .unknownModel: "model"
        case .format: "response_format"
        case .textTooLong, .nothingToSay: "input"
        case .notDownloaded: "voice"
        case .error(let error): error.code.parameter
        case .recordingTooLong: "file"
        default: nil
        }
    }

    /// The error type in OpenAI's API.
    var kind: String {
        switch status {
        case .unauthorized, .forbidden, .misdirectedRequest: "authentication_error"
        case .notFound: "not_found_error"
        case .tooManyRequests: "rate_limit_error"
        default: status.code >= 500 ? "server_error" : "invalid_request_error"
        }
    }

    /// The number of seconds after which a retry may succeed, or nil if retrying does not help.
    var retryAfter: Int? {
        switch self {
        case .tooManyTokens: 60
        case .busy, .ending, .tooManyRequests: 1
        case .error(let error) where error.code == .overloaded: 1
        default: nil
        }
    }

    /// Returns the error object in OpenAI's format: `{"error": {…}}`.
    func json(_ words: WebMessages) -> JSONNode {
        let error: [JSONNode.Member] = [
            .init("message", words.problem(self)), .init("type", kind),
            .init("param", parameter.map { .string($0) } ?? .null), .init("code", code),
        ]
        return JSONNode([.init("error", .object(error))])
    }

}

extension SpeechError {
    /// Whether a full disk prevented a change to the voices.
    fileprivate var isOfFullDisk: Bool {
        [.downloadFailed, .removalFailed].contains(code) && (cause as? any ErrorCause)?.code == .diskFull
    }
}

/// Why a route ended before its response was complete.
enum WebFailure: Error, Sendable {
    /// A problem to report to the client. If part of the response has been sent, the connection is reset instead, so
    /// that the client detects the failure.
    case problem(WebProblem)
    /// The client has disconnected, or has stopped receiving.
    case lost
    /// The service has cancelled the work.
    case stopped

    /// Converts any error that ends a route to a failure.
    init(_ error: any Error) {
        switch error {
        case let failure as WebFailure: self = failure
        case let refusal as HTTPRefusal: self = .problem(refusal.isOfForm ? .form(refusal) : .refused(refusal))
        case let error as SpeechError: self.init(error)
        case let cause as any ErrorCause: self = .problem(.error(SpeechError(cause)))
        // Routes throw no other errors.
        default: self = .stopped
        }
    }

    private init(_ error: SpeechError) {
        if error.code == .voiceNotDownloaded, case .downloadVoice(let key)? = error.remedy,
            let title = error.facts.voice
        {
            self = .problem(.notDownloaded(title: title, key: key))
        } else {
            self = .problem(.error(error))
        }
    }
}
