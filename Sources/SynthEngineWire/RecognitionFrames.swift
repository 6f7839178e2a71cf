/// A request from the host on a recognizer's lane, for one recording. A lane processes one request at a time.
package struct RecognitionJob: Equatable, Sendable {
    /// The serial number, which starts at 1 on each lane; 0 until the lane assigns it.
    package var serial: UInt64
    /// A BCP 47 tag; nil to detect the language or to use the model's only language.
    package var language: String?
    package var hints: RecognitionJobHints
    package var wants: Wants
    /// Whether the audio is live and a user is waiting for the text.
    package var isLive: Bool
    /// Whether to translate to English, regardless of the spoken language.
    package var isTranslated: Bool

    package init(
        language: String? = nil, hints: RecognitionJobHints = RecognitionJobHints(), wants: Wants = [],
        isLive: Bool = false,
        isTranslated: Bool = false, serial: UInt64 = 0
    ) {
        self.serial = serial
        self.language = language
        self.hints = hints
        self.wants = wants
        self.isLive = isLive
        self.isTranslated = isTranslated
    }

    /// The results that the recognizer should report in addition to final text.
    package struct Wants: OptionSet, Frame {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let partials = Wants(rawValue: 1)
        package static let words = Wants(rawValue: 2)
        package static let speechEvents = Wants(rawValue: 4)
        package static let leftOut = Wants(rawValue: 8)
    }
}

/// Hints about the content of the audio.
package struct RecognitionJobHints: Equatable, Sendable {
    /// The expected kind of text.
    package enum Kind: UInt8, Frame {
        case text = 0
        case number = 1
        /// One of the phrases.
        case choice = 2
    }
    package var kind: Kind
    /// Preceding text, or a sentence with names and terms.
    package var context: String?
    /// The choices, if one of them is expected; otherwise names and terms that may occur.
    package var phrases: [String]

    package init(_ kind: Kind = .text, context: String? = nil, phrases: [String] = []) {
        self.kind = kind
        self.context = context
        self.phrases = phrases
    }
}

/// A message from the host on a recognizer's lane. Audio for earlier requests is dropped.
package enum RecognitionInput: Equatable, Sendable {
    case begin(RecognitionJob)
    /// Finite samples of one channel at the recognizer's rate; up to `samplesPerFrame`.
    case sound(serial: UInt64, [Float])
    case soundEnds(serial: UInt64)
}

/// A reply from the worker on a recognizer's lane. Frame numbers are relative to the start of the request's audio.
package enum RecognitionReply: Equatable, Sendable {
    /// The recognizer has read `frame` frames. Sent regularly so that a recognizer without results is not considered
    /// hung.
    case reads(serial: UInt64, frame: UInt64)
    /// The recognizer has read `frame` frames and is waiting for more.
    case waits(serial: UInt64, frame: UInt64)
    /// The fraction of the audio that has been processed, from 0 to 1; nil if unknown.
    case progress(serial: UInt64, Float?)
    case speech(serial: UInt64, begins: Bool, frame: UInt64)
    case text(serial: UInt64, RecognizedText)
    /// The last reply to every request.
    case end(serial: UInt64, RequestOutcome)

    package var serial: UInt64 {
        switch self {
        case .reads(let serial, _), .waits(let serial, _), .progress(let serial, _), .speech(let serial, _, _),
            .text(let serial, _), .end(let serial, _):
            serial
        }
    }
}

extension RecognitionJob: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(serial, language, hints.kind, hints.context, hints.phrases, wants, isLive, isTranslated)
    }

    package init(from frame: inout FrameReader) throws {
        serial = try frame.read()
        language = try frame.read()
        hints = RecognitionJobHints(try frame.read(), context: try frame.read(), phrases: try frame.read())
        wants = try frame.read()
        isLive = try frame.read()
        isTranslated = try frame.read()
    }
}

extension RecognitionInput: Frame {
    package func write(to frame: inout FrameWriter) {
        switch self {
        case .begin(let request): frame.write(1 as UInt8, request)
        case .sound(let serial, let samples):
            frame.write(2 as UInt8, serial)
            samples.withUnsafeBufferPointer { frame.write($0) }
        case .soundEnds(let serial): frame.write(3 as UInt8, serial)
        }
    }

    package init(from frame: inout FrameReader) throws {
        switch try frame.read(UInt8.self) {
        case 1: self = .begin(try frame.read())
        case 2: self = .sound(serial: try frame.read(), try frame.samples())
        case 3: self = .soundEnds(serial: try frame.read())
        default: throw MalformedFrame()
        }
    }
}

extension RecognitionReply: Frame {
    package func write(to frame: inout FrameWriter) {
        switch self {
        case .waits(let serial, let position): frame.write(1 as UInt8, serial, position)
        case .progress(let serial, let done):
            frame.write(2 as UInt8, serial)
            frame.write(share: done)
        case .speech(let serial, let begins, let position): frame.write(3 as UInt8, serial, begins, position)
        case .text(let serial, let heard): frame.write(4 as UInt8, serial, heard)
        case .end(let serial, let outcome): frame.write(5 as UInt8, serial, outcome)
        case .reads(let serial, let position): frame.write(6 as UInt8, serial, position)
        }
    }

    package init(from frame: inout FrameReader) throws {
        let (kind, serial) = (try frame.read(UInt8.self), try frame.read(UInt64.self))
        switch kind {
        case 1: self = .waits(serial: serial, frame: try frame.read())
        case 2: self = .progress(serial: serial, try frame.share())
        case 3: self = .speech(serial: serial, begins: try frame.read(), frame: try frame.read())
        case 4: self = .text(serial: serial, try frame.read())
        case 5: self = .end(serial: serial, try frame.read())
        case 6: self = .reads(serial: serial, frame: try frame.read())
        default: throw MalformedFrame()
        }
    }
}
