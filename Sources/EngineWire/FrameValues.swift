/// The parameters of an engine's `load`.
package struct LoadRequest: Hashable, Sendable {
    /// The model's id.
    package var id: String
    /// CPU threads for one utterance; 0 = the engine decides.
    package var threads: UInt32
    /// An existing folder for this engine only; nil = write nothing.
    package var cacheDirectory: String?
    package var files: [HandedFile]

    package init(id: String, threads: UInt32 = 0, cacheDirectory: String? = nil, files: [HandedFile] = []) {
        self.id = id
        self.threads = threads
        self.cacheDirectory = cacheDirectory
        self.files = files
    }
}

/// A complete and verified file.
package struct HandedFile: Hashable, Sendable {
    package var role: String
    /// Absolute.
    package var path: String

    package init(role: String, path: String) {
        self.role = role
        self.path = path
    }
}

/// A voice in a request.
package struct VoiceUse: Hashable, Sendable {
    package var id: String
    /// nil = the voice's first.
    package var speaker: String?
    package var weight: Float
    package var files: [HandedFile]

    package init(id: String, speaker: String? = nil, weight: Float = 1, files: [HandedFile] = []) {
        self.id = id
        self.speaker = speaker
        self.weight = weight
        self.files = files
    }
}

/// The text to speak. At most 65 536 bytes, no NUL.
package enum SpokenText: Hashable, Sendable {
    case text(String)
    /// IPA, words separated by a space.
    case phonemes(String)
    /// Text in which `[[ … ]]` holds IPA.
    case textAndPhonemes(String)

    package var content: String {
        switch self {
        case .text(let content), .phonemes(let content), .textAndPhonemes(let content): content
        }
    }
}

package struct EventKinds: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let sentence = EventKinds(rawValue: 1)
    package static let word = EventKinds(rawValue: 2)
    package static let phoneme = EventKinds(rawValue: 4)
}

/// The start of a sentence, word or phoneme in the audio.
package struct SpeechEvent: Equatable, Sendable {
    /// One bit.
    package var kind: EventKinds
    /// Its first frame, counted from the request's `begin`.
    package var frame: UInt64
    /// 0 = until the next of its kind, or the end.
    package var frameCount: UInt64
    /// Its bytes in the request's text, on Unicode scalar boundaries.
    package var text: Range<Int>
    /// The IPA of a phoneme.
    package var label: String?

    package init(kind: EventKinds, frame: UInt64, frameCount: UInt64, text: Range<Int>, label: String? = nil) {
        self.kind = kind
        self.frame = frame
        self.frameCount = frameCount
        self.text = text
        self.label = label
    }
}

package enum LogSeverity: UInt8, Sendable {
    case debug = 0
    case info = 1
    case warning = 2
}
