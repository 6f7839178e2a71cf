import SynthSystem

/// Reads a language's tables from the folder of the region (`en-GB`), the folder of the language (`en`), and the folder
/// `any`, whose rules apply to all languages. The first definition takes precedence.
enum LanguageReader {
    /// The files in a folder. All of them are optional.
    static let files = ["language.txt", "words.txt", "rules.txt", "cldr.txt"]
    private static let sizeLimit = 4 << 20

    /// - Parameters:
    ///   - tag: a BCP 47 tag.
    ///   - tables: the folder that contains the language folders.
    /// - Returns: nil if there are no tables for the language.
    static func read(_ tag: String, tables: String) throws -> Language? {
        guard let (code, folders) = folders(of: tag) else { return nil }
        guard let common = try file("\(tables)/\(code)/language.txt") else { return nil }
        let builder = TableBuilder()
        var rules: [(path: String, line: Int, text: TableText)] = []
        var emoji: [UInt8] = []
        for folder in folders {
            for name in files {
                let path = "\(tables)/\(folder)/\(name)"
                let content = folder == code && name == files[0] ? common : try file(path)
                guard let content else { continue }
                try SectionReader.read(content, path: path, into: builder, &rules)
            }
            if emoji.isEmpty { emoji = try file("\(tables)/\(folder)/emoji.txt") ?? [] }
        }
        var compiled: [Rule] = []
        for (path, line, text) in rules {
            do {
                compiled.append(try Rule(text, builder))
            } catch let error as TableError {
                throw TableError(error.reason, path: path, line: line)
            }
        }
        return Language(builder, rules: compiled, emoji: EmojiNames(emoji))
    }

    /// Returns the language code of a tag, and the folders that apply to it, in order of precedence.
    static func folders(of tag: String) -> (code: String, folders: [String])? {
        let parts = tag.split { $0 == "-" || $0 == "_" }.map { String($0) }
        guard let code = parts.first?.lowercased(), isName(code) else { return nil }
        var folders: [String] = []
        if let region = parts.dropFirst().last(where: { $0.utf8.count == 2 || $0.utf8.count == 3 }), isName(region) {
            folders.append("\(code)-\(region.uppercased())")
        }
        return (code, folders + [code, "any"])
    }

    private static func isName(_ text: String) -> Bool {
        (2...8).contains(text.utf8.count) && text.utf8.allSatisfy { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
    }

    /// Returns nil if the file does not exist.
    static func file(_ path: String) throws -> [UInt8]? {
        do {
            return try readWholeFile(path, limit: sizeLimit)
        } catch {
            if error == .notFound { return nil }
            throw TableError(.unreadable(error), path: path)
        }
    }
}

/// Parses a table file, which consists of sections with `key = value` lines and rules. Lines that start with `#` are
/// comments.
///
/// Sections: `[settings]`, `[forms]` (the name of a form, and an ICU rule set or `@list.2`), `[repairs]` (incorrect
/// words from ICU, matched at the beginning or, with an asterisk, anywhere, and their corrections), `[rules]`,
/// `[list NAME]`, `[list NAME anycase]`. In lists, an entry without `=` is its own value.
enum SectionReader {
    private enum Section {
        case none, settings, forms, repairs, rules
        case list(Int)
    }

    private static let lineLimit = 2000

    static func read(
        _ text: [UInt8], path: String, into tables: TableBuilder,
        _ rules: inout [(path: String, line: Int, text: TableText)]
    ) throws {
        var section = Section.none
        var number = 0
        // Invalid bytes become U+FFFD, because the tokenizer expects valid UTF-8.
        let repaired = Array(String(decoding: text, as: UTF8.self).utf8)
        for line in repaired.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            guard !line.isEmpty, !line.has("# ", at: line.startIndex) || line.has("# = ", at: line.startIndex) else {
                continue
            }
            do {
                guard line.count <= lineLimit else { throw TableError(.tooMuch) }
                if line.first == 0x5B, line.last == 0x5D, !line.contains(0x3D) {
                    section = try self.section(line.dropFirst().dropLast(), tables)
                } else if case .rules = section {
                    rules.append((path, number, line))
                } else {
                    try read(line, section, tables)
                }
            } catch let error as TableError {
                throw TableError(error.reason, path: path, line: number)
            }
        }
    }

    private static func section(_ title: TableText, _ tables: TableBuilder) throws -> Section {
        let words = title.split(separator: 0x20).map(\.string)
        switch words.first {
        case "settings": return .settings
        case "forms": return .forms
        case "repairs": return .repairs
        case "rules": return .rules
        case "list" where words.count >= 2: return .list(try tables.list(words[1], anyCase: words.last == "anycase"))
        default: throw TableError(.unknownSection(title.string))
        }
    }

    private static func read(_ line: TableText, _ section: Section, _ tables: TableBuilder) throws {
        let halves = line.range(of: " = ").map { (line[..<$0.lowerBound], line[$0.upperBound...]) }
        if case .list(let list) = section { return try tables.add(halves?.0 ?? line, halves?.1 ?? [], to: list) }
        guard let (key, value) = halves else { throw TableError(.missing("=")) }
        switch section {
        case .none, .rules, .list: throw TableError(.unknownSection(""))
        case .settings: try tables.settings.set(key.string, value.string)
        case .forms: try tables.addForm(key.string, value.string)
        case .repairs: tables.repairs.append((key.string, value.string))
        }
    }
}
