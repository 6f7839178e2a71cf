/// Reads a file of tables: sections, lines `key = value` in them, rules, and comments after `#` at the beginning of a line.
///
/// Sections: `[settings]`, `[forms]` (a form's name and ICU's rule set), `[repairs]` (words of ICU at the beginning, better
/// words; after a star anywhere), `[rules]`,
/// `[list NAME]`, `[list NAME anycase]`. In lists, a line without `=` has no value: the piece itself is meant.
enum SectionReader {
    private enum Section {
        case none, settings, forms, repairs, rules
        case list(Int)
    }

    private static let lineLimit = 2000

    static func read(
        _ text: String, path: String, into tables: TableBuilder,
        _ rules: inout [(path: String, line: Int, text: Substring)]
    ) throws(TableError) {
        var section = Section.none
        var number = 0
        for bytes in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let line = Substring(bytes)
            number += 1
            guard let first = line.utf8.first, first != 0x23 || !line.hasPrefix("# ") || line.hasPrefix("# = ") else {
                continue
            }
            do throws(TableFlaw) {
                guard line.utf8.count <= lineLimit else { throw .tooMuch }
                if first == 0x5B, line.utf8.last == 0x5D, !line.utf8.contains(0x3D) {
                    section = try self.section(line.dropFirst().dropLast(), tables)
                } else if case .rules = section {
                    rules.append((path, number, line))
                } else {
                    try read(line, section, tables)
                }
            } catch {
                throw .flawed(path: path, line: number, error)
            }
        }
    }

    private static func section(_ title: Substring, _ tables: TableBuilder) throws(TableFlaw) -> Section {
        let words = title.split(separator: " ").map { String($0) }
        switch words.first {
        case "settings": return .settings
        case "forms": return .forms
        case "repairs": return .repairs
        case "rules": return .rules
        case "list" where words.count >= 2: return .list(try tables.list(words[1], anyCase: words.last == "anycase"))
        default: throw .unknownSection(String(title))
        }
    }

    private static func read(_ line: Substring, _ section: Section, _ tables: TableBuilder) throws(TableFlaw) {
        let halves = line.range(of: " = ").map { (line[..<$0.lowerBound], line[$0.upperBound...]) }
        if case .list(let list) = section { return try tables.add(halves?.0 ?? line, halves?.1 ?? "", to: list) }
        guard let (key, value) = halves else { throw .missing("=") }
        switch section {
        case .none, .rules, .list: throw .unknownSection("")
        case .settings: try tables.settings.set(String(key), String(value))
        case .forms: tables.addForm(String(key), String(value))
        case .repairs: tables.addRepair(String(key), String(value))
        }
    }
}
