import SynthSystem

/// An engine's description of itself, which does not depend on loaded models.
package struct EngineDescription: Equatable, Sendable {
    /// The ID used in the configuration: `[a-z0-9-]+`.
    package var id: String
    package var name: String
    package var version: String
    /// An SPDX expression that covers the engine and the libraries that it links.
    package var license: String
    package var url: String?
    package var capabilities: Capabilities
    /// The maximum number of active lanes per process; 0 for no limit.
    package var maxLanes: UInt32
    /// The rates and pitches that the engine supports in requests. If a range is 1…1, the host changes the rate or the
    /// pitch itself.
    package var rate: ClosedRange<Float>
    package var pitch: ClosedRange<Float>
    package var roles: [RoleDescription]
    package var voices: [VoiceDescription]
    /// The names of the environment variables that the engine's process receives in addition to those that every engine
    /// receives.
    package var variables: [String]
    /// The permissions that the engine requests from the user.
    package var needs: [EngineNeed]

    package init(
        id: String, name: String, version: String, license: String, url: String? = nil,
        capabilities: Capabilities = [], maxLanes: UInt32 = 0, rate: ClosedRange<Float> = 1...1,
        pitch: ClosedRange<Float> = 1...1, roles: [RoleDescription] = [], voices: [VoiceDescription] = [],
        variables: [String] = [], needs: [EngineNeed] = []
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.license = license
        self.url = url
        self.capabilities = capabilities
        self.maxLanes = maxLanes
        self.rate = rate
        self.pitch = pitch
        self.roles = roles
        self.voices = voices
        self.variables = variables
        self.needs = needs
    }

    /// Whether the text is a valid engine or recognizer id: a `PlainID` with only the characters `[a-z0-9-]`.
    package static func isID(_ text: String) -> Bool { isIdentifier(text) && PlainID.flaw(of: text) == nil }

    /// Whether the text is a valid role name: `[a-z0-9-]+`.
    package static func isIdentifier(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    /// Whether the text is a valid environment variable name: `[A-Z_][A-Z0-9_]*`.
    package static func isVariable(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }

    /// An engine's capabilities in addition to speaking text. The raw values match `synth_capability`.
    package struct Capabilities: OptionSet, Frame {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let phonemes = Capabilities(rawValue: 1)
        package static let wordTimes = Capabilities(rawValue: 2)
        package static let phonemeTimes = Capabilities(rawValue: 4)
        package static let blends = Capabilities(rawValue: 8)
        package static let deterministic = Capabilities(rawValue: 16)
        package static let streams = Capabilities(rawValue: 32)
        package static let varies = Capabilities(rawValue: 64)
        package static let isExample = Capabilities(rawValue: 128)
        package static let shapesPitch = Capabilities(rawValue: 256)
        package static let whispers = Capabilities(rawValue: 512)
    }
}

/// The role of a file that an engine's voices use.
package struct RoleDescription: Hashable, Sendable {
    package var name: String
    /// Whether the file is passed with each request that uses the voice, instead of once to `load`.
    package var isOfVoice: Bool
    package var isOptional: Bool
    /// Whether the path refers to the folder of an unpacked archive.
    package var isFolder: Bool

    package init(name: String, isOfVoice: Bool, isOptional: Bool, isFolder: Bool) {
        self.name = name
        self.isOfVoice = isOfVoice
        self.isOptional = isOptional
        self.isFolder = isFolder
    }
}

/// A voice declared by an engine.
package struct VoiceDescription: Equatable, Sendable {
    /// The id: `[A-Za-z0-9._+-]+`, unique within the engine.
    package var id: String
    /// The display name.
    package var name: String
    /// A BCP 47 tag.
    package var language: String
    package var accent: String?
    package var gender: Gender
    /// The voice's license; nil if it is the same as the engine's license.
    package var license: String?
    /// The model's ID; nil if the voice does not share a model. Voices with the same model share its files.
    package var model: String?
    /// The speakers' names; empty for a single unnamed speaker.
    package var speakers: [String]
    /// The download sources of the voice's files; empty if the voice is built in.
    package var sources: [SourceDescription]

    package init(
        id: String, name: String, language: String, accent: String? = nil, gender: Gender = .unsaid,
        license: String? = nil, model: String? = nil, speakers: [String] = [], sources: [SourceDescription] = []
    ) {
        self.id = id
        self.name = name
        self.language = language
        self.accent = accent
        self.gender = gender
        self.license = license
        self.model = model
        self.speakers = speakers
        self.sources = sources
    }

    /// The gender of a voice. The raw values match `synth_gender`.
    package enum Gender: UInt8, Frame {
        case unsaid = 0
        case female = 1
        case male = 2
        case neutral = 3
    }
}

/// The download source of a voice file.
package struct SourceDescription: Equatable, Sendable {
    package var role: String
    package var url: String
    package var sha256: String
    /// The size in bytes.
    package var size: UInt64

    package init(role: String, url: String, sha256: String, size: UInt64) {
        self.role = role
        self.url = url
        self.sha256 = sha256
        self.size = size
    }
}

/// The scan cache also uses this format. Voices often share a list of speakers, so each list is written only once.
extension EngineDescription: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(id, name, version, license, url, capabilities, maxLanes, rate, pitch, roles, variables, needs)
        var lists = SpeakerLists()
        let listOfVoice = voices.map { lists.number(of: $0.speakers) }
        frame.write(UInt32(lists.bytes.count))
        for list in lists.bytes { frame.write(raw: list) }
        frame.write(UInt32(voices.count))
        for (voice, list) in zip(voices, listOfVoice) {
            frame.write(
                voice.id, voice.name, voice.language, voice.accent, voice.gender, voice.license, voice.model, list,
                voice.sources)
        }
    }

    package init(from frame: inout FrameReader) throws {
        self.init(
            id: try frame.read(), name: try frame.read(), version: try frame.read(), license: try frame.read(),
            url: try frame.read(), capabilities: try frame.read(), maxLanes: try frame.read(), rate: try frame.read(),
            pitch: try frame.read())
        // The host divides by the bounds of the ranges and uses the ID as a file name.
        guard rate.lowerBound > 0, rate.contains(1), pitch.lowerBound > 0, pitch.contains(1), Self.isID(id)
        else { throw MalformedFrame() }
        roles = try frame.read()
        (variables, needs) = try frame.environment()
        let lists: [[String]] = try frame.read()
        voices = try frame.list { frame in
            var voice = VoiceDescription(
                id: try frame.read(), name: try frame.read(), language: try frame.read(), accent: try frame.read(),
                gender: try frame.read(), license: try frame.read(), model: try frame.read())
            let list = Int(try frame.read(UInt32.self))
            guard lists.indices.contains(list) else { throw MalformedFrame() }
            voice.speakers = lists[list]
            voice.sources = try frame.read()
            return voice
        }
    }
}

