import Glibc
import SynthAudio
import SynthBooks
import SynthCatalogue
import SynthCommandSyntax
import SynthDocuments
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost book`: lists the chapters of a book or creates an audiobook.
struct BookCommand: Command {
    let context: CommandContext

    func run() throws {
        let path = arguments.positionals[0]
        if let output = arguments[Options.bookOutput] {
            return try BookMaking(context: context, path: path, output: output).run()
        }
        let read = try ReadDocument(context, path: path, DocumentForm(path: path))
        if let cast = arguments[Options.cast] { return try propose(BookCast(of: read.chosen.map(\.chapter)), to: cast) }
        let document = read.document
        if arguments[Options.json] {
            let chapters = read.chosen.map { number, chapter -> JSONMembers in
                [
                    "number": number, "title": chapter.title, "level": chapter.level, "words": chapter.words,
                    "seconds": ReadDocument.seconds(chapter.words),
                ]
            }
            let frontMatter = Dictionary(uniqueKeysWithValues: read.frontMatter.map { ($0.kind.rawValue, $0.words) })
            let listing: JSONMembers = [
                "title": document.title, "authors": document.authors, "language": document.language,
                "frontMatter": frontMatter.isEmpty ? nil : frontMatter, "chapters": chapters,
            ]
            return try context.print(json: listing)
        }
        if let title = document.title {
            try context.print(
                document.authors.isEmpty ? title : "\(title), by \(document.authors.joined(separator: ", "))")
        }
        var table = Table(columns: [
            .init("NO", alignment: .trailing), .init("CHAPTER", priority: .name), .init("WORDS", alignment: .trailing),
            .init("TIME", alignment: .trailing),
        ])
        for (number, chapter) in read.chosen {
            table.append([
                String(number),
                String(repeating: "  ", count: max(0, (chapter.level ?? 1) - 1)) + (chapter.title ?? "(no title)"),
                String(chapter.words), Self.time(ReadDocument.seconds(chapter.words)),
            ])
        }
        try context.print(text: table.render(for: context.output))
        let words = read.chosen.reduce(0) { $0 + $1.chapter.words }
        try context.print(
            "\(words) \(words == 1 ? "word" : "words"), about \(Self.time(ReadDocument.seconds(words))) of speech")
        if let notice = read.frontMatterNotice { context.printMessage(notice) }
        if let last = read.chosen.last {
            let word = ShellWord.quoted(path)
            context.printMessage("To hear one, type: synthhost speak -f \(word) --chapters \(last.number)")
            context.printMessage("To make an audiobook, type: synthhost book \(word) -o FOLDER")
        }
    }

    /// `synthhost book FILE --cast CAST.json`: lists the speakers of a book.
    ///
    /// - Parameter path: the path of a new file. An existing file, which may contain the user's choice of voices, is
    ///   not overwritten.
    private func propose(_ cast: BookCast, to path: String) throws {
        var status = stat()
        guard lstat(path, &status) != 0 else {
            throw CommandFailure(
                .cannotWriteOutput, "\(path) already exists and may contain voices that you chose.",
                "Pass a different file with --cast, or move this one out of the way.")
        }
        do {
            let file = try ReplacementFile(at: path)
            try file.file.writeAll(Array(cast.json.utf8))
            try file.publish()
        } catch {
            throw CommandFailure(
                .cannotWriteOutput, "Cannot write \(path): \(error).", "Pass a different file with --cast.")
        }
        if arguments[Options.json] {
            for (name, role) in cast.people {
                try context.print(json: ["speaker": name, "lines": role.lines, "first": role.first] as JSONMembers)
            }
            let others: JSONMembers = ["lines": cast.others.lines, "first": cast.others.first]
            return try context.print(json: others)
        }
        var table = Table(columns: [
            .init("SPEAKER", priority: .name), .init("LINES", alignment: .trailing), .init("FIRST LINE"),
        ])
        for (name, role) in cast.people { table.append([name, String(role.lines), role.first ?? ""]) }
        table.append(["(unknown speaker)", String(cast.others.lines), cast.others.first ?? ""])
        try context.print(text: table.render(for: context.output))
        let words = [arguments.positionals[0], path].map { ShellWord.quoted($0) }
        context.printMessage("Wrote \(path). Enter the speakers' voices there; the narrator reads all other text.")
        context.printMessage(
            "Then make the audiobook with the same chapters: synthhost book \(words[0]) -o FOLDER --voices \(words[1])")
    }

    /// Formats a duration, such as "1 h 5 min", "12 min" or "40 s".
    private static func time(_ seconds: Int) -> String {
        HumanReadable.duration(.seconds(seconds < 60 ? seconds : (seconds + 30) / 60 * 60))
    }
}

extension BookCast {
    /// The maximum size of a cast file in bytes.
    private static let largest = 16 << 20

    init(path: String, _ context: CommandContext) throws {
        let bytes = try rethrowing(readWholeFile(path, limit: Self.largest)) { CommandFailure(unreadable: path, $0) }
        context.inUse.add(RegularFile(path: path), as: .text)
        self = try BookCast(json: bytes)
    }

    /// Finds all voices in the cast and downloads any missing files.
    mutating func find(_ asked: RequestedVoice, _ cancellation: Cancellation) throws {
        func asking<Value>(
            for name: String, _ body: (RequestedVoice) throws -> Value
        ) throws -> Value {
            var asked = asked
            asked.other = VoiceQuery(name: name)
            do { return try body(asked) } catch {
                let failure = CommandFailure(error)
                throw CommandFailure(failure.code, failure.message.map { "In the cast: \($0)" }, failure.remedy)
            }
        }
        // Report unknown names before downloading anything.
        for name in voices { _ = try asking(for: name) { asked in try asked.choose() } }
        for name in voices {
            let choice = try asking(for: name) { asked in
                try asked.find(cancellation, nil).choice
            }
            let versions = asked.inventory.listings.compactMap(\.engine)
                .filter { engine in choice.shares.contains { $0.voice.engine == engine.id } }.map(\.version)
            describe(name, choice, versions: versions, SpeechSettings(asked.configuration, for: choice))
        }
    }

    /// Reports speakers in the cast who do not speak in the selected chapters, and chapters in the cast that are not
    /// selected.
    func tellUnused(in read: ReadDocument, _ context: CommandContext) {
        let found = BookCast(of: read.chosen.map(\.chapter))
        for (name, role) in people where role.voice != nil && found.speakers[name] == nil {
            context.printMessage(
                "\(name) does not speak in the selected chapters, so the voice from the cast is not used."
            )
        }
        for number in chapters.keys.sorted() where !read.chosen.contains(where: { $0.number == number }) {
            context.printMessage("The cast includes chapter \(number), which is not selected.")
        }
    }
}
