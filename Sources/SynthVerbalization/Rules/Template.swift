/// A rule's replacement text, which consists of words, verbalized captures, and optional parts that are omitted if a
/// capture in them is empty.
struct Template: Sendable {
    enum Part: Sendable {
        case words(String)
        case capture(slot: Int, Verb)
        case optional([Part])
    }

    /// How a capture is verbalized.
    enum Verb: Sendable {
        /// The value of the list entry, or the text itself if there is none.
        case value
        case plain(PlainVerb)
        /// The entry's plural form for a number, or the form with this index.
        case name(number: Int?, form: Int?)
        /// The subunit's plural form for a number.
        case minor(number: Int)
        /// The number in a form that the tables define. The form may depend on the gender of an entry.
        case form(NumberForm, genderOf: Int?, minor: Bool)
    }

    /// A verb without parameters. The raw value is its name in tables.
    enum PlainVerb: String, Sendable {
        case text
        /// The digits, one by one.
        case digits
        /// The digits, one by one, with the digit words for telephone numbers.
        case telephone
        /// The value of the list entry, or the letters one by one if there is none.
        case letters
        /// A URL or path: the names, with words for the symbols between them.
        case address
        /// Words written without spaces, split at capitals, digits and underscores.
        case camel
        /// A programming identifier, split like `camel`, with words for underscores and equals signs.
        case identifier
        /// Digits as in room, flight and model numbers: "twelve oh four".
        case pairs
        /// Digits in pairs, as in telephone numbers in many languages: "trente-six zéro neuf".
        case twos
        /// Letters, with digits as in model numbers: "B two B".
        case code
        /// Letters and digits one by one, in groups of up to four.
        case serial
    }

    let parts: [Part]
}

/// The numbers of a form and its gender variants.
struct NumberForm: Sendable {
    let plain: Int
    let gendered: [GrammaticalGender: Int]

    func number(for gender: GrammaticalGender?) -> Int { gender.flatMap { gendered[$0] } ?? plain }
}

/// Parses a template: `the {d|ordinal} of {m}[, {y|year}]`.
///
/// `{x}` is the value of the list entry, or the text if there is none. `{x|text}`, `{x|digits}`, `{x|telephone}`,
/// `{x|letters}`, `{x|address}`, `{x|camel}`, `{x|identifier}`, `{x|pairs}`, `{x|twos}`, `{x|code}` and `{x|serial}`
/// select a verb. `{u|name:n}` is the entry's plural form for the number n, `{u|name.2}` its third form, and
/// `{u|minor:n}` the plural form of its subunit. `{n|cardinal}` is a number form defined in the table, `{n|cardinal:u}`
/// that form in the gender of entry u, and `{n|cardinal/u}` in the gender of its subunit. Text in square brackets is
/// omitted if a capture in it is empty.
enum TemplateReader {
    static func read(_ text: TableText, names: [String], _ tables: TableBuilder) throws -> Template {
        var rest = text
        let parts = try parts(&rest, names, tables, inside: false)
        guard rest.isEmpty else { throw TableError(.unbalanced) }
        return Template(parts: parts)
    }

    private static func parts(
        _ rest: inout TableText, _ names: [String], _ tables: TableBuilder, inside: Bool
    ) throws -> [Template.Part] {
        var parts: [Template.Part] = []
        var words: [UInt8] = []
        func flush() {
            if !words.isEmpty { parts.append(.words(String(decoding: words, as: UTF8.self))) }
            words.removeAll(keepingCapacity: true)
        }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"): if let next = rest.popFirst() { words.append(next) }
            case UInt8(ascii: "{"):
                flush()
                guard let close = rest.firstIndex(of: UInt8(ascii: "}")) else { throw TableError(.unbalanced) }
                parts.append(try capture(rest[..<close], names, tables))
                rest = rest[(close + 1)...]
            case UInt8(ascii: "["):
                flush()
                guard !inside else { throw TableError(.tooMuch) }
                parts.append(.optional(try self.parts(&rest, names, tables, inside: true)))
            case UInt8(ascii: "]"):
                guard inside else { throw TableError(.unbalanced) }
                flush()
                return parts
            default: words.append(byte)
            }
        }
        guard !inside else { throw TableError(.unbalanced) }
        flush()
        return parts
    }

    private static func capture(
        _ text: TableText, _ names: [String], _ tables: TableBuilder
    ) throws -> Template.Part {
        let bar = text.firstIndex(of: UInt8(ascii: "|")) ?? text.endIndex
        guard bar > text.startIndex else { throw TableError(.unbalanced) }
        let slot = try slot(text[..<bar].string, names)
        guard bar < text.endIndex else { return .capture(slot: slot, .value) }
        let verb = text[(bar + 1)...]
        let isMinor = verb.contains(UInt8(ascii: "/"))
        let words = verb.split { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }.map(\.string)
        guard let word = words.first else { throw TableError(.unbalanced) }
        let other = words.count > 1 ? try self.slot(words[1], names) : nil
        if let verb = Template.PlainVerb(rawValue: word) { return .capture(slot: slot, .plain(verb)) }
        switch word {
        case "minor":
            guard let other else { throw TableError(.unknownName("")) }
            return .capture(slot: slot, .minor(number: other))
        case "name": return .capture(slot: slot, .name(number: other, form: nil))
        default:
            if word.hasPrefix("name."), let form = Int(word.dropFirst(5)), form >= 0 {
                return .capture(slot: slot, .name(number: nil, form: form))
            }
            return .capture(slot: slot, .form(try tables.form(word), genderOf: other, minor: isMinor))
        }
    }

    private static func slot(_ name: String, _ names: [String]) throws -> Int {
        guard let slot = names.firstIndex(of: name) else { throw TableError(.unknownName(name)) }
        return slot
    }
}
