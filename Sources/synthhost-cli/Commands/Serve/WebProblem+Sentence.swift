import SynthAudio
import SynthCommandSyntax
import SynthDocuments
import SynthHost
import SynthHTTPServer
import SynthService
import SynthSystem
import SynthTerminal
import SynthWeb

extension WebProblem {
    /// The problem and a remedy.
    var message: String {
        switch self {
        case .refused(.socketUpgrade): "This path accepts only WebSocket connections."
        case .refused(let refusal): "The request is not valid HTTP (\(refusal))."
        case .late: "The request took too long."
        case .notFound: "This path does not exist."
        case .method(let allowed): "This path accepts only \(Wording.all(allowed))."
        case .host:
            "The Host header does not match this service. If the service is behind a proxy, start it with --http-name "
                + "NAME."
        case .origin:
            "Pages from other origins cannot use this service. If the service is behind a proxy, forward the Host header. To allow the "
                + "page, start the service with --http-origin ORIGIN."
        case .tokenNeeded:
            "This request needs the token. Open the link that `synthhost serve` printed, or send Authorization: Bearer TOKEN."
        case .wrongToken: "The token is invalid. Open the link that `synthhost serve` printed."
        case .tooManyTokens: "There were too many requests with an invalid token. Wait a minute, then try again."
        case .tooManyRequests: "There were too many requests. Wait a second, then try again."
        case .busy: "The service is busy. Try again in a moment."
        case .ending: "The service is shutting down."
        case .notJSON(let line?): "The body is not valid JSON: see line \(line)."
        case .notJSON(nil): "The body must be a JSON object."
        case .missing(let name): "\"\(name)\" is missing."
        case .invalid(let name, let expectation): "\"\(name)\" must be \(expectation.words)."
        case .unknownField(let name, let known):
            "\"\(name.prefix(64))\" is not a field of this request. Its fields are \(Wording.all(known))."
        case .unknownModel(let name, let known):
            "No speech model is called \"\(name.prefix(64))\". Use tts-1 for the default voice, or an engine: "
                + "\(Wording.either(known))."
        case .format(let name, let known):
            "The format \"\(name)\" is not supported. Supported formats are \(Wording.all(known))."
        case .textTooLong(let limit): "The text is longer than \(limit) bytes. Send it in parts."
        case .nothingToSay: "The text contains nothing to speak. Send text with at least one word."
        case .notDownloaded(let title, let key):
            "\(title) is not downloaded. Download it on the page, or type: synthhost models pull \(key)"
        case .error(let error): error.serviceMessage
        case .form(let refusal): refusal.formMessage
        case .realtime(.emptyBuffer): "No audio has been sent since the last commit."
        case .realtime(.responseActive): "A response is being spoken. Cancel it, or wait for response.done."
        case .realtime(.noResponse): "No response is being spoken."
        case .realtime(.idle): "The session was closed because nothing was sent for five minutes."
        case .realtime(.expired): "The session was closed after two hours of audio. Open a new one."
        case .recordingTooLong(let limit): "The file is larger than \(ByteCount.words(Int64(limit))). Send it in parts."
        case .notKept(let error):
            "Cannot store the file on the computer that runs synthhost: \(error). Free some space in its folder for temporary files "
                + "(/var/tmp, unless TMPDIR specifies a different one for `synthhost serve`), then send the file again."
        }
    }
}

extension WebProblem.Expectation {
    fileprivate var words: String {
        switch self {
        case .text: "a string"
        case .name(let longest): "a name of at most \(longest) bytes"
        case .flag: "true or false"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .oneOf(let names): Wording.either(names)
        }
    }
}

extension HTTPRefusal {
    /// The message about an invalid form.
    fileprivate var formMessage: String {
        switch self {
        case .formType: "The body must be a form: multipart/form-data with a boundary."
        case .formFieldTooLong: "A form field is too long."
        case .formTooManyParts: "The form has too many parts."
        case .formRepeated: "A form field occurs more than once."
        case .formCutShort: "The form is incomplete."
        default:
            "The form is not supported "
                + "(\(rawValue.dropFirst("form".count).prefix(1).lowercased() + rawValue.dropFirst("form".count + 1)))."
        }
    }
}

extension SpeechError {
    /// The problem, and the remedy if a client of the service can apply it.
    var serviceMessage: String {
        if let flaw = (cause as? AudioError)?.clip, flaw.use == .recording {
            return [flaw.message(of: "the recording"), flaw.serviceAdvice].compactMap(\.self).joined(separator: " ")
        }
        return switch code {
        case .documentUnsupported:
            [
                remedy == .convertDocument ? "The file is not a supported document." : message,
                "Send EPUB, PDF, DOCX, FB2, HTML, Markdown or plain text.",
            ].joined(separator: " ")
        case _ where Self.withRemedy.contains(code):
            [message, remedy?.serviceAdvice(after: facts.status)].compactMap(\.self).joined(separator: " ")
        default: message
        }
    }

    /// Errors that a client or user of the service can remedy.
    private static let withRemedy: Set<Code> = [
        .diskFull, .downloadFailed, .removalFailed, .filesBusy, .storeFailed, .configurationInvalid,
        .configurationNotWritten, .settingInvalid, .documentEncrypted, .documentDamaged, .documentTooLarge,
        .documentEmpty, .documentNotRead,
        .recognizerMissing, .recognizerUnknown, .modelUnknown, .modelMissing, .modelLanguageUnsupported,
        .modelNotDownloaded, .recognizerNotLoaded, .voiceKeyUnknown, .voiceInUse,
        .voiceNotSingle, .precisionUnknown,
    ]

    /// - Parameter path: the path of the recording on this machine.
    func message(ofFile path: String) -> String {
        guard let error = (cause as? AudioError)?.clip else { return serviceMessage }
        return ["\(error.message(of: "the recording \(path)"))", remedy?.command].compactMap(\.self)
            .joined(separator: " ")
    }
}

extension SpeechError.Remedy {
    /// Returns a remedy for a client of the service. For some errors, the page shows a button, so the remedy contains
    /// no command.
    ///
    /// - Parameter status: the HTTP status of a server's response.
    func serviceAdvice(after status: Int?) -> String {
        switch self {
        case .resumeDownload(_, after: .offline):
            "Restart the service without --offline and with SYNTHHOST_OFFLINE unset."
        case .resumeDownload(_, after: .fullDisk), .freeSpace: "Free some space, then try again."
        case .resumeDownload(_, after: .permissions(let folder)):
            "Check the permissions of \(folder), then try again."
        case .resumeDownload(_, after: .fileLimit): "Raise the file size limit, then try again."
        case .resumeDownload: "Check the connection, then try again: the download will resume."
        case .update where status == 429: "Wait a few minutes, then try again."
        case .update: "Update synthhost, or choose a different voice."
        // Omit the file name, which is meaningless to the client.
        case .prepareDocument(let command) where !command.hasPrefix("sudo "):
            "Convert the document with \(command.prefix { $0 != " " }) first."
        default: command
        }
    }
}

extension ClipFlaw {
    /// A sentence that lists the formats that the client can send instead, or nil if they are already listed in the message.
    fileprivate var serviceAdvice: String? {
        switch reason {
        case .converterMissing:
            "Send one of these formats, or install ffmpeg on the machine that runs the service: sudo apt install ffmpeg"
        case .notDecodable, .formatUnusable, .conversionFailed, .undecodable: "Send WAV, FLAC, MP3, Ogg Vorbis or Opus."
        case .empty, .unknownFormat, .withoutSound: "Send an audio file, or a video with an audio track."
        default: nil
        }
    }
}
