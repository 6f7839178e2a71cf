import Glibc
package import SynthCatalogue
import SynthEngineWire
import SynthJSON
import SynthSpeech
import SynthSystem

/// The user's files for a voice: a single file and its neighbors, a folder, or an archive.
package struct OwnFiles {
    let path: String
    /// The path that the user named. For an unpacked archive, the archive's path.
    let givenPath: String
    /// The file names in the folder, or in the named file's folder. Empty for an archive.
    private let names: [String]
    let isInFolder: Bool
    private let fileName: String
    package let exist: Bool
    /// Whether the path names a folder or a regular file. Other files are not opened, because opening them could block
    /// forever.
    package let isOrdinary: Bool
    let isArchive: Bool
    /// The usual file names, keyed by engine ID.
    private let hints: [String: EngineHints]

    private static let archiveEndings = [".tar.bz2", ".tar.gz", ".tgz", ".tar.xz", ".tar", ".zip", ".whl"]
    private static let largestDescription = 16 << 20

    package init(_ path: String, _ hints: [String: EngineHints] = [:]) {
        self.hints = hints
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
        givenPath = path
        isInFolder = isFolder(path)
        exist = access(path, F_OK) == 0
        fileName = path.split(separator: "/").last.map(String.init) ?? path
        isOrdinary = isInFolder || RegularFile(path: path) != nil
        isArchive = !isInFolder && Self.archiveEndings.contains { [path] in path.lowercased().hasSuffix($0) }
        names = isArchive ? [] : FolderListing.names(in: isInFolder ? path : LinkTarget.folder(of: path)).sorted()
    }

    /// Describes the contents of an unpacked archive.
    init(unpackedIn folder: String, of archive: String, _ hints: [String: EngineHints]) {
        self.hints = hints
        givenPath = archive
        let inside = FolderListing.names(in: folder)
        // Most archives contain a single folder that holds all the files.
        let only = inside.count == 1 ? inside.first.map { "\(folder)/\($0)" } : nil
        path = only.flatMap { isFolder($0) ? $0 : nil } ?? folder
        let name = archive.split(separator: "/").last.map(String.init) ?? archive
        let ending = Self.archiveEndings.first { name.lowercased().hasSuffix($0) } ?? ""
        fileName = String(name.dropLast(ending.count))
        names = FolderListing.names(in: path).sorted()
        isInFolder = true
        isArchive = false
        isOrdinary = true
        exist = true
    }

    /// Returns the missing role if the engine could use the named file together with exactly one other file.
    ///
    /// - Returns: the role and its usual file name, if it has one; nil if the engine cannot use the named file.
    func missing(for engine: SpeechEngine) -> (role: RoleDescription, name: String?)? {
        guard !isArchive, namedRole(of: engine) != nil else { return nil }
        let absent = engine.roles.filter { role in
            !role.isOptional
                && ending(of: role.name, custom: hints.ending(of: role.name, engine.id), isOnly: false) == nil
        }
        guard let role = absent.first, absent.count == 1 else { return nil }
        return (role, hints.ending(of: role.name, engine.id).map { wholeStem + $0 })
    }

    /// Returns the roles that have no file, each with the path at which its file is expected, and the files that have
    /// no role.
    func needs(of engine: SpeechEngine) -> (missing: [(role: String, path: String)], others: [String]) {
        let folder = isInFolder ? path : LinkTarget.folder(of: path)
        let prefix = folder == "." ? "" : folder + "/"
        let required = engine.roles.filter { !$0.isOptional }.map(\.name)
        var (stem, missing, taken) = (isInFolder ? "voice" : wholeStem, [String](), Set<String>())
        for role in required {
            guard let ending = ending(of: role, custom: hints.ending(of: role, engine.id), isOnly: false),
                let name = names.first(where: { $0.hasSuffix(ending) && (isInFolder || $0.hasPrefix(wholeStem)) })
            else {
                missing.append(role)
                continue
            }
            taken.insert(name)
            if isInFolder, name.count > ending.count { stem = String(name.dropLast(ending.count)) }
        }
        let others = isInFolder ? names : names.filter { $0 == fileName }
        return (
            missing.map { ($0, prefix + stem + (hints.ending(of: $0, engine.id) ?? ".\($0)")) },
            others.filter { !taken.contains($0) && RegularFile(path: prefix + $0) != nil }.map { prefix + $0 }
        )
    }

    /// Whether the named file contains the signature of the engine's files. Blocks while the file is read.
    func hasSign(of engine: SpeechEngine) -> Bool {
        guard let role = namedRole(of: engine), let sign = hints[engine.id]?.signs[role.name] else { return false }
        return (try? FileSearch.contains(Array(sign.utf8), in: path)) ?? false
    }

    /// Whether the named file is the only file that the engine needs.
    func isWhole(for engine: SpeechEngine) -> Bool {
        engine.roles.filter { !$0.isOptional }.count == 1 && roles(of: engine, byNameOnly: true) != nil
    }

    /// Whether the files may belong to an engine that needs only one file, judging by the signature in that file. Other
    /// engines' models can have the same extension. Blocks while files are read.
    func isSigned(for engine: SpeechEngine) -> Bool {
        let required = engine.roles.filter { !$0.isOptional }
        guard let role = required.first, required.count == 1, let sign = hints[engine.id]?.signs[role.name],
            let ending = hints.ending(of: role.name, engine.id)
        else { return true }
        let named = isInFolder ? names.filter { $0.hasSuffix(ending) }.map { path.child($0) } : [path]
        return named.contains { (try? FileSearch.contains(Array(sign.utf8), in: $0)) ?? false }
    }

    /// The named file's role, judging by its name. nil if the user named a folder or an archive, or if no required role
    /// matches.
    private func namedRole(of engine: SpeechEngine) -> RoleDescription? {
        guard !isInFolder else { return nil }
        return engine.roles.first { role in
            !role.isOptional && hints.ending(of: role.name, engine.id).map { wholeStem + $0 == fileName } ?? false
        }
    }

    /// The file name without its folder or extension.
    package static func plainName(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }

    var id: String { Self.id(of: stem) }

    static func id(of name: String) -> String {
        String(
            name.unicodeScalars.map { scalar -> Character in
                let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                return isPlain || "._+-".unicodeScalars.contains(scalar) ? Character(scalar) : "-"
            })
    }

    /// Returns the file name suffix for each role, or nil if a required file is missing.
    ///
    /// - Parameter byNameOnly: whether files must have the usual names. Otherwise a single file of any name is
    ///   accepted.
    func roles(of engine: SpeechEngine, byNameOnly: Bool) -> [String: String]? {
        var roles: [String: String] = [:]
        let required = engine.roles.filter { !$0.isOptional }
        for role in engine.roles {
            let custom = hints.ending(of: role.name, engine.id)
            let isOnly = !byNameOnly && required.count == 1 && !role.isOptional
            if let ending = ending(of: role.name, custom: custom, isOnly: isOnly) {
                roles[ending] = role.name
            } else if !role.isOptional {
                return nil
            }
        }
        return roles.isEmpty ? nil : roles
    }

    private func ending(of role: String, custom: String?, isOnly: Bool) -> String? {
        if names.isEmpty { return custom ?? ".\(role)" }
        let own = isInFolder ? names : names.filter { $0.hasPrefix(wholeStem) }
        if let custom, own.contains(where: { $0.hasSuffix(custom) }) { return custom }
        if own.contains(where: { $0.hasSuffix(".\(role)") }) { return ".\(role)" }
        if let name = own.first(where: { $0.hasPrefix("\(role).") }) { return name }
        // If the engine requires only one role, the named file has that role unless its name suggests another role.
        guard isOnly, !isInFolder, !hints.isCustomary(fileName), let dot = fileName.lastIndex(of: ".") else {
            return nil
        }
        return String(fileName[dot...])
    }

    /// Derives the voice's name and language from the model's description file or, failing that, from the file name.
    func guess(for engine: String) -> (name: String, language: String?, speakers: [String]) {
        let parts = stem.split(separator: "-").map(String.init)
        let code = parts.first.flatMap { LanguageCode($0)?.tag }
        let named = code != nil && parts.count > 1 ? parts[1] : stem
        var guess = (name: Self.spoken(named), language: code, speakers: [String]())
        guard let keys = hints[engine]?.description, let description else { return guess }
        if case .string(let name)? = description.value(at: keys.name), !name.isEmpty, code == nil {
            guess.name = Self.spoken(name)
        }
        for path in keys.language {
            guard case .string(let language)? = description.value(at: path) else { continue }
            guess.language = LanguageCode(language)?.tag ?? guess.language
            break
        }
        let speakers = Self.speakers(description.value(at: keys.speakers))
        if speakers.count > 1 { guess.speakers = speakers }
        return guess
    }

    /// The keys of a JSON object that maps names to numbers, sorted by number.
    private static func speakers(_ map: JSONNode.Value?) -> [String] {
        guard case .object(let members)? = map else { return [] }
        let numbered = members.compactMap { member -> (name: String, number: Double)? in
            if case .number(let number) = member.node.value { (member.name, number) } else { nil }
        }
        return numbered.sorted { $0.number < $1.number }.map(\.name)
    }

    private var description: JSONNode? {
        let folder = isInFolder ? path : LinkTarget.folder(of: path)
        let candidates = names.filter { $0.hasSuffix(".json") && (isInFolder || $0.hasPrefix(wholeStem)) }
        for name in candidates {
            if RegularFile(path: "\(folder)/\(name)") != nil,
                let text = try? readWholeFile("\(folder)/\(name)", limit: Self.largestDescription),
                let found = try? JSONReader.read(text, allowsRepeatedKeys: true), case .object = found.value
            {
                return found
            }
        }
        return nil
    }

    /// The file name without its usual suffix and without an archive prefix.
    private var stem: String {
        let stem = wholeStem
        let prefixes = hints.values.compactMap(\.archivePrefix)
        return prefixes.first { stem.hasPrefix($0) }.map { String(stem.dropFirst($0.count)) } ?? stem
    }

    /// The file name without its usual suffix, or the full folder name.
    var wholeStem: String {
        guard !isInFolder else { return fileName }
        let endings = Self.archiveEndings + hints.allEndings
        if let ending = endings.first(where: { fileName.lowercased().hasSuffix($0) }) {
            return String(fileName.dropLast(ending.count))
        }
        return fileName.lastIndex(of: ".").map { String(fileName[..<$0]) } ?? fileName
    }

    static func names(in folder: String) -> [String] { FolderListing.names(in: folder).sorted() }

    /// Derives a voice name from a file name: "my_bell" becomes "My bell".
    static func spoken(_ word: String) -> String {
        readable(word.prefix(1).uppercased() + word.dropFirst().map { $0 == "_" ? " " : $0 })
    }

    /// Converts a name into a single line of limited length, for use in lists.
    static func readable(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars { scalars.append(UserChosenName.isForbidden(scalar) ? " " : scalar) }
        return String(String(scalars).split(separator: " ").joined(separator: " ").prefix(60))
    }
}

