import Foundation
import SynthSystem
import SynthVerbalization
import Testing

@Suite("A language's tables")
struct TableErrorTests {
    private func flaw(_ rules: String) throws -> TableError? {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tables-\(UUID().uuidString)")
        let language = folder.appending(path: "qq")
        try FileManager.default.createDirectory(at: language, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try "[settings]\nlocale = en\n[forms]\ncardinal = %spellout-cardinal\n".write(
            to: language.appending(path: "language.txt"), atomically: true, encoding: .utf8)
        try rules.write(to: language.appending(path: "rules.txt"), atomically: true, encoding: .utf8)
        do {
            _ = try Verbalizer(language: "qq", tables: folder.path).check()
            return nil
        } catch let error as TableError {
            return error
        }
    }

    static let flaws: [(String, TableError.Reason)] = [
        ("[rules]\nno arrow here", .missing(":")),
        ("[rules]\nkind: {n:int} = {n}", .missing("=>")),
        ("[rules]\nkind: {n:int} => {m}", .unknownName("m")),
        ("[rules]\nkind: {n:int} => {n|nosuch}", .unknownForm("nosuch")),
        ("[rules]\nkind: {n:@nosuch} => {n}", .unknownList("nosuch")),
        ("[rules]\nkind: {n:nosuch} => {n}", .unknownElement("nosuch")),
        ("[rules]\nkind: {n:9..1} => {n}", .unknownElement("9..1")),
        ("[rules]\nkind: (a|b => c", .unbalanced),
        ("[rules]\nkind: a) => c", .unbalanced),
        ("[rules]\nkind: {n:int => c", .missing("=>")),
        ("[rules]\nkind: a => [c", .unbalanced),
        ("[rules]\nkind: a => {n", .unbalanced),
        ("[rules]\nkind: {n:int} => a ?? n<m", .unknownName("m")),
        ("[rules]\nkind: {n:int} => a << {m:int}", .unknownName("m")),
        ("[rules]\nkind: \(String(repeating: "(", count: 50)) => a", .tooMuch),
        ("[rules]\nkind: \(String(repeating: "a", count: 3000)) => a", .tooMuch),
        ("[nosuch]\n", .unknownSection("nosuch")),
        ("[settings]\nnosuch = 1", .unknownSetting("nosuch")),
        ("[forms]\nline", .missing("=")),
        ("[forms]\na = @ordinal", .unknownForm("@ordinal")),
        ("[forms]\na = @ordinal.first", .unknownForm("@ordinal.first")),
        ("[list a]\n = b", .tooMuch),
    ]

    @Test("Errors in a table are reported with their line number", arguments: flaws)
    func mistakes(_ rules: String, _ expected: TableError.Reason) throws {
        let error = try #require(try flaw(rules), "No flaw was found in \(rules)")
        #expect(error.reason == expected || rules.contains("{n:int =>") && error.reason == .unbalanced)
        #expect(error.path?.hasSuffix("/qq/rules.txt") == true)
        #expect(error.line == (rules.hasPrefix("[nosuch]") ? 1 : 2))
    }

    @Test("The error for an unreadable table includes the name of the file")
    func unreadable() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tables-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "qq/language.txt"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(throws: TableError.self) { try Verbalizer(language: "qq", tables: folder.path).check() }
        #expect(Verbalizer(language: "qq", tables: folder.path).replacements(in: "5 dogs") == [])
    }

    @Test("All tables are complete, and there are words for their numbers")
    func whole() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Table.languages)
            .filter { FileManager.default.fileExists(atPath: "\(Table.languages)/\($0)/language.txt") || $0 == "en-US" }
        #expect(names.count >= 13)
        for name in names { #expect(try Table.verbalizer(name).check(), "\(name)") }
    }
}
