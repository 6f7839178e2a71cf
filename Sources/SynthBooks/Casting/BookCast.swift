package import SynthDocuments
import SynthJSON
import SynthScript

/// The voice names for a book's chapters and speakers, stored in a file that the user can edit.
package struct BookCast: Equatable, Sendable {
    /// A speaking role in the book.
    package struct Role: Equatable, Sendable {
        /// The speaker's voice, or nil to use the chapter's or the narrator's voice.
        package var voice: String?
        /// The number of lines that the speaker has and the beginning of the first line, to help the user choose a
        /// voice.
        package var lines = 0
        package var first: String?

        package init(voice: String? = nil) { self.voice = voice }
    }

    /// The voice for text without a more specific voice, or nil for the default voice.
    package var narrator: String?
    /// The role for lines whose speaker is unknown.
    package var others = Role()
    /// The narrators of chapters, keyed by chapter number.
    package var chapters: [Int: String] = [:]
    package var speakers: [String: Role] = [:]
    /// Descriptions of the voices, keyed by name, to be stored in the records of finished parts.
    package var described: [String: String] = [:]

    /// The number of characters to show from a speaker's first line.
    private static let shown = 80

    /// Finds the speakers in a book. Does not assign voices to them.
    package init(of chapters: [Document.Chapter]) {
        for chapter in chapters {
            for (block, lines) in zip(chapter.blocks, Dialogue(chapter.blocks).lines) where !lines.isEmpty {
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

    /// The speakers, sorted by number of lines in descending order.
    package var people: [(name: String, role: Role)] {
        speakers.sorted { ($1.value.lines, $0.key) < ($0.value.lines, $1.key) }.map { ($0.key, $0.value) }
    }

    /// All voices in the cast, deduplicated.
    package var voices: [String] {
        let named =
            [narrator, others.voice] + chapters.sorted { $0.key < $1.key }.map(\.value)
            + speakers.sorted { $0.key < $1.key }.map(\.value.voice)
        var seen: Set<String> = []
        return named.compactMap { $0 }.filter { seen.insert($0).inserted }
    }

    /// Returns the voices for byte ranges of a script that contains some of a chapter's blocks. The narrator reads the
    /// rest of the text.
    ///
    /// - Parameter lines: the spoken lines in all blocks of the chapter.
    func ranges(
        of blocks: ArraySlice<Document.Block>, _ lines: [[SpokenLine]], chapter: Int, _ script: DocumentScript
    ) -> [SpeakerRange] {
        let chapterVoice = chapters[chapter]
        var ranges: [SpeakerRange] = []
        for (index, location) in zip(blocks.indices, script.blockRanges) {
            var told = location.lowerBound
            func tell(until end: Int) {
                if let chapterVoice, told < end { ranges.append(SpeakerRange(told..<end, voice: chapterVoice)) }
            }
            for line in lines[index] {
                let role = line.speaker.map { speakers[$0] ?? Role() } ?? others
                guard let voice = role.voice else { continue }
                let said = location.lowerBound + line.range.lowerBound..<location.lowerBound + line.range.upperBound
                tell(until: said.lowerBound)
                ranges.append(SpeakerRange(said, voice: voice))
                told = said.upperBound
            }
            tell(until: location.upperBound)
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
    /// Whether the block may contain dialogue: a paragraph or a list item, but not a heading. Block quotations are
    /// excluded, because they are usually epigraphs or letters.
    var isNarrated: Bool {
        if isQuoted { return false }
        return switch kind {
        case .paragraph, .item: true
        case .heading, .row, .figure, .code, .scene: false
        }
    }
}

// MARK: - File format

extension BookCast {
    /// - Throws: `cast` with the line number and the reason.
    package init(json bytes: [UInt8]) throws {
        let node: JSONNode
        do { node = try JSONReader.read(bytes) } catch {
            throw BookFailure.cast(line: error.line, reason: error.reason)
        }
        guard case .object(let members) = node.value else {
            throw BookFailure.cast(line: node.line, reason: "it is \(node.kindName), not an object")
        }
        for member in members {
            switch member.name {
            case "narrator": narrator = try Self.voice(member)
            case "others": others = try Self.role(member)
            case "chapters":
                for chapter in try Self.members(member) {
                    guard let number = Int(chapter.name), number > 0 else {
                        throw chapter.wrong("\"\(chapter.name)\" is not a chapter number")
                    }
                    chapters[number] = try Self.voice(chapter)
                }
            case "speakers":
                for speaker in try Self.members(member) { speakers[speaker.name] = try Self.role(speaker) }
            default:
                throw member.wrong(
                    "the key \"\(member.name)\" is unknown; known keys are narrator, others, chapters and speakers")
            }
        }
    }

    private static func members(_ member: JSONNode.Member) throws -> [JSONNode.Member] {
        guard case .object(let members) = member.node.value else {
            throw member.wrong("\(member.name) must be an object, not \(member.node.kindName)")
        }
        return members
    }

    private static func voice(_ member: JSONNode.Member) throws -> String? {
        switch member.node.value {
        case .null: return nil
        case .string(let name) where !name.isEmpty: return name
        default:
            throw member.wrong("\"\(member.name)\" must be the name of a voice, not \(member.node.kindName)")
        }
    }

    /// Reads "Emma" or {"voice": "Emma", "lines": 12, "first": "…"}. Ignores "lines" and "first" if they have the wrong
    /// type.
    private static func role(_ member: JSONNode.Member) throws -> Role {
        guard case .object(let members) = member.node.value else { return Role(voice: try voice(member)) }
        var role = Role()
        for inner in members {
            switch (inner.name, inner.node.value) {
            case ("voice", _): role.voice = try voice(inner)
            case ("lines", .number(let count)): role.lines = Int(exactly: count) ?? 0
            case ("first", .string(let text)): role.first = text
            case ("lines", _), ("first", _): break
            default: throw inner.wrong("the key \"\(inner.name)\" in \(member.name) is unknown")
            }
        }
        return role
    }

    /// The cast as JSON. Speakers are sorted by number of lines.
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

extension JSONNode.Member {
    fileprivate func wrong(_ reason: String) -> BookFailure { .cast(line: line, reason: reason) }
}
