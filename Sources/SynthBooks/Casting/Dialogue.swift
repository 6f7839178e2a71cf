import SynthDocuments

/// Determines the speakers of a chapter's lines. If a paragraph does not name a speaker, the speaker is inferred from
/// pronouns ("he said"), actions next to a quotation, and turn-taking between two people.
struct Dialogue {
    private(set) var lines: [[SpokenLine]] = []

    private struct Scene {
        /// The people who have spoken or been addressed, most recent first, deduplicated.
        var people: [String] = []
        /// The speaker in the last paragraph with speech, or nil if narration came after it.
        var last: String?
        /// The person whom the last speaker addressed.
        var addressee: String?
        /// Whether the last paragraph ended in an unclosed quotation.
        var isOpen = false
        /// The subject of the latest narration, outside quotations.
        var subject: String?
        /// The number of consecutive paragraphs without speech.
        var pause = 0

        mutating func note(_ name: String) {
            people.removeAll { $0 == name }
            people.insert(name, at: 0)
            if people.count > 6 { people.removeLast() }
        }
    }

    /// The number of paragraphs without speech after which speakers are no longer assumed to take turns.
    private static let longestPause = 3

    private static let maximumPeople = 500

    private let genders: SpeakerGenders
    private let known: Set<String>

    init(_ blocks: [Document.Block]) {
        lines = blocks.map { $0.isNarrated ? SpokenLines(in: $0.text).lines : [] }
        let speakers = Set(lines.joined().compactMap(\.speaker))
        let actors = Self.actors(in: blocks, lines).subtracting(speakers).sorted()
        known = speakers.union(actors.prefix(max(0, Self.maximumPeople - speakers.count)))
        // If there are more than `maximumPeople` speakers, use only the names next to verbs of speaking.
        guard known.count <= Self.maximumPeople else {
            genders = SpeakerGenders(of: [], in: [])
            return
        }
        genders = SpeakerGenders(of: known, in: blocks)
        var scene = Scene()
        for (index, block) in blocks.enumerated() {
            guard block.isNarrated else {
                if block.kind != .code { scene = Scene() }
                continue
            }
            assign(&lines[index], block.text, &scene)
        }
    }

    /// Returns the people who act next to a quotation in at least two paragraphs, even if no verb of speaking is next
    /// to their names. Words that also occur in lowercase are not considered names.
    private static func actors(in blocks: [Document.Block], _ lines: [[SpokenLine]]) -> Set<String> {
        var counts: [String: Int] = [:]
        for (block, lines) in zip(blocks, lines) where !lines.isEmpty {
            for name in Set(Narration(lines, in: block.text).texts.flatMap(SpeakerName.actors)) {
                counts[name, default: 0] += 1
            }
        }
        var names = counts.filter { $0.value > 1 }.keys.sorted().prefix(maximumPeople)
        guard !names.isEmpty else { return [] }
        let firstWords = Set(names.compactMap { $0.split(separator: " ").first?.lowercased() })
        var ordinary: Set<String> = []
        for block in blocks where block.isNarrated {
            for word in block.text.split(whereSeparator: { !$0.isLetter }) where word.first?.isLowercase == true {
                if firstWords.contains(String(word)) { ordinary.insert(String(word)) }
            }
        }
        names.removeAll { $0.split(separator: " ").first.map { ordinary.contains($0.lowercased()) } ?? true }
        return Set(names)
    }

    private func assign(_ lines: inout [SpokenLine], _ text: String, _ scene: inout Scene) {
        guard !lines.isEmpty else {
            (scene.last, scene.isOpen) = (nil, false)
            scene.pause += 1
            if scene.pause > Self.longestPause { scene.people = [] }
            if let name = SpeakerName.subject(of: text, among: known) { scene.subject = name }
            return
        }
        let narration = Narration(lines, in: text)
        let reference = narration.references.lazy.compactMap { SpeakerName.reference($0.text, isAfter: $0.isAfter) }
            .first
        var speaker = lines.compactMap(\.speaker).first
        if speaker == nil, scene.isOpen { speaker = scene.last }
        if speaker == nil, let reference {
            speaker =
                reference.isFirstPerson
                ? Self.firstPerson : reference.gender.flatMap { person(of: $0, narration, scene) }
        }
        if speaker == nil, reference == nil { speaker = byBeat(narration, scene) ?? byTurn(narration, scene) }
        for index in lines.indices where lines[index].speaker == nil { lines[index].speaker = speaker }
        scene.pause = 0
        scene.isOpen = narration.isOpen
        scene.addressee =
            narration.references.lazy.compactMap { SpeakerName.addressee($0.text, isAfter: $0.isAfter) }
            .first { known.contains($0) && $0 != speaker }
        if let name = scene.addressee { scene.note(name) }
        if let speaker { scene.note(speaker) }
        scene.last = speaker
        scene.subject = narration.subject(among: known) ?? speaker ?? scene.subject
    }

