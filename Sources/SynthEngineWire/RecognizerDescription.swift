/// A recognizer's description of itself, which does not depend on loaded models.
package struct RecognizerDescription: Equatable, Sendable {
    /// The id used in the configuration: `[a-z0-9-]+`.
    package var id: String
    package var name: String
    package var version: String
    /// An SPDX expression that covers the recognizer and the libraries that it links.
    package var licence: String
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
    /// The names of the environment variables that the recognizer's process gets in addition to those that every engine
    /// gets.
    package var variables: [String]
    /// The permissions that the recognizer requests from the user.
    package var needs: [EngineNeed]

    package init(
        id: String, name: String, version: String, licence: String, url: String? = nil,
        capabilities: Capabilities = [], maxLanes: UInt32 = 0, sampleRate: UInt32, longest: UInt32 = 0,
        roles: [RoleDescription] = [], models: [RecognizerModel] = [], variables: [String] = [],
        needs: [EngineNeed] = []
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.licence = licence
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
    package struct Capabilities: OptionSet, Equatable, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Produces text. A recognizer without this capability only reports where speech begins and ends.
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
    package var licence: String?
    /// BCP 47 tags; empty for a speech detector, or if the model supports any language.
    package var languages: [String]
    /// The files' download URLs; empty if the model is built in.
    package var sources: [SourceDescription]

    package init(
        id: String, name: String, capabilities: RecognizerDescription.Capabilities, licence: String? = nil,
        languages: [String] = [], sources: [SourceDescription] = []
    ) {
        self.id = id
        self.name = name
        self.capabilities = capabilities
        self.licence = licence
        self.languages = languages
        self.sources = sources
    }
}

extension RecognizerDescription: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(id)
        frame.write(name)
        frame.write(version)
        frame.write(licence)
        frame.write(url)
        frame.write(capabilities.rawValue)
        frame.write(maxLanes)
        frame.write(sampleRate)
        frame.write(longest)
        frame.write(roles) { $0.write($1) }
        frame.write(variables) { $0.write($1) }
        frame.write(needs) { $1.write(to: &$0) }
        frame.write(models) { frame, model in
            frame.write(model.id)
            frame.write(model.name)
            frame.write(model.capabilities.rawValue)
            frame.write(model.licence)
            frame.write(model.languages) { $0.write($1) }
            frame.write(model.sources) { $0.write($1) }
        }
    }

    package init(from frame: inout FrameReader) throws {
        self.init(
            id: try frame.string(), name: try frame.string(), version: try frame.string(),
            licence: try frame.string(), url: try frame.optionalString(),
            capabilities: Capabilities(rawValue: try frame.number()), maxLanes: try frame.number(),
            sampleRate: try frame.number(), longest: try frame.number())
        // The host divides by the rate, and uses the id as a file name.
        guard Self.sampleRates.contains(sampleRate), EngineDescription.isID(id) else { throw MalformedFrame() }
        roles = try frame.list { frame in try RoleDescription(from: &frame) }
        variables = try frame.list { frame in try frame.string() }
        guard variables.allSatisfy(EngineDescription.isVariable) else { throw MalformedFrame() }
        needs = try frame.list { frame in try EngineNeed(from: &frame) }
        guard needs.allSatisfy({ $0.kind.variable == nil }) else { throw MalformedFrame() }
        models = try frame.list { frame in
            RecognizerModel(
                id: try frame.string(), name: try frame.string(),
                capabilities: Capabilities(rawValue: try frame.number()), licence: try frame.optionalString(),
                languages: try frame.list { frame in try frame.string() },
                sources: try frame.list { frame in try SourceDescription(from: &frame) })
        }
    }
}
