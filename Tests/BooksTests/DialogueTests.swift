import SynthDocuments
import Testing

@testable import SynthBooks

@Suite("Speakers in dialogue")
struct DialogueTests {
    /// Paragraphs, with the speaker of each quotation in them.
    static let table: [(paragraphs: [String], speakers: [String])] = [
        // A pronoun refers to the most recent speaker of that gender.
        (
            ["“Open it,” said Maria.", "“No,” said Tom.", "“Why?” she asked.", "“My eyes,” he answered."],
            ["Maria", "Tom", "Maria", "Tom"]
        ),
        (
            ["“Go,” said Mr. Smith. “Now.”", "“I will,” said Mrs. Jones.", "“Good,” he said."],
            ["Mr Smith", "Mr Smith", "Mrs Jones", "Mr Smith"]
        ),
        (
            [
                "“Komm“, sagte Hans.".replacing("“Komm“", with: "„Komm“"), "„Nein“, sagte Greta.", "„Doch“, sagte er.",
                "„Gut“, sagte sie.",
            ], ["Hans", "Greta", "Hans", "Greta"]
        ),
        (["« Viens », dit Marie.", "« Non », dit Paul.", "« Si », dit-elle."], ["Marie", "Paul", "Marie"]),
        // Two speakers alternate.
        (
            ["“One,” said Ann.", "“Two,” said Bob.", "“Three.”", "“Four.”", "“Five.”"],
            ["Ann", "Bob", "Ann", "Bob", "Ann"]
        ),
        (["“One,” said Ann.", "“Two,” said Bob.", "They walked.", "“Three.”"], ["Ann", "Bob", "?"]),
        (["“Why?” Maria asked Tom.", "“Because.”", "“I see,” said Tom."], ["Maria", "Tom", "Tom"]),
        (["“Why?” she asked Tom.", "“Because.”", "“I see,” said Tom."], ["?", "Tom", "Tom"]),
        // Two speakers of the same gender.
        (
            ["“One,” said Ann.", "“Two,” said Eve.", "“Three,” she said.", "“Four,” she said."],
            ["Ann", "Eve", "Ann", "Eve"]
        ),
        // An action next to a quotation identifies the speaker of the quotation.
        (
            ["“One,” said Ann.", "“Two,” said Tom.", "Ann laughed. “Three.”", "“Four.” Tom put down the cup."],
            ["Ann", "Tom", "Ann", "Tom"]
        ),
        (
            ["“One,” said Ann.", "“Two,” said Tom.", "She laughed. “Three.”", "“Four.” He put down the cup."],
            ["Ann", "Tom", "Ann", "Tom"]
        ),
        (["“Go,” said Tom.", "Ann looked up.", "“No,” she said."], ["Tom", "?"]),
        // Two such actions identify a person who never appears next to a verb of speaking.
        (
            [
                "Ann put down her cup. “One.”", "“Two.” Old Tom frowned at the cup.", "Ann shook her head. “Three.”",
                "Old Tom got up and left. “Four.”",
            ],
            ["Ann", "Old Tom", "Ann", "Old Tom"]
        ),
        (
            [
                "Snow fell. “One.”", "Snow lay on the road. “Two.”", "Suddenly he rose. “Three.”",
                "Suddenly he left. “Four.”", "The snow fell.",
            ],
            ["?", "?", "?", "?"]
        ),
        (["«Uno.» Asintió con la cabeza.", "«Dos.» Asintió otra vez."], ["?", "?"]),
        (["„Eins.“ Plötzlich stand er auf.", "„Zwei.“ Plötzlich ging sie."], ["?", "?"]),
        (["“One,” thought Ann."], ["Ann"]),
        (["“Hm,” said Ann.", "“Go,” said Tom.", "Ann looked up.", "“No,” she said."], ["Ann", "Tom", "Ann"]),
        // A quotation across several paragraphs.
        (
            ["“Well,” said Tom. “It begins here.", "“It goes on here.", "“It ends.”", "“Ah,” said Ann."],
            ["Tom", "Tom", "Tom", "Tom", "Ann"]
        ),
        // First-person narrators.
        (["“Well,” I said.", "“Yes,” said Ann.", "“No.”", "“So,” she said."], ["I", "Ann", "I", "Ann"]),
        // Unknown speakers.
        (["“One,” said somebody."], ["?"]), (["“One,” he said.", "“Two,” she said."], ["?", "?"]),
        (["“One,” he said.", "“Two,” said Tom.", "“Three,” said Jim."], ["?", "Tom", "Jim"]),
    ]

    @Test("Speakers are identified by pronouns, by alternation, and by their actions", arguments: table)
    func speakers(paragraphs: [String], speakers: [String]) {
        let blocks = paragraphs.map { Document.Block(.paragraph, $0, at: Document.Position(line: 1)) }
        let found = Dialogue(blocks).lines.joined().map { $0.speaker ?? "?" }
        #expect(found == speakers, "\(paragraphs)")
    }

    @Test("A dialogue ends at a scene break, and an epigraph is not part of it")
    func borders() {
        func block(_ kind: Document.Block.Kind, _ text: String, isQuoted: Bool = false) -> Document.Block {
            Document.Block(kind, text, isQuoted: isQuoted, at: Document.Position(line: 1))
        }
        let blocks = [
            block(.paragraph, "“A motto.”", isQuoted: true), block(.paragraph, "“One,” said Ann."),
            block(.paragraph, "“Two,” said Bob."), block(.scene, ""), block(.paragraph, "“Three.”"),
        ]
        #expect(Dialogue(blocks).lines.map(\.count) == [0, 1, 1, 0, 1])
        #expect(Dialogue(blocks).lines[4][0].speaker == nil)
    }

    @Test("Speakers are found quickly, even in a dialogue with thousands of names")
    func many() {
        let blocks = (0..<20_000).map { number in
            Document.Block(
                .paragraph, "“One,” said Ann\(number % 3000)x. “Two,” he said.", at: Document.Position(line: 1))
        }
        #expect(Dialogue(blocks).lines.count == 20_000)
    }
}