    /// The name for a first-person narrator ("I said").
    static let firstPerson = "I"

    /// The person to whom "he" or "she" refers.
    private func person(of gender: SpeakerGender, _ narration: Narration, _ scene: Scene) -> String? {
        func fits(_ name: String) -> Bool { genders[name] == gender }
        // Prefer the subject of an earlier sentence in the paragraph.
        if let name = narration.subjectBefore(among: known), fits(name) { return name }
        let fitting = scene.people.filter(fits)
        // If two people of the same gender take turns, choose the one who did not speak last.
        if let last = scene.last, fits(last), let other = fitting.first(where: { $0 != last }),
            scene.people.prefix(3).contains(other) || scene.addressee == other
        {
            return other
        }
        if let name = scene.subject, fits(name) { return name }
        if let name = fitting.first { return name }
        // If exactly one person in the conversation has an unknown gender, choose that person.
        let unknown = scene.people.filter { genders[$0] == nil && $0 != Self.firstPerson }
        if unknown.count == 1 { return unknown[0] }
        let all = known.filter(fits)
        return all.count == 1 ? all.first : nil
    }

    /// The person who acts before or after the quotation, as in "“Yes.” Tom put down his cup."
    private func byBeat(_ narration: Narration, _ scene: Scene) -> String? {
        if let name = narration.subject(among: known) { return name }
        guard let gender = narration.pronoun else { return nil }
        return person(of: gender, narration, scene)
    }

    /// The person whose turn it is to speak in a conversation between two people.
    private func byTurn(_ narration: Narration, _ scene: Scene) -> String? {
        guard narration.isOnlySpeech else { return nil }
        if let name = scene.addressee { return name }
        guard let last = scene.last else { return nil }
        return scene.people.first { $0 != last }
    }
}

/// The narration in a paragraph that contains speech.
private struct Narration {
    /// The text around each quotation, which may name the speaker.
    private(set) var references: [(text: String, isAfter: Bool)] = []
    private let before: String
    private let rest: [String]
    let isOpen: Bool

    init(_ lines: [SpokenLine], in text: String) {
        let bytes = Array(text.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        var end = 0
        var rest: [String] = []
        for line in lines {
            if end < line.range.lowerBound { rest.append(part(end..<line.range.lowerBound)) }
            end = line.range.upperBound
        }
        let before = lines.first.map { part(0..<$0.range.lowerBound) } ?? ""
        self.before = before
        let last = part(min(end, bytes.count)..<bytes.count)
        if before.isEmpty, !rest.isEmpty || !last.isEmpty { references.append((rest.first ?? last, true)) }
        for narration in rest.dropFirst() { references.append((narration, true)) }
        if !last.isEmpty { references.append((last, true)) }
        if !before.isEmpty { references.append((before, false)) }
        self.rest = (before.isEmpty ? rest : Array(rest.dropFirst())) + [last]
        let quotation = lines.last.map { part($0.range) } ?? ""
        isOpen =
            last.isEmpty && quotation.first.map { "“«„".contains($0) } == true
            && quotation.last.map { !"”»“".contains($0) } == true
    }

    /// All parts of the narration, in order.
    var texts: [String] { [before] + rest }

    var isOnlySpeech: Bool {
        texts.allSatisfy { $0.allSatisfy { !$0.isLetter } }
    }

    func subjectBefore(among known: Set<String>) -> String? { SpeakerName.subject(of: before, among: known) }

    func subject(among known: Set<String>) -> String? {
        texts.lazy.compactMap { SpeakerName.subject(of: $0, among: known) }.first
    }

    /// The gender of the pronoun that begins a sentence next to the quotation.
    var pronoun: SpeakerGender? { texts.lazy.compactMap { SpeakerName.leadingPronoun(of: $0) }.first }
}

enum SpeakerGender: Equatable { case female, male }

/// The genders of a chapter's speakers, inferred from their titles, pronouns near their names, and common first names.
private struct SpeakerGenders {
    private var known: [String: SpeakerGender] = [:]

