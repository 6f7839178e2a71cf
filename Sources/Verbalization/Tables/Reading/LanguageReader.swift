import System

/// Reads the tables of a language: the folder of its region (`en-GB`), that of the language (`en`), and `any`, whose rules
/// count for all. What is read first wins.
enum LanguageReader {
    /// The files of a folder. None must be there.
    static let files = ["language.txt", "words.txt", "rules.txt", "cldr.txt"]
    private static let sizeLimit = 4 << 20

    /// - Parameters:
    ///   - tag: a tag of BCP 47.
    ///   - tables: the folder with the languages' folders.
    /// - Returns: nil if there are no tables for the language.
    static func read(_ tag: String, tables: String) throws(TableError) -> Language? {
        guard let (code, folders) = folders(of: tag) else { return nil }
        guard let common = try file("\(tables)/\(code)/language.txt") else { return nil }
        let builder = TableBuilder()
        var rules: [(path: String, line: Int, text: Substring)] = []
        var emoji: [UInt8] = []
        for folder in folders {
            for name in files {
                let path = "\(tables)/\(folder)/\(name)"
                let content = folder == code && name == files[0] ? common : try file(path)
                guard let content else { continue }
                try SectionReader.read(String(decoding: content, as: UTF8.self), path: path, into: builder, &rules)
            }
            if emoji.isEmpty { emoji = try file("\(tables)/\(folder)/emoji.txt") ?? [] }
        }
        var compiled: [Rule] = []
        for (path, line, text) in rules {
            do throws(TableFlaw) {
                compiled.append(try RuleReader.read(text, builder))
            } catch {
                throw .flawed(path: path, line: line, error)
            }
        }
        return Language(builder, rules: compiled, emoji: EmojiNames(emoji))
    }

    /// The code of a tag's language, and the folders that count for the tag, the first before the others.
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

    /// Nil if there is no such file.
    static func file(_ path: String) throws(TableError) -> [UInt8]? {
        do throws(Errno) {
            return try readWholeFile(path, limit: sizeLimit)
        } catch {
            if error == .notFound { return nil }
            throw .unreadable(path: path, error)
        }
    }
}
