import SynthCatalogue
import SynthJSON
import SynthSpeech

/// The contents of a configuration file, with only the keys that are set.
struct ConfigurationDocument: Equatable, Sendable {
    let file: String
    private(set) var root: JSONNode

    /// Parses a configuration file. An empty file, as created by an editor or `touch`, is parsed as an empty object.
    ///
    /// - Throws: `configurationInvalid` if the text is not a single JSON object.
    init(_ bytes: [UInt8], file: String) throws(SpeechError) {
        self.file = file
        guard bytes.contains(where: { $0 > 0x20 }) else {
            root = JSONNode(.object([]), line: 1)
            return
        }
        do {
            root = try JSONReader.read(bytes)
        } catch {
            throw .configurationNotJSON(file: file, line: error.line, column: error.column, reason: error.reason)
        }
        guard case .object = root.value else {
            throw .configurationNotObject(file: file, line: root.line, found: root.kindName)
        }
    }

    func configuration() throws(SpeechError) -> Configuration {
        var configuration = Configuration()
        try apply(root.members, prefix: "", to: &configuration)
        return configuration
    }

    /// Sets a key by its dotted path. Missing objects are created. Other keys in the file are not validated.
    mutating func set(_ path: String, to text: String) throws(SpeechError) {
        let (key, name) = try Self.key(path)
        if case .textByName(_, let isOfClips) = key.kind, name == nil {
            throw isOfClips ? .namesNoClip(key: path) : .namesNoEngine(key: path)
        }
        if case .profiles = key.kind, name.flatMap(ProfilePath.init(name:))?.factor == nil { throw Self.noFactor(path) }
        var probe = Configuration()
        guard let value = key.parse(text, name: name), key.assign(value, name: name, to: &probe) else {
            let expectation = key.isText ? "a line of text without control characters" : key.expectation(of: name)
            throw .notSettable(key: path, value: text, expected: expectation)
        }
        put(value, at: Self.steps(to: key, name))
    }

    /// Removes a key or a group of keys. Unknown keys can also be removed, so that users can correct mistakes in the
    /// file.
    ///
    /// - Returns: whether the file contained the key or group.
    mutating func unset(_ path: String) throws(SpeechError) -> Bool {
        let found = ConfigurationKey.find(path)
        // The component after a trailing dot is empty, so "clips." is not the group "clips".
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if take(found.map { Self.steps(to: $0.key, $0.name) } ?? names) { return true }
        // The path may be a key whose name contains a dot, or an unknown key of a profile.
        for steps in [[path], names] where take(steps) { return true }
        let isGroup = ConfigurationKey.all.contains { $0.path.hasPrefix(path + ".") }
        if found == nil, !isGroup { _ = try Self.key(path) }
        return false
    }

    /// The entire file as text, ending with a newline.
    var text: String {
        JSONWriter.text(of: root, sortsKeys: true) + "\n"
    }

    /// - Throws: `settingInvalid`, suggesting the most similar key, if the key does not exist.
    static func key(_ path: String) throws(SpeechError) -> (key: ConfigurationKey, name: String?) {
        if let found = ConfigurationKey.find(path) { return found }
        throw .noSuchKey(path, near: near(path))
    }

    private func apply(
        _ members: [JSONNode.Member], prefix: String, to configuration: inout Configuration
    ) throws(SpeechError) {
        for member in members {
            let path = prefix + member.name
            if path == ProfilePath.root {
                try applyProfiles(member, to: &configuration)
            } else if let (key, name) = ConfigurationKey.find(path), !member.name.contains(".") || name != nil {
                if key.holdsTexts, name == nil {
                    guard case .object = member.node.value else { throw mismatch(path, key.expectation, member) }
                    try apply(member.node.members, prefix: path + ".", to: &configuration)
                } else if !key.assign(member.node.value, name: name, to: &configuration) {
                    throw mismatch(path, key.expectation(of: name), member, found: key.describe(member.node))
                }
            } else if ConfigurationKey.all.contains(where: { $0.path.hasPrefix(path + ".") }) {
                guard case .object = member.node.value else { throw mismatch(path, "an object", member) }
                try apply(member.node.members, prefix: path + ".", to: &configuration)
            } else {
                throw .unknownKey(path, file: file, line: member.line, near: Self.near(path))
            }
        }
    }

    mutating func put(_ value: JSONNode.Value, at steps: [String]) { root = Self.set(steps, to: value, in: root) }

    /// Removes the value at a path, which consists of member names.
    ///
    /// - Returns: whether the value existed.
    @discardableResult
    mutating func take(_ steps: [String]) -> Bool {
        guard let changed = Self.remove(steps[...], from: root) else { return false }
        root = changed
        return true
    }

    func mismatch(
        _ path: String, _ expectation: String, _ member: JSONNode.Member, found: String? = nil
    ) -> SpeechError {
        .wrongValue(
            key: path, file: file, line: member.line, expected: expectation, found: found ?? member.node.kindName)
    }

    /// The key that the user probably meant. The last component of each key is also compared: "scanSeconds" is similar
    /// to "limits.scanSeconds".
    private static func near(_ path: String) -> String? {
        let paths = ConfigurationKey.all.map(\.path)
        var near = Suggestions.nearest(to: path, among: paths, limit: 1)
        if near.isEmpty, let last = path.split(separator: ".").last {
            let lasts = paths.map { $0.split(separator: ".").last.map(String.init) ?? $0 }
            near = Suggestions.nearest(to: String(last), among: lasts, limit: 1).compactMap { name in
                lasts.firstIndex(of: name).map { paths[$0] }
            }
        }
        return near.first
    }

    private static func steps(to key: ConfigurationKey, _ name: String?) -> [String] {
        if case .profiles = key.kind, let path = name.flatMap(ProfilePath.init(name:)) { return path.steps }
        return key.path.split(separator: ".").map(String.init) + (name.map { [$0] } ?? [])
    }

    private static func set(_ steps: [String], to value: JSONNode.Value, in node: JSONNode) -> JSONNode {
        guard let step = steps.first else { return JSONNode(value) }
        var members = node.members
        let rest = Array(steps.dropFirst())
        if let index = members.firstIndex(where: { $0.name == step }) {
            members[index].node = set(rest, to: value, in: members[index].node)
        } else {
            members.append(
                JSONNode.Member(name: step, node: set(rest, to: value, in: JSONNode(.object([])))))
        }
        return JSONNode(.object(members), line: node.line)
    }

    /// Returns the node without the value at this path, or nil if there is no such value. Objects that become empty are
    /// removed.
    private static func remove(_ steps: ArraySlice<String>, from node: JSONNode) -> JSONNode? {
        var members = node.members
        guard let step = steps.first, let index = members.firstIndex(where: { $0.name == step }) else { return nil }
        if steps.count > 1 {
            guard let inner = remove(steps.dropFirst(), from: members[index].node) else { return nil }
            members[index].node = inner
            if inner.members.isEmpty { members.remove(at: index) }
        } else {
            members.remove(at: index)
        }
        return JSONNode(.object(members), line: node.line)
    }
}