extension FrameReader {
    /// Reads the variables and needs of a description.
    mutating func environment() throws -> (variables: [String], needs: [EngineNeed]) {
        let (variables, needs) = (try read([String].self), try read([EngineNeed].self))
        guard variables.allSatisfy(EngineDescription.isVariable), needs.allSatisfy({ $0.kind.variable == nil })
        else { throw MalformedFrame() }
        return (variables, needs)
    }
}

extension RoleDescription: Frame {
    package func write(to frame: inout FrameWriter) { frame.write(name, isOfVoice, isOptional, isFolder) }

    package init(from frame: inout FrameReader) throws {
        self.init(
            name: try frame.read(), isOfVoice: try frame.read(), isOptional: try frame.read(),
            isFolder: try frame.read())
    }
}

extension SourceDescription: Frame {
    package func write(to frame: inout FrameWriter) { frame.write(role, url, sha256, size) }

    package init(from frame: inout FrameReader) throws {
        self.init(role: try frame.read(), url: try frame.read(), sha256: try frame.read(), size: try frame.read())
    }
}

/// The distinct speaker lists of a description that is being written.
private struct SpeakerLists {
    private(set) var bytes: [[UInt8]] = []
    private var numbers: [[UInt8]: UInt32] = [:]
    /// The numbers of the lists, keyed by memory address so that a long list shared by many voices is encoded only
    /// once.
    private var numbersByAddress: [UnsafePointer<String>?: UInt32] = [:]

    /// Returns the number of a list. The caller must keep all lists alive while it uses this value.
    mutating func number(of speakers: [String]) -> UInt32 {
        let memory = speakers.withUnsafeBufferPointer(\.baseAddress)
        if let known = numbersByAddress[memory] { return known }
        var frame = FrameWriter()
        frame.write(speakers)
        let number = numbers[frame.bytes] ?? UInt32(bytes.count)
        if numbers.updateValue(number, forKey: frame.bytes) == nil { bytes.append(frame.bytes) }
        numbersByAddress[memory] = number
        return number
    }
}
