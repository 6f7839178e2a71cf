import Testing

/// The sentence splitter's tables are generated from the language folders.
@Suite("Word tables for sentence boundaries")
struct SentenceTablesTests {
    @Test("The tables match the language folders")
    func tables() throws {
        let home = try ScriptHome()
        let result = try home.run("synthhost/Scripts/tables/make-language-words --check")
        #expect(result.status == 0, "\(result.output)")
    }
}
