import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthJSON
package import SynthSpeech

/// A key of the configuration file. `all` is the single definition of the keys' names, types, ranges, help texts and
/// properties. All code that reads, writes, shows or explains the file uses these definitions.
package struct ConfigurationKey: Sendable {
    /// The property that stores the value.
    package typealias Property<Value> = any WritableKeyPath<Configuration, Value> & Sendable

    /// The value's type and the property that stores it.
    package enum Kind: Sendable {
        case text(Property<String?>)
        case factor(Property<Double>, SpeechFactor)
        case flag(Property<Bool>)
        /// A number in multiples of `unit`.
        case time(Property<Duration>, unit: Duration, ClosedRange<Double>)
        /// An object with string values and user-defined keys, such as clip names or engine IDs.
        case textByName(Property<[String: String]>, isOfClips: Bool = false)
        case profiles(Property<[String: VoiceProfile]>)
        case voices(Property<[String]>)
        /// A list of voices. An empty list and a missing list have different meanings.
        case voicesOrNone(Property<[String]?>)
        /// One of several words. `write` returns false for any other word.
        case choice(
            expectation: String, read: @Sendable (Configuration) -> String,
            write: @Sendable (String, inout Configuration) -> Bool)
    }

    /// The dotted path, such as "limits.loadSeconds".
    package let path: String
    package let help: String
    let kind: Kind

    package static let all: [ConfigurationKey] = [
        key("engine", .text(\.engine), "the speech engine to use"),
        key("voices", .textByName(\.voices), "the default voice of each engine"),
        key("rate", .factor(\.rate, .rate), "the speaking rate of all voices"),
        key("pitch", .factor(\.pitch, .pitch), "the pitch of all voices"),
        key("volume", .factor(\.volume, .volume), "the volume of all voices"),
        key("whisper", .flag(\.whisper), "whisper, if the engine supports it"),
        key(
            ProfilePath.root, .profiles(\.profiles),
            "settings for individual voices, such as profiles.VOICE.rate, which is multiplied by the overall rate"),
        key(VoiceList.favorites.rawValue, .voices(\.favorites), "the voices to list first"),
        key(
            VoiceList.hidden.rawValue, .voices(\.hidden),
            "the voices to hide from lists; you can still use them by name"),
        key(
            "clips", .textByName(\.clips, isOfClips: true),
            "the audio files that scripts can use by name, such as clips.chime; relative paths are resolved against "
                + "this file's folder"
        ),
        key("device", .text(\.device), "the ALSA device to play on"),
        key("recognizer", .text(\.recognizer), "the recognizer to use"),
        key("recognizerModels", .textByName(\.recognizerModels), "the default model of each recognizer"),
        key("language", .text(\.language), "the default language of text, such as en-GB"),
        key(
            "languages", .textByName(\.languages),
            "the voices for words in other languages, such as languages.ru"),
        key(
            "openai", .textByName(\.openai),
            "the voices to use for OpenAI's voice names, such as openai.alloy"),
        key(
            "keepVoice", .flag(\.keepVoice),
            "speak words in other languages with the text's voice, even if it can only spell them out"),
        key("pauses.sentenceSeconds", pause(\.pauses.sentence), "the silence after a sentence"),
        key("pauses.paragraphSeconds", pause(\.pauses.paragraph), "the silence after a paragraph"),
        key("pauses.headingSeconds", pause(\.pauses.heading), "the silence after a heading"),
        key(
            "pauses.chapterSeconds", pause(\.pauses.chapter),
            "the silence before each chapter when a book is read aloud or written to a single file"),
        key(
            fallback, .voicesOrNone(\.fallback),
            "the fallback voices if an engine fails, in order of preference; none disables the fallback"
        ),
        key("autoDownload", .flag(\.autoDownload), "download missing voices without asking"),
        key(
            "precision", choice(\.precision, "automatic, exact or fast"),
            "the precision of neural voices: exact, fast (8-bit integer arithmetic, if the processor supports it) or "
                + "automatic"
        ),
        key("limits.scanSeconds", seconds(\.limits.scan), "the timeout for scanning an engine"),
        key("limits.loadSeconds", seconds(\.limits.load), "the timeout for loading a model"),
        key("limits.audioSeconds", seconds(\.limits.audio), "the timeout for each block of audio from an engine"),
        key(
            "limits.idleSeconds", seconds(\.limits.idle),
            "the timeout for each block of audio while the worker uses no CPU time"),
        key(
            "limits.awaitedSeconds", seconds(\.limits.awaited),
            "the timeout for each block of audio while a listener is waiting and there is a fallback voice"),
        key(
            "limits.restSeconds", seconds(\.limits.rest),
            "how long a service avoids an engine that failed three times within a minute"),
        key(
            "limits.cancelGraceMilliseconds",
            .time(\.limits.cancelGrace, unit: .milliseconds(1), 1...600_000),
            "how long an engine may take to react to a cancellation"),
        key(
            "limits.killGraceSeconds", seconds(\.limits.killGrace),
            "how long a worker may take to exit before it is killed"
        ),
        key(
            "limits.confinement", choice(\.limits.confinement, "usual, required or off"),
            "the confinement of engines: usual (as far as the kernel supports it), "
                + "required (engines do not run without it) or off"
        ),
    ]

    package static let fallback = "fallback"

    /// Finds the key for a dotted path. If the key has user-defined names, also returns the name that follows the key
    /// in the path.
    static func find(_ path: String) -> (key: ConfigurationKey, name: String?)? {
        if let key = all.first(where: { $0.path == path }) { return (key, nil) }
        for key in all where key.hasNames {
            if path.hasPrefix(key.path + "."), path.count > key.path.count + 1 {
                return (key, String(path.dropFirst(key.path.count + 1)))
            }
        }
        return nil
    }

    /// Whether the key's value is an object with user-defined names.
    private var hasNames: Bool {
        if case .profiles = kind { true } else { holdsTexts }
    }

    /// Whether the key's value is an object that maps user-defined names to strings.
    var holdsTexts: Bool {
        if case .textByName = kind { true } else { false }
    }

    var isText: Bool {
        if case .text = kind { true } else { holdsTexts }
    }

    /// The expected value, phrased to follow "must be".
    package var expectation: String { expectation(of: nil) }

    /// - Parameter name: the name that follows the key in the path, for a key with user-defined names.
    func expectation(of name: String?) -> String {
        switch kind {
        case .text: "non-empty text"
        case .factor(_, let factor): factor.expectation
        case .time(_, _, let range):
            "a number from \(JSONWriter.text(of: range.lowerBound)) to \(JSONWriter.text(of: range.upperBound))"
        case .flag: "true or false"
        case .textByName: "an object with string values"
        case .profiles:
            name.flatMap(ProfilePath.init(name:))?.factor?.factor.expectation
                ?? "an object with rate, pitch, volume and pause for each voice"
        case .voices: "a list of voices, separated by commas"
        case .voicesOrNone: "a list of voices, separated by commas, or none"
        case .choice(let expectation, _, _): expectation
        }
    }

    /// Stores a value from the file in the configuration. Returns false if the value is invalid.
    func assign(_ value: JSONNode.Value, name: String?, to configuration: inout Configuration) -> Bool {
        switch (kind, value) {
        case (.text(let keyPath), .string(let text)) where !text.isEmpty:
            configuration[keyPath: keyPath] = text
        case (.factor(let keyPath, let factor), _):
            guard let number = factor.value(of: value) else { return false }
            configuration[keyPath: keyPath] = number
        case (.profiles(let keyPath), _):
            guard let path = name.flatMap(ProfilePath.init(name:)), let factor = path.factor,
                let number = factor.factor.value(of: value)
            else { return false }
            configuration[keyPath: keyPath][path.voice, default: VoiceProfile()][keyPath: factor.keyPath] = number
        case (.voices(let keyPath), .array(let elements)):
            guard let names = Self.names(elements) else { return false }
            configuration[keyPath: keyPath] = names
        case (.voicesOrNone(let keyPath), .array(let elements)):
            guard let names = Self.names(elements) else { return false }
            configuration[keyPath: keyPath] = names
        case (.flag(let keyPath), .boolean(let flag)):
            configuration[keyPath: keyPath] = flag
        case (.time(let keyPath, let unit, let range), .number(let number)) where range.contains(number):
            configuration[keyPath: keyPath] = unit * number
        case (.textByName(let keyPath, _), .string(let text)):
            guard !text.isEmpty, let name else { return false }
            configuration[keyPath: keyPath][name] = text
        case (.choice(_, _, let write), .string(let word)):
            return write(word, &configuration)
        default:
            return false
        }
        return true
    }

    /// Describes an invalid value for an error message: a string in quotation marks if the key is a factor; otherwise,
    /// the kind of value.
    func describe(_ node: JSONNode) -> String {
        if case .factor(_, let factor) = kind { factor.describe(node) } else { node.kindName }
    }

    /// Returns the effective value as JSON, or nil if the key has no value.
    func value(in configuration: Configuration, name: String?) -> JSONNode.Value? {
        switch kind {
        case .text(let keyPath): return configuration[keyPath: keyPath].map { .string($0) }
        case .factor(let keyPath, _): return .number(configuration[keyPath: keyPath])
        case .flag(let keyPath): return .boolean(configuration[keyPath: keyPath])
        case .choice(_, let read, _): return .string(read(configuration))
        case .time(let keyPath, let unit, _): return .number(configuration[keyPath: keyPath] / unit)
        case .textByName(let keyPath, _):
            let texts = configuration[keyPath: keyPath]
            if let name { return texts[name].map { .string($0) } }
            return .object(texts.map { JSONNode.Member(name: $0.key, node: JSONNode(.string($0.value))) })
        case .voices(let keyPath): return Self.list(configuration[keyPath: keyPath])
        case .voicesOrNone(let keyPath): return configuration[keyPath: keyPath].map(Self.list)
        case .profiles(let keyPath):
            let profiles = configuration[keyPath: keyPath]
            guard let path = name.flatMap(ProfilePath.init(name:)) else {
                let sorted = profiles.sorted { $0.key < $1.key }
                return .object(sorted.map { JSONNode.Member(name: $0.key, node: JSONNode($0.value.json)) })
            }
            guard let factor = path.factor else { return profiles[path.voice]?.json }
            return profiles[path.voice]?[keyPath: factor.keyPath].map { .number($0) }
        }
    }

    /// Parses a value from the command line. Returns nil if it does not match the key's type.
    ///
    /// - Parameter name: the name that follows the key in the path, for a key with user-defined names.
    func parse(_ text: String, name: String?) -> JSONNode.Value? {
        switch kind {
        case .text, .textByName: return UserChosenName.isOneLine(text) ? .string(text) : nil
        case .flag:
            switch text.lowercased() {
            case "true", "yes", "on": return .boolean(true)
            case "false", "no", "off": return .boolean(false)
            default: return nil
            }
        case .factor(_, let factor):
            return factor.value(of: text).map { .number($0) }
        case .profiles:
            return name.flatMap(ProfilePath.init(name:))?.factor?.factor.value(of: text).map { .number($0) }
        case .voices:
            return VoiceList.names(in: text).map(Self.list)
        case .voicesOrNone:
            return VoiceList.namesOrNone(in: text).map(Self.list)
        case .choice: return .string(text.lowercased())
        case .time:
            guard let node = try? JSONReader.read(Array(text.utf8)), case .number = node.value else { return nil }
            return node.value
        }
    }

    /// Returns nil if any element is not a name.
    private static func names(_ elements: [JSONNode]) -> [String]? {
        let names = elements.compactMap { if case .string(let name) = $0.value, !name.isEmpty { name } else { nil } }
        return names.count == elements.count ? names : nil
    }

    private static func list(_ names: [String]) -> JSONNode.Value { .array(names.map { JSONNode(.string($0)) }) }

    private static func key(_ path: String, _ kind: Kind, _ help: String) -> ConfigurationKey {
        ConfigurationKey(path: path, help: help, kind: kind)
    }

    private static func choice<Value: RawRepresentable<String> & Sendable>(
        _ keyPath: Property<Value>, _ expectation: String
    ) -> Kind {
        .choice(expectation: expectation, read: { $0[keyPath: keyPath].rawValue }) { word, configuration in
            guard let value = Value(rawValue: word) else { return false }
            configuration[keyPath: keyPath] = value
            return true
        }
    }

    private static func pause(_ keyPath: Property<Duration>) -> Kind { .time(keyPath, unit: .seconds(1), 0...30) }

    private static func seconds(_ keyPath: Property<Duration>) -> Kind {
        .time(keyPath, unit: .seconds(1), 0.1...86_400)
    }
}
