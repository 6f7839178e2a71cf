package import SynthDocuments
import SynthJSON
import SynthScript

/// Who reads what of a book: voices by what people call them. It is a file that the user changes.
package struct BookCast: Equatable, Sendable {
    /// Somebody who says something in the book.
    package struct Role: Equatable, Sendable {
        /// nil = the chapter's, else the narrator's.
        package var voice: String?
        /// How much they say, and the first of it, for whoever chooses a voice.
        package var lines = 0
        package var first: String?
    }

    /// Of all that nobody else reads; nil = the voice that is chosen otherwise.
    package var narrator: String?
    /// Of what somebody says of whom nothing is known.
    package var others = Role()
    /// By the numbers of chapters: who tells them.
    package var chapters: [Int: String] = [:]
    package var speakers: [String: Role] = [:]
    /// What each voice is, for the record of what was spoken.
    package var described: [String: String] = [:]

    /// Of a first line as many characters are shown.
    private static let shown = 80

    /// What is found in a book: who says something, and nobody with a voice.
    package init(of chapters: [Document.Chapter]) {
        for chapter in chapters {
            for (block, lines) in zip(chapter.blocks, self.lines(of: chapter.blocks)) where !lines.isEmpty {
                let bytes = Array(block.text.utf8)
                for line in lines {
                    let text = String(String(decoding: bytes[line.range], as: UTF8.self).prefix(Self.shown))
                    if let name = line.speaker {
                        speakers[name, default: Role()].count(text)
                    } else {
                        others.count(text)
                    }
                }
            }
        }
    }

    /// Those who say most first.
    package var people: [(name: String, role: Role)] {
        speakers.sorted { ($1.value.lines, $0.key) < ($0.value.lines, $1.key) }.map { ($0.key, $0.value) }
    }

    /// All voices that are named, each once.
    package var voices: [String] {
        let named =
            [narrator, others.voice] + chapters.sorted { $0.key < $1.key }.map(\.value)
            + speakers.sorted { $0.key < $1.key }.map(\.value.voice)
        var seen: Set<String> = []
        return named.compactMap { $0 }.filter { seen.insert($0).inserted }
    }

    /// Who says what in each block of a chapter.
    func lines(of blocks: [Document.Block]) -> [[SpokenLine]] {
        Dialogue(blocks).lines
    }

    /// Who reads which bytes of a script of some blocks of a chapter; the narrator reads the rest.
    ///
    /// - Parameter lines: of all blocks of the chapter.
    func ranges(
        of blocks: ArraySlice<Document.Block>, _ lines: [[SpokenLine]], chapter: Int, _ script: DocumentScript
    ) -> [VoicedRange] {
        let teller = chapters[chapter]
        var ranges: [VoicedRange] = []
        for (index, place) in zip(blocks.indices, script.places) {
            var told = place.lowerBound
            func tell(until end: Int) {
                if let teller, told < end { ranges.append(VoicedRange(told..<end, voice: teller)) }
            }
            for line in lines[index] {
                let role = line.speaker.map { speakers[$0] ?? Role() } ?? others
                guard let voice = role.voice else { continue }
                let said = place.lowerBound + line.range.lowerBound..<place.lowerBound + line.range.upperBound
                tell(until: said.lowerBound)
                ranges.append(VoicedRange(said, voice: voice))
                told = said.upperBound
            }
            tell(until: place.upperBound)
        }
        return ranges
    }
}

extension BookCast.Role {
    fileprivate mutating func count(_ text: String) {
        lines += 1
        first = first ?? text
    }
}

extension Document.Block {
    /// People speak in paragraphs and lists, and not in headings; a quotation that is set apart is an epigraph, or a letter.
    var isTold: Bool {
        if isQuoted { return false }
        return switch kind {
        case .paragraph, .item: true
        case .heading, .row, .figure, .code, .scene: false
        }
    }
}

// MARK: - The file

extension BookCast {
    /// - Throws: `cast` with the line and the reason.
    package init(json bytes: [UInt8]) throws {
        let node: JSONNode
        do { node = try JSONReader.read(bytes) } catch {
            throw BookFailure.cast(line: error.line, reason: error.reason)
        }
        guard case .object(let members) = node.value else {
            throw BookFailure.cast(line: node.line, reason: "it is \(node.kindName), and not an object")
        }
        for member in members {
            switch member.name {
            case "narrator": narrator = try Self.voice(member)
            case "others": others = try Self.role(member)
            case "chapters":
                for chapter in try Self.members(member) {
                    guard let number = Int(chapter.name), number > 0 else {
                        throw BookFailure.cast(
                            line: chapter.line, reason: "\"\(chapter.name)\" is no number of a chapter")
                    }
                    chapters[number] = try Self.voice(chapter)
                }
            case "speakers":
                for speaker in try Self.members(member) { speakers[speaker.name] = try Self.role(speaker) }
            default:
                throw BookFailure.cast(
                    line: member.line,
                    reason: "there is no member \"\(member.name)\"; known are narrator, others, chapters, speakers")
            }
        }
    }

    private static func members(_ member: JSONNode.Member) throws -> [JSONNode.Member] {
        guard case .object(let members) = member.node.value else {
            throw BookFailure.cast(
                line: member.line, reason: "\(member.name) is \(member.node.kindName), and not an object")
        }
        return members
    }

    private static func voice(_ member: JSONNode.Member) throws -> String? {
        switch member.node.value {
        case .null: return nil
        case .string(let name) where !name.isEmpty: return name
        default:
            throw BookFailure.cast(line: member.line, reason: "the voice of \(member.name) is \(member.node.kindName)")
        }
    }

    /// "Emma", or {"voice": "Emma", "lines": 12, "first": "…"}, of which the voice counts.
    private static func role(_ member: JSONNode.Member) throws -> Role {
        guard case .object(let members) = member.node.value else { return Role(voice: try voice(member)) }
        var role = Role()
        for inner in members {
            switch (inner.name, inner.node.value) {
            case ("voice", _): role.voice = try voice(inner)
            case ("lines", .number(let count)): role.lines = Int(exactly: count) ?? 0
            case ("first", .string(let text)): role.first = text
            case ("lines", _), ("first", _): break
            default:
                throw BookFailure.cast(
                    line: inner.line, reason: "there is no member \"\(inner.name)\" in \(member.name)")
            }
        }
        return role
    }

    /// The file, those who say most first.
    package var json: String {
        func role(_ role: Role) -> String {
            "{\"voice\": \(Self.quoted(role.voice)), \"lines\": \(role.lines), \"first\": \(Self.quoted(role.first))}"
        }
        let people = people.map { "\n    \(JSONString.quoted($0.name)): \(role($0.role))" }
        let told = chapters.sorted { $0.key < $1.key }.map { "\n    \"\($0.key)\": \(JSONString.quoted($0.value))" }
        func object(_ lines: [String]) -> String { lines.isEmpty ? "{}" : "{" + lines.joined(separator: ",") + "\n  }" }
        return """
            {
              "narrator": \(Self.quoted(narrator)),
              "others": \(role(others)),
              "chapters": \(object(told)),
              "speakers": \(object(people))
            }

            """
    }

    private static func quoted(_ text: String?) -> String { text.map { JSONString.quoted($0) } ?? "null" }
}
