/// Reads what a rule says: `the {d|ordinal} of {m}[, {y|year}]`.
///
/// `{x}` is the value of a list's entry, or the text; `{x|text}` the text, `{x|digits}`, `{x|telephone}`, `{x|letters}`,
/// `{x|address}`, `{x|camel}`, `{x|identifier}`, `{x|pairs}`, `{x|twos}`, `{x|code}`; `{u|name:n}` the form of an entry for the number n, `{u|name.2}` its third form,
/// `{u|minor:n}` the form of its hundredth part; `{n|cardinal}` any form of the table, `{n|cardinal:u}` in the gender of the
/// entry u, `{n|cardinal/u}` in that of its hundredth part. What stands in square brackets is left out if a capture in it is
/// empty.
enum TemplateReader {
    static func read(_ text: Substring, names: [String], _ tables: TableBuilder) throws(TableFlaw) -> Template {
        var rest = text
        let parts = try parts(&rest, names, tables, inside: false)
        guard rest.isEmpty else { throw .unbalanced }
        return Template(parts: parts)
    }

    private static func parts(
        _ rest: inout Substring, _ names: [String], _ tables: TableBuilder, inside: Bool
    ) throws(TableFlaw) -> [Template.Part] {
        var parts: [Template.Part] = []
        var words = ""
        func flush() {
            if !words.isEmpty { parts.append(.words(words)) }
            words = ""
        }
        while let scalar = rest.unicodeScalars.popFirst() {
            switch scalar {
            case "\\": if let next = rest.unicodeScalars.popFirst() { words.unicodeScalars.append(next) }
            case "{":
                flush()
                guard let close = rest.utf8.firstIndex(of: 0x7D) else { throw .unbalanced }
                parts.append(try capture(rest[..<close], names, tables))
                rest = rest[close...].dropFirst()
            case "[":
                flush()
                guard !inside else { throw .tooMuch }
                parts.append(.optional(try self.parts(&rest, names, tables, inside: true)))
            case "]":
                guard inside else { throw .unbalanced }
                flush()
                return parts
            default: words.unicodeScalars.append(scalar)
            }
        }
        guard !inside else { throw .unbalanced }
        flush()
        return parts
    }

    private static func capture(
        _ text: Substring, _ names: [String], _ tables: TableBuilder
    ) throws(TableFlaw) -> Template.Part {
        let halves = text.split(separator: "|", maxSplits: 1).map { String($0) }
        guard let name = halves.first else { throw .unbalanced }
        let slot = try slot(name, names)
        guard halves.count > 1 else { return .capture(slot: slot, .value) }
        let isMinor = halves[1].contains("/")
        let verb = halves[1].split { $0 == ":" || $0 == "/" }.map { String($0) }
        guard let word = verb.first else { throw .unbalanced }
        let other = verb.count > 1 ? try self.slot(verb[1], names) : nil
        switch word {
        case "text": return .capture(slot: slot, .text)
        case "digits": return .capture(slot: slot, .digits)
        case "telephone": return .capture(slot: slot, .telephone)
        case "letters": return .capture(slot: slot, .letters)
        case "address": return .capture(slot: slot, .address)
        case "camel": return .capture(slot: slot, .camel)
        case "identifier": return .capture(slot: slot, .identifier)
        case "pairs": return .capture(slot: slot, .pairs)
        case "twos": return .capture(slot: slot, .twos)
        case "code": return .capture(slot: slot, .code)
        case "minor":
            guard let other else { throw .unknownName("") }
            return .capture(slot: slot, .minor(number: other))
        case "name": return .capture(slot: slot, .name(number: other, form: nil))
        default:
            if word.hasPrefix("name."), let form = Int(word.dropFirst(5)), form >= 0 {
                return .capture(slot: slot, .name(number: nil, form: form))
            }
            return .capture(slot: slot, .form(try form(word, tables), genderOf: other, minor: isMinor))
        }
    }

    private static func slot(_ name: String, _ names: [String]) throws(TableFlaw) -> Int {
        guard let slot = names.firstIndex(of: name) else { throw .unknownName(name) }
        return slot
    }

    private static func form(_ name: String, _ tables: TableBuilder) throws(TableFlaw) -> NumberForm {
        func number(_ gender: Gender) -> Int? { tables.formNumbers["\(name).\(gender.rawValue)"] }
        guard let plain = tables.formNumbers[name] ?? number(.masculine) else { throw .unknownForm(name) }
        return NumberForm(
            plain: plain, masculine: number(.masculine) ?? plain, feminine: number(.feminine) ?? plain,
            neuter: number(.neuter) ?? plain)
    }
}
