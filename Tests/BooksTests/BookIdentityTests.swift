import Testing

@testable import SynthBooks

@Suite("Book identity")
struct BookIdentityTests {
    private static let uuids = [
        "urn:uuid:0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", "urn:uuid:00000001-4b5a-6978-8796-a5b4c3d2e1f0",
    ]

    private static func book(
        _ title: String = "Poems", by authors: [String] = ["Ann Lee"], ids identifiers: [String] = [],
        file: String? = nil
    ) -> BookIdentity {
        BookIdentity(title: title, authors: authors, identifiers: identifiers, file: file)
    }

    @Test(
        "Two records of the same book match",
        arguments: [
            (book(), book()), (book(by: ["Ann Lee"]), book("POEMS", by: ["Lee, Ann"])),
            // Books with a common identifier may have different titles and authors.
            (
                book(ids: ["x", "urn:isbn:978-0-306-40615-7"]),
                book("Poems, second edition", by: ["A. Lee"], ids: ["9780306406157"])
            ),
            (book(ids: [uuids[0]]), book("Other", ids: [uuids[0].uppercased()])),
            (book(ids: [uuids[0]]), book(by: [], ids: [uuids[0]])),
            (book(ids: ["9780306406157"]), book("Verse", by: ["Bob May", "Lee, A."], ids: ["9780306406157"])),
            (book(by: ["H. D."], ids: ["9780306406157"]), book("Verse", by: ["H. D."], ids: ["9780306406157"])),
            (book("Poems 2", ids: ["9780306406157"]), book("Collected poems, 2", ids: ["9780306406157"])),
            (book(ids: ["https://doi.org/10.1000/182x"]), book("Poems II", ids: ["doi:10.1000/182X"])),
            // Each conversion of a book creates a different UUID.
            (book(ids: [uuids[0]]), book(ids: [uuids[1]])),
            (book(ids: [uuids[0]]), book(ids: ["9780306406157", uuids[1]])), (book(ids: [uuids[0]]), book()),
            // Books without authors are compared by file name.
            (book(by: [], file: "a.html"), book(by: [], file: "a.html")),
            // If the authors match, file names are ignored.
            (book(file: "a.epub"), book(file: "b.epub")),
        ] as [(BookIdentity, BookIdentity)])
    func same(one: BookIdentity, other: BookIdentity) { #expect(one.isSame(as: other) && other.isSame(as: one)) }

    @Test(
        "Two records of different books do not match",
        arguments: [
            (book(), book("Prose")), (book(), book(by: ["Bob May"])), (book(), book(by: [])),
            (book(), book(by: ["Ann Lee", "Bob May"])),
            (book(ids: ["9780306406157"]), book(ids: ["9780306406158"])),
            (book(ids: ["9780306406157", uuids[0]]), book(ids: ["9780306406158", uuids[1]])),
            // A common identifier may come from a template or identify a set of books.
            (book(ids: ["urn:isbn:1234567890"]), book("Prose", by: ["Bob May"], ids: ["urn:isbn:1234567890"])),
            (book(ids: ["urn:isbn:1234567890"]), book(by: ["Bob May"], ids: ["urn:isbn:1234567890"])),
            (book(ids: [uuids[0]]), book("Other", by: [], ids: [uuids[0].uppercased()])),
            (
                book(ids: ["http://www.example.com/book1"]),
                book("Prose", by: ["Bob May"], ids: ["http://www.example.com/book1"])
            ),
            (book("Poems, volume 1", ids: ["9780306406157"]), book("Poems, volume 2", ids: ["9780306406157"])),
            (book(by: ["A. Lee"], ids: [uuids[0]]), book("Prose", by: ["A. May"], ids: [uuids[0]])),
            (book(ids: ["9780306406157", uuids[0]]), book(ids: ["9780306406158", uuids[0]])),
            // Conversion programs assign these identifiers to many books, so they are ignored.
            (book(ids: ["1"]), book("Prose", ids: ["1"])),
            (book(ids: ["BookId"]), book(by: ["Bob May"], ids: ["BookId"])),
            (
                book(ids: ["urn:uuid:00000000-0000-0000-0000-000000000000"]),
                book("Prose", ids: ["00000000-0000-0000-0000-000000000000"])
            ),
            (book(by: [], file: "a.html"), book(by: [], file: "b.html")),
            (book(by: [], ids: [uuids[0]], file: "a.epub"), book(by: [], ids: [uuids[1]], file: "b.epub")),
        ] as [(BookIdentity, BookIdentity)])
    func other(one: BookIdentity, other: BookIdentity) { #expect(!one.isSame(as: other) && !other.isSame(as: one)) }
}
