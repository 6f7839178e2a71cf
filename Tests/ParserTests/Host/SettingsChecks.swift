@testable import SynthCatalogue
import SynthJSON
@testable import SynthUserVoices

/// The rules for the configuration file and for registries of voices.
enum SettingsChecks {
    static func violations(inConfiguration bytes: [UInt8]) -> [String] {
        guard var document = try? ConfigurationDocument(bytes, file: "config.json") else { return [] }
        var found: [String] = []
        let configuration = try? document.configuration()
        if let again = try? ConfigurationDocument(Array(document.text.utf8), file: "config.json") {
            if let configuration, (try? again.configuration()) != configuration {
                found.append("a different configuration after writing: \(document.text)")
            }
        } else {
            found.append("\(document.text) cannot be read again")
        }
        for key in ConfigurationKey.all {
            if let configuration { _ = key.value(in: configuration, name: nil) }
            let text = String(decoding: bytes.prefix(200), as: UTF8.self)
            var changed = document
            if (try? changed.set(key.path, to: text)) != nil, configuration != nil,
                (try? changed.configuration()) == nil
            {
                found.append("\(key.path) was set to a text that is not valid: \(text)")
            }
        }
        // All keys in the file can be removed one by one.
        for member in document.root.members {
            guard (try? document.unset(member.name)) == true else {
                found.append("\(member.name) cannot be removed")
                continue
            }
        }
        return found
    }

    static func violations(inRegistry bytes: [UInt8]) -> [String] {
        _ = Registry.engineNotes(in: bytes)
        guard let registry = try? Registry([("first", bytes)]) else { return [] }
        var found: [String] = []
        if (try? Registry([("first", bytes), ("second", bytes)])) == nil {
            found.append("a registry cannot be added to itself")
        }
        if Set(registry.voices.map(\.id)).count != registry.voices.count { found.append("two voices have the same ID") }
        for file in registry.voices.flatMap(\.files) + registry.models.flatMap(\.files) {
            if file.size < 0 || file.unpackedSize < 0 { found.append("a file of \(file.size) bytes") }
            if !FileName.isSafePath(file.name) { found.append("a file called \(file.name)") }
        }
        return found
    }
}
