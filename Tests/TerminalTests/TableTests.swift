import SynthSystem
import SynthTerminal
import Testing

@Suite struct TableTests {
    private let table = Table(
        columns: [.init("Voice"), .init("Language"), .init("Size", alignment: .trailing)],
        rows: [
            ["Heart", "en-US", "63.2 MB"], ["小さい声の人", "ja", "9 MB"],
            ["A voice with a remarkably long name", "en-GB-scotland", "1.2 GB"],
        ])

    @Test("Without a maximum width, no text is truncated, and columns are aligned")
    func plain() {
        #expect(
            table.render(width: nil) == """
                Voice                                Language           Size
                Heart                                en-US           63.2 MB
                小さい声の人                         ja                 9 MB
                A voice with a remarkably long name  en-GB-scotland   1.2 GB

                """)
    }

    @Test("The widest column is narrowed first")
    func clipped() {
        #expect(
            table.render(width: 44) == """
                Voice                Language           Size
                Heart                en-US           63.2 MB
                小さい声の人         ja                 9 MB
                A voice with a rem…  en-GB-scotland   1.2 GB

                """)
    }

    @Test("Empty columns are hidden unless there are no rows")
    func emptyColumn() {
        let table = Table(columns: [.init("A"), .init("EMPTY"), .init("B")], rows: [["1", "", "2"], ["3", "", ""]])
        #expect(table.render(width: nil) == "A  B\n1  2\n3\n")
        #expect(Table(columns: [.init("A"), .init("B")]).render(width: nil) == "A  B\n")
    }

    @Test("On a narrow terminal, details are dropped first, and names are narrowed last")
    func priority() {
        let table = Table(
            columns: [
                .init("NAME", priority: .name), .init("KIND", priority: .detail), .init("STATE", narrowest: 10),
                .init("SIZE", alignment: .trailing, priority: .detail),
            ],
            rows: [["Received Pronunciation", "voice", "not downloaded", "1 MB"]])
        func row(_ width: Int) -> Substring? { table.render(width: width).split(separator: "\n").last }
        #expect(row(51) == "Received Pronunciation  voice  not downloaded  1 MB")
        #expect(row(50) == "Received Pronunciation  voice  not downloaded")
        #expect(row(44) == "Received Pronunciation  not downloaded")
        #expect(row(37) == "Received Pronunciation  not download…")
        #expect(row(34) == "Received Pronunciation  not downl…")
        #expect(row(33) == "Received Pronunciati…  not downl…")
        #expect(row(20) == "Receive…  not downl…")
    }

    @Test("No line is wider than the terminal, even if it is very narrow", arguments: 1...80)
    func neverWider(width: Int) {
        let lines = table.render(width: width).split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { DisplayWidth.columns(String($0)) <= width })
    }

    @Test("The table is complete in a pipe and fits the width of a terminal")
    func output() {
        let pipe = TextOutput(style: .plain, columns: { 30 }, send: { _ in })
        let terminal = TextOutput(
            style: TerminalStyle(isTerminal: true, allowsColor: true, allowsAnimation: true), columns: { 30 },
            send: { _ in })
        #expect(table.render(for: pipe) == table.render(width: nil))
        #expect(table.render(for: terminal) == table.render(width: 30))
    }

    @Test("Missing cells are empty, and control characters do not reach the terminal")
    func repairs() {
        var table = Table(columns: [.init("A"), .init("B")])
        table.append(["x\u{1B}[1my"])
        table.append(["1", "2", "3"])
        #expect(table.render(width: nil) == "A       B\nx [1my\n1       2\n")
    }
}