    subscript(name: String) -> SpeakerGender? { known[name] }

    init(of names: Set<String>, in blocks: [Document.Block]) {
        var votes: [String: Int] = [:]
        let byWord = Dictionary(grouping: names) { $0.split(separator: " ").last.map(String.init) ?? $0 }
        for block in blocks where block.isNarrated {
            // The person to whom the next pronoun in the narration refers.
            var (last, distance) = (String?.none, 0)
            for word in Self.narration(block.text).split(whereSeparator: { !$0.isLetter && $0 != "’" && $0 != "'" }) {
                if let found = byWord[String(word)], found.count == 1 {
                    (last, distance) = (found[0], 0)
                } else if let name = last, let gender = SpeakerName.gender(ofPronoun: word.lowercased()) {
                    votes[name, default: 0] += gender == .female ? 1 : -1
                    last = nil
                } else if word.first?.isUppercase == true, distance > 0 {
                    distance += 3
                }
                distance += 1
                if distance > 16 { last = nil }
            }
        }
        for name in names {
            if let gender = Self.titled(name) {
                known[name] = gender
            } else if let vote = votes[name], vote != 0 {
                known[name] = vote > 0 ? .female : .male
            } else {
                known[name] = Self.usual(name)
            }
        }
    }

    /// Returns a paragraph without its quotations.
    private static func narration(_ text: String) -> String {
        var narration = ""
        var isSaid = false
        for character in text {
            if "“«„".contains(character) {
                isSaid = true
            } else if "”»".contains(character) {
                isSaid = false
            } else if !isSaid {
                narration.append(character)
            }
        }
        return narration
    }

    private static let (men, women) = (SpeakerName.set(LanguageWords.men), SpeakerName.set(LanguageWords.women))

    private static func titled(_ name: String) -> SpeakerGender? {
        name.split(separator: " ").first.map { $0.lowercased() }.flatMap {
            men.contains($0) ? .male : women.contains($0) ? .female : nil
        }
    }

    private static let female: Set = Set(
        """
        abigail agnes alice alison amber amy ann anne annie april ashley astrid audrey autumn beatrice beatriz bernice beryl \
        beth betty beverly bonnie bridget carmen carol caroline charity charlotte chloé christine cindy claire clarice \
        colleen connie constance courtney daisy dawn debbie deborah denise dolores doreen doris dorothy edith eileen elaine \
        elise élise elizabeth ellen emily esther ethel eve faith florence frances gail ginger gladys grace greta gretchen gwen \
        hannah harriet hazel heather heidi helen helene hélène hester holly hope ingrid inés irene iris isabel ivy jackie \
        jacqueline jane janet jean jeanne jennifer jill joan josephine joy joyce judith julie juliet juliette june karen kate \
        kathleen katie kelly kim kimberly kitty leah liesl lily lindsey lois lorraine louise lucy lynn mabel madeleine maggie \
        mandy margaret margot marie marlene mary maureen mavis may mercedes meredith michelle molly muriel nancy nelly nicole \
        norah patience pauline pearl peg peggy phyllis pilar polly prudence rachel rosemary rose ruby ruth sally sandy sarah \
        scarlett sharon shirley simone sophie stacy sue susan susannah sybil tiffany tracy trudy violet wendy yvonne любовь
        """.split(separator: " ").map(String.init))
    private static let male: Set = Set(
        """
        luca andrea nicola joshua noah ezra elisha никита илья фома лука дима саша миша ваня кузьма
        """.split(separator: " ").map(String.init))

    private static func usual(_ name: String) -> SpeakerGender? {
        guard let first = name.split(separator: " ").first?.lowercased() else { return nil }
        if female.contains(first) { return .female }
        if male.contains(first) { return .male }
        if let last = first.last, "aаяá".contains(last) { return .female }
        return first.count > 1 ? .male : nil
    }
}
