/// What a rule says: words, captures in some form, and parts that are left out if a capture in them is empty.
struct Template: Sendable {
    enum Part: Sendable {
        case words(String)
        case capture(slot: Int, Verb)
        case optional([Part])
    }

    /// How a capture is said.
    enum Verb: Sendable {
        /// The value of its list's entry, otherwise the text.
        case value
        case text
        /// Digit by digit.
        case digits
        /// The same, as the digits of telephone numbers are said.
        case telephone
        /// The value of its list's entry, otherwise letter by letter.
        case letters
        /// An address or a path: names, and the words for the marks between.
        case address
        /// Words that were written together: at capitals, digits and low lines.
        case camel
        /// The same, as programmers say their names: low lines and equals signs have words.
        case identifier
        /// Digits as those of rooms, flights and models are said: "twelve oh four".
        case pairs
        /// Digits two by two, as those of telephone numbers are said in many languages: "trente-six zéro neuf".
        case twos
        /// Letters and such digits: "B two B".
        case code
        /// Each letter and each digit, in groups of four at most.
        case serial
        /// A form of the entry for a number, or of this place.
        case name(number: Int?, form: Int?)
        /// The same of the hundredth part.
        case minor(number: Int)
        /// The number in a form of ICU, which may depend on the gender of an entry.
        case form(NumberForm, genderOf: Int?, minor: Bool)
    }

    let parts: [Part]
}

/// The form of a number: ICU's rule sets by number, for each gender.
struct NumberForm: Sendable {
    let plain: Int
    let masculine: Int
    let feminine: Int
    let neuter: Int

    func number(for gender: GrammaticalGender?) -> Int {
        switch gender {
        case .masculine: masculine
        case .feminine: feminine
        case .neuter: neuter
        case nil: plain
        }
    }
}

/// Reads what a rule says: `the {d|ordinal} of {m}[, {y|year}]`.
///
/// `{x}` is the value of a list's entry, or the text; `{x|text}` the text, `{x|digits}`, `{x|telephone}`, `{x|letters}`,
/// `{x|address}`, `{x|camel}`, `{x|identifier}`, `{x|pairs}`, `{x|twos}`, `{x|code}`, `{x|serial}`; `{u|name:n}` the form of an entry for the number n, `{u|name.2}` its third form,
/// `{u|minor:n}` the form of its hundredth part; `{n|cardinal}` any form of the table, `{n|cardinal:u}` in the gender of the
/// entry u, `{n|cardinal/u}` in that of its hundredth part. What stands in square brackets is left out if a capture in it is
/// empty.
enum TemplateReader {
    static func read(_ text: Substring, names: [String], _ tables: TableBuilder) throws -> Template {
        var rest = text
        let parts = try parts(&rest, names, tables, inside: false)
        guard rest.isEmpty else { throw TableError(.unbalanced) }
        return Template(parts: parts)
    }

    private static func parts(
        _ rest: inout Substring, _ names: [String], _ tables: TableBuilder, inside: Bool
    ) throws -> [Template.Part] {
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
                guard let close = rest.utf8.firstIndex(of: 0x7D) else { throw TableError(.unbalanced) }
                parts.append(try capture(rest[..<close], names, tables))
                rest = rest[close...].dropFirst()
            case "[":
                flush()
                guard !inside else { throw TableError(.tooMuch) }
                parts.append(.optional(try self.parts(&rest, names, tables, inside: true)))
            case "]":
                guard inside else { throw TableError(.unbalanced) }
                flush()
                return parts
            default: words.unicodeScalars.append(scalar)
            }
        }
        guard !inside else { throw TableError(.unbalanced) }
        flush()
        return parts
    }

    private static func capture(
        _ text: Substring, _ names: [String], _ tables: TableBuilder
    ) throws -> Template.Part {
        let halves = text.split(separator: "|", maxSplits: 1).map { String($0) }
        guard let name = halves.first else { throw TableError(.unbalanced) }
        let slot = try slot(name, names)
        guard halves.count > 1 else { return .capture(slot: slot, .value) }
        let isMinor = halves[1].contains("/")
        let verb = halves[1].split { $0 == ":" || $0 == "/" }.map { String($0) }
        guard let word = verb.first else { throw TableError(.unbalanced) }
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
        case "serial": return .capture(slot: slot, .serial)
        case "minor":
            guard let other else { throw TableError(.unknownName("")) }
            return .capture(slot: slot, .minor(number: other))
        case "name": return .capture(slot: slot, .name(number: other, form: nil))
        default:
            if word.hasPrefix("name."), let form = Int(word.dropFirst(5)), form >= 0 {
                return .capture(slot: slot, .name(number: nil, form: form))
            }
            return .capture(slot: slot, .form(try form(word, tables), genderOf: other, minor: isMinor))
        }
    }

    private static func slot(_ name: String, _ names: [String]) throws -> Int {
        guard let slot = names.firstIndex(of: name) else { throw TableError(.unknownName(name)) }
        return slot
    }

    private static func form(_ name: String, _ tables: TableBuilder) throws -> NumberForm {
        func number(_ gender: GrammaticalGender) -> Int? { tables.formNumbers["\(name).\(gender.rawValue)"] }
        guard let plain = tables.formNumbers[name] ?? number(.masculine) else { throw TableError(.unknownForm(name)) }
        return NumberForm(
            plain: plain, masculine: number(.masculine) ?? plain, feminine: number(.feminine) ?? plain,
            neuter: number(.neuter) ?? plain)
    }
}