/// The usual file name suffixes, keyed by engine ID.
extension [String: EngineHints] {
    /// The usual file name suffix for an engine's role. For an engine that is not in a registry, other engines'
    /// suffixes are used.
    func ending(of role: String, _ engine: String) -> String? {
        if let own = self[engine] { return own.endings[role] }
        return sorted { $0.key < $1.key }.lazy.compactMap { $0.value.endings[role] }.first
    }

    /// The usual file name suffixes for an engine's role.
    func endings(of role: String, _ engine: String) -> [String] {
        [ending(of: role, engine), ".\(role)"].compactMap(\.self)
    }

    var allEndings: [String] {
        Set(values.flatMap(\.endings.values)).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    }

    func isCustomary(_ name: String) -> Bool { allEndings.contains { name.hasSuffix($0) } }
}

/// A language as written in file names ("en_GB", "en-gb", "de"), converted to BCP 47.
package struct LanguageCode {
    package let tag: String

    /// Returns nil if the text does not denote a language.
    package init?(_ text: String) {
        let parts = text.split(whereSeparator: { $0 == "_" || $0 == "-" }).map(String.init)
        guard let language = parts.first, (2...3).contains(language.count), parts.count <= 3,
            parts.allSatisfy({ part in part.utf8.allSatisfy { ($0 | 32) >= 0x61 && ($0 | 32) <= 0x7A } })
        else { return nil }
        let rest = parts.dropFirst().map { $0.count == 2 ? $0.uppercased() : $0.lowercased() }
        tag = ([language.lowercased()] + rest).joined(separator: "-")
    }
}
