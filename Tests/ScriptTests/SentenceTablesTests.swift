import Testing

/// What the splitter knows of full stops is written in the languages' folders.
@Suite("The words of sentence ends")
struct SentenceTablesTests {
    @Test("are what the languages' folders say")
    func tables() throws {
        let home = try ScriptHome()
        let result = try home.run("synthhost/Scripts/tables/make-sentence-words --check")
        #expect(result.status == 0, "\(result.output)")
    }
}
