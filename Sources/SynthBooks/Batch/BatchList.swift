import SynthJSON
import SynthSystem

/// A text of a list, with what it says of how it is to be spoken.
package struct BatchItem: Equatable, Sendable {
    /// Who is meant to speak. What is nil is as for the whole list.
    package struct Voice: Hashable, Sendable {
        package var name: String?
        package var speaker: String?
        /// BCP-47.
        package var language: String?
        package var engine: String?
    }

    /// Of the list, from 1.
    package let line: Int
    /// The name of its file, without the ending.
    package let id: String
    package let text: String
    package var voice = Voice()
    /// They were not looked at.
    package var factors: [Factor: Double] = [:]

    /// The members of a line whose values are factors.
    package enum Factor: String, CaseIterable, Sendable {
        case rate, pitch, volume, variation
    }
}

/// Texts that become a file of sound each: JSON objects, one on a line.
package enum BatchList {
    private static let words = ["id", "text", "voice", "speaker", "language", "engine"]
    /// Bytes of a name, of the 255 that a file system takes.
    private static let longestID = 150

    /// - Throws: `list` with the first line that is not as it has to be.
    package static func items(_ bytes: [UInt8]) throws -> [BatchItem] {
        var items: [BatchItem] = []
        var lines: [String: (id: String, line: Int)] = [:]
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\t") }) {
            let item = try item(Array(line), line: index + 1)
            if let other = lines.updateValue((item.id, index + 1), forKey: PlainID.folded(item.id)) {
                throw BookFailure.list(
                    line: index + 1,
                    reason: other.id == item.id
                        ? "the id \"\(item.id)\" is also the id in line \(other.line)"
                        : "the id \"\(item.id)\" differs from \"\(other.id)\" in line \(other.line) by case only")
            }
            items.append(item)
        }
        guard !items.isEmpty else { throw BookFailure.list(line: 1, reason: "the list is empty") }
        return items
    }

    private static func item(_ bytes: [UInt8], line: Int) throws -> BatchItem {
        func wrong(_ reason: String) -> BookFailure { .list(line: line, reason: reason) }
        let node: JSONNode
        do { node = try JSONReader.read(bytes) } catch {
            throw wrong("\(error.reason) (column \(error.column))")
        }
        guard case .object(let members) = node.value else { throw wrong("it is \(node.kindName), and not an object") }
        var values: [String: String] = [:]
        var factors: [BatchItem.Factor: Double] = [:]
        for member in members {
            let factor = BatchItem.Factor(rawValue: member.name)
            guard factor != nil || words.contains(member.name) else {
                let known = (words + BatchItem.Factor.allCases.map(\.rawValue)).joined(separator: ", ")
                throw wrong("there is no member \"\(member.name)\"; known are \(known)")
            }
            switch (member.node.value, factor) {
            case (.null, _): break
            case (.string(let text), nil): values[member.name] = text
            case (.number(let number), let factor?): factors[factor] = number
            default: throw wrong("\(member.name) is \(member.node.kindName)")
            }
        }
        guard let id = values["id"], let text = values["text"] else { throw wrong("it needs an id and a text") }
        if let flaw = PlainID.flaw(of: id, longest: longestID, allows: isAllowed) {
            throw wrong("\"\(id)\" cannot name a file: \(flaw == .characters ? characterRule : flaw.rule)")
        }
        let voice = BatchItem.Voice(
            name: values["voice"], speaker: values["speaker"], language: values["language"],
            engine: values["engine"]?.lowercased())
        return BatchItem(line: line, id: id, text: text, voice: voice, factors: factors)
    }

    private static let characterRule = "an id is made of letters, digits, -, _ and ."

    /// Letters and digits of all scripts.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "-_.".unicodeScalars.contains(scalar)
    }
}
