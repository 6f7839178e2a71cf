import CommandParts
import CommandSyntax
import Documents
import Sentences
import SynthHost
import System
import Terminal

/// `synthhost book`: what is in a book, chapter by chapter; or the book as sound.
package struct BookCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    private struct Listing: Encodable {
        struct Part: Encodable {
            let number: Int
            let title: String?
            let words: Int
            /// Of speech, as far as it can be said before.
            let seconds: Int
        }
        let title: String?
        let authors: [String]
        let language: String?
        let chapters: [Part]
    }

    func run() throws(CommandFailure) {
        let path = arguments.positionals[0]
        if let output = arguments[Options.bookOutput] {
            return try BookMaking(context: context, arguments: arguments, path: path, output: output).run()
        }
        let read = try ReadDocument(context, arguments, path: path, DocumentForm(path: path))
        if let cast = arguments[Options.cast] { return try CastProposal(context, arguments, read).write(to: cast) }
        let parts = read.chosen.map { number, chapter in
            Listing.Part(
                number: number, title: chapter.title, words: chapter.words, seconds: ReadDocument.seconds(chapter.words)
            )
        }
        let document = read.document
        if arguments[Options.json] {
            let listing = Listing(
                title: document.title, authors: document.authors, language: document.language, chapters: parts)
            return try context.print(try JSONText.line(of: listing))
        }
        if let title = document.title {
            try context.print(
                document.authors.isEmpty ? title : "\(title), by \(document.authors.joined(separator: ", "))")
        }
        var table = Table(columns: [
            .init("NO", alignment: .trailing), .init("CHAPTER", worth: .name), .init("WORDS", alignment: .trailing),
            .init("TIME", alignment: .trailing),
        ])
        for part in parts {
            table.append([
                String(part.number), part.title ?? "(no title)", String(part.words), Self.time(part.seconds),
            ])
        }
        try context.print(text: table.render(for: context.output))
        let words = parts.reduce(0) { $0 + $1.words }
        try context.print(
            "\(words) \(words == 1 ? "word" : "words"), about \(Self.time(ReadDocument.seconds(words))) of speech")
        if let last = parts.last {
            let word = ShellWord.quoted(path)
            context.say("To hear one, type: synthhost speak -f \(word) --chapters \(last.number)")
            context.say("To make an audiobook, type: synthhost book \(word) -o FOLDER")
        }
    }

    /// "1 h 5 min", "12 min", "40 s".
    private static func time(_ seconds: Int) -> String {
        Readable.duration(.seconds(seconds < 60 ? seconds : (seconds + 30) / 60 * 60))
    }
}
