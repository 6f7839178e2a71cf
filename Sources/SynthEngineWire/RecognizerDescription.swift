/// A recognizer's description of itself, which does not depend on loaded models.
package struct RecognizerDescription: Equatable, Sendable {
    /// The ID used in the configuration: `[a-z0-9-]+`.
    package var id: String
    package var name: String
    package var version: String
    /// An SPDX expression that covers the recognizer and the libraries that it links.
    package var license: String
    package var url: String?
    package var capabilities: Capabilities
    /// The maximum number of active lanes per process; 0 for no limit.
    package var maxLanes: UInt32
    /// The sample rate of the input audio, in hertz.
    package var sampleRate: UInt32
    /// The maximum length of a request's audio in seconds; 0 for no limit.
    package var longest: UInt32
    package var roles: [RoleDescription]
    package var models: [RecognizerModel]
    /// The names of the environment variables that the recognizer's process gets beyond those that every engine gets.
    package var variables: [String]
    /// The permissions that the recognizer requests from the user.
    package var needs: [EngineNeed]

    package init(
        id: String, name: String, version: String, license: String, url: String? = nil,
        capabilities: Capabilities = [], maxLanes: UInt32 = 0, sampleRate: UInt32, longest: UInt32 = 0,
        roles: [RoleDescription] = [], models: [RecognizerModel] = [], variables: [String] = [],
        needs: [EngineNeed] = []
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.license = license
        self.url = url
        self.capabilities = capabilities
        self.maxLanes = maxLanes
        self.sampleRate = sampleRate
        self.longest = longest
        self.roles = roles
        self.models = models
        self.variables = variables
        self.needs = needs
    }

    /// The sample rates that a recognizer may use, in hertz.
    package static let sampleRates: ClosedRange<UInt32> = 8000...48_000

    /// A recognizer's capabilities. The raw values match `synth_recognizer_capability`.
    package struct Capabilities: OptionSet, Frame {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The recognizer produces text. Without this capability, it only reports where speech begins and ends.
        package static let transcribes = Capabilities(rawValue: 1)
        package static let detectsSpeech = Capabilities(rawValue: 2)
        package static let givesPartials = Capabilities(rawValue: 4)
        package static let timesWords = Capabilities(rawValue: 8)
        package static let detectsLanguage = Capabilities(rawValue: 16)
        package static let translates = Capabilities(rawValue: 32)
        package static let heedsHints = Capabilities(rawValue: 64)
        package static let punctuates = Capabilities(rawValue: 128)
        package static let deterministic = Capabilities(rawValue: 256)
        package static let isExample = Capabilities(rawValue: 512)
    }
}

/// A model declared by a recognizer.
package struct RecognizerModel: Equatable, Sendable {
    /// The id: `[A-Za-z0-9._+-]+`, unique within the recognizer.
    package var id: String
    /// The display name.
    package var name: String
    /// Which of the recognizer's capabilities this model has.
    package var capabilities: RecognizerDescription.Capabilities
    /// The model's license; nil if it is the same as the recognizer's license.
    package var license: String?
    /// BCP 47 tags; empty for a speech detector or if the model supports any language.
    package var languages: [String]
    /// The download sources of the model's files; empty if the model is built in.
    package var sources: [SourceDescription]

    package init(
        id: String, name: String, capabilities: RecognizerDescription.Capabilities, license: String? = nil,
        languages: [String] = [], sources: [SourceDescription] = []
    ) {
        self.id = id
        self.name = name
        self.capabilities = capabilities
        self.license = license
        self.languages = languages
        self.sources = sources
    }
}

extension RecognizerDescription: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(id, name, version, license, url, capabilities, maxLanes, sampleRate, longest, roles)
        frame.write(variables, needs, models)
    }

    package init(from frame: inout FrameReader) throws {
        self.init(
            id: try frame.read(), name: try frame.read(), version: try frame.read(), license: try frame.read(),
            url: try frame.read(), capabilities: try frame.read(), maxLanes: try frame.read(),
            sampleRate: try frame.read(), longest: try frame.read())
        // The host divides by the rate and uses the ID as a file name.
        guard Self.sampleRates.contains(sampleRate), EngineDescription.isID(id) else { throw MalformedFrame() }
        roles = try frame.read()
        (variables, needs) = try frame.environment()
        models = try frame.read()
    }
}

extension RecognizerModel: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(id, name, capabilities, license, languages, sources)
    }

    package init(from frame: inout FrameReader) throws {
        self.init(
            id: try frame.read(), name: try frame.read(), capabilities: try frame.read(), license: try frame.read(),
            languages: try frame.read(), sources: try frame.read())
    }
}
