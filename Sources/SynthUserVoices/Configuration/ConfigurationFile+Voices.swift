package import SynthCatalogue
import SynthJSON
package import SynthSpeech

// Each method reads, changes and saves the file while holding the lock, so that no change is lost when two programs
// write at the same time.
extension ConfigurationFile {
    /// Replaces a voice's profile.
    ///
    /// - Throws: `settingInvalid` if a factor is out of range.
    package func setProfile(_ profile: VoiceProfile, of voice: Voice) throws(SpeechError) {
        try change { document throws(SpeechError) in
            let before = document
            document.unset(.init(voice: voice.key, factor: nil), of: voice)
            for factor in ProfileFactor.allCases {
                guard let value = profile[keyPath: factor.keyPath] else { continue }
                try document.set(factor, of: voice, to: value)
            }
            return document != before
        }
    }

    /// Removes a factor or a complete profile under every name that refers to the voice.
    ///
    /// - Returns: whether anything was removed.
    package func unset(_ path: ProfilePath, of voice: Voice) throws(SpeechError) -> Bool {
        try change { document throws(SpeechError) in document.unset(path, of: voice) }
    }

    /// Adds a voice to one list and removes it from the other.
    ///
    /// - Returns: whether the file changed.
    @discardableResult
    package func add(_ voice: Voice, to list: VoiceList) throws(SpeechError) -> Bool {
        try change { document throws(SpeechError) in
            let wasOnOther = document.remove(from: list.other) { voice.isCalled($0) }
            let isNew = document.add(voice, to: list)
            return wasOnOther || isNew
        }
    }

    /// Removes a voice from a list, under every name that refers to it.
    ///
    /// - Returns: whether the list contained it.
    @discardableResult
    package func remove(_ voice: Voice, from list: VoiceList) throws(SpeechError) -> Bool {
        try change { document throws(SpeechError) in document.remove(from: list) { voice.isCalled($0) } }
    }

    /// Removes a name from a list, even if no voice has this name.
    ///
    /// - Returns: whether the list contained it.
    package func remove(_ name: String, from list: VoiceList) throws(SpeechError) -> Bool {
        try change { document throws(SpeechError) in document.remove(from: list) { $0 == name } }
    }
}

extension ConfigurationFile {
    /// Makes a voice and its engine the default.
    ///
    /// - Parameter name: the name of a voice, a speaker or a blend of the engine.
    package func choose(_ name: String, of engine: String) throws(SpeechError) {
        try change { document throws(SpeechError) in
            try document.set("voices.\(engine)", to: name)
            try document.set("engine", to: engine)
            return true
        }
    }

    /// Makes a model and its recognizer the default.
    package func choose(_ model: RecognizerModelEntry) throws(SpeechError) {
        try change { document throws(SpeechError) in
            try document.set("recognizerModels.\(model.recognizer)", to: model.id)
            try document.set("recognizer", to: model.recognizer)
            return true
        }
    }

    /// Removes the default voice of an engine.
    ///
    /// - Parameter withEngine: whether to also remove the default engine if it is `engine`.
    /// - Returns: whether the default engine was removed.
    package func forgetVoice(of engine: String, withEngine: Bool) throws(SpeechError) -> Bool {
        var wasChosen = false
        try change { document throws(SpeechError) in
            let hadVoice = try document.unset("voices.\(engine)")
            guard withEngine, try document.configuration().engine == engine else { return hadVoice }
            wasChosen = try document.unset("engine")
            return hadVoice || wasChosen
        }
        return wasChosen
    }
}

extension ConfigurationDocument {
    /// - Throws: `settingInvalid` if the value is out of range.
    package mutating func set(_ factor: ProfileFactor, of voice: Voice, to value: Double) throws(SpeechError) {
        try factor.check(value, of: voice)
        put(.number(value), at: ProfilePath(voice: voice.key, factor: factor).steps)
    }

    /// Removes a factor or the complete profile, under every name that refers to the voice and under the name that was
    /// typed.
    ///
    /// - Returns: whether anything was removed.
    @discardableResult
    mutating func unset(_ path: ProfilePath, of voice: Voice) -> Bool {
        var found = false
        let profiles = root.members.first { $0.name == ProfilePath.root }?.node.members ?? []
        for name in profiles.map(\.name) where name == path.voice || voice.isCalled(name) {
            if take(ProfilePath(voice: name, factor: path.factor).steps) { found = true }
        }
        return found
    }

    /// - Returns: false if the list already contained the voice.
    package mutating func add(_ voice: Voice, to list: VoiceList) -> Bool {
        let elements = elements(of: list)
        if names(elements).contains(where: voice.isCalled) { return false }
        put(.array(elements + [JSONNode(.string(voice.key))]), at: [list.rawValue])
        return true
    }

    /// - Returns: whether a name was removed.
    package mutating func remove(from list: VoiceList, where isIncluded: (String) -> Bool) -> Bool {
        let elements = elements(of: list)
        let rest = elements.filter { element in
            if case .string(let name) = element.value { !isIncluded(name) } else { true }
        }
        guard rest.count < elements.count else { return false }
        if rest.isEmpty { take([list.rawValue]) } else { put(.array(rest), at: [list.rawValue]) }
        return true
    }

    private func elements(of list: VoiceList) -> [JSONNode] {
        if case .array(let elements) = root.value(at: [list.rawValue]) { elements } else { [] }
    }

    private func names(_ elements: [JSONNode]) -> [String] {
        elements.compactMap { if case .string(let name) = $0.value { name } else { nil } }
    }
}

extension ConfigurationDocument {
    func applyProfiles(
        _ profiles: JSONNode.Member, to configuration: inout Configuration
    ) throws(SpeechError) {
        guard case .object(let voices) = profiles.node.value else {
            throw mismatch(ProfilePath.root, "an object", profiles)
        }
        for voice in voices {
            let path = "\(ProfilePath.root).\(voice.name)"
            guard case .object(let factors) = voice.node.value else { throw mismatch(path, "an object", voice) }
            for member in factors {
                try applyFactor(member, path: "\(path).\(member.name)", of: voice.name, to: &configuration)
            }
        }
    }

    private func applyFactor(
        _ member: JSONNode.Member, path: String, of voice: String, to configuration: inout Configuration
    ) throws(SpeechError) {
        guard let factor = ProfileFactor(rawValue: member.name) else {
            throw .unknownKey(path, file: file, line: member.line, near: Self.nearFactor(member.name, of: voice))
        }
        guard let value = factor.factor.value(of: member.node.value) else {
            throw mismatch(path, factor.factor.expectation, member, found: factor.factor.describe(member.node))
        }
        configuration.profiles[voice, default: VoiceProfile()][keyPath: factor.keyPath] = value
    }

    /// The profile key that the user probably meant.
    static func nearFactor(_ word: String, of voice: String) -> String? {
        Suggestions.nearest(to: word, among: ProfileFactor.allCases.map(\.rawValue), limit: 1).first
            .map { "\(ProfilePath.root).\(voice).\($0)" }
    }

    /// The error for a key under "profiles" that does not name a factor.
    static func noFactor(_ path: String) -> SpeechError {
        guard let profile = ProfilePath(path), let dot = profile.voice.lastIndex(of: ".") else {
            return .namesNoFactor(key: path)
        }
        let last = String(profile.voice[profile.voice.index(after: dot)...])
        guard let near = nearFactor(last, of: String(profile.voice[..<dot])) else { return .namesNoFactor(key: path) }
        return .noSuchKey(path, near: near)
    }
}
