import SynthHost
import SynthSystem
import SynthTerminal

/// Formats a command's help from its description: summary, examples, usage and details.
package enum HelpText {
    private static let widestLabel = 30

    /// - Parameters:
    ///   - words: the words of the command after the program's name. Unknown words are ignored.
    ///   - width: the column at which sentences are wrapped. Examples are not wrapped, so that users can copy them.
    package static func render(for words: [String], width: Int = 80) -> String {
        var command = CommandTable.root
        var title = command.word
        for word in words {
            guard let next = command.subcommands.first(where: { $0.word == word }) else { break }
            command = next
            title += " " + word
        }

        var sections = [DisplayWidth.wrap("\(title): \(command.summary)", to: width).joined(separator: "\n")]
        if !command.examples.isEmpty {
            let lines = command.examples.map { "  \($0)\n      \($1)" }
            sections.append("Examples:\n" + lines.joined(separator: "\n"))
        }
        sections.append("Usage:\n" + usages(of: command, title: title).map { "  " + $0 }.joined(separator: "\n"))
        add("Commands", command.subcommands.map { ($0.word, $0.summary) }, width, to: &sections)
        add("Arguments", command.positionals.map { ($0.usage, $0.help) }, width, to: &sections)
        add("Options", command.options.map(Self.row), width, to: &sections)
        add("Global options", CommandTable.globalOptions.map(Self.row), width, to: &sections)
        if words.first == "config" {
            let rows = ConfigurationKey.all.map { ($0.path, "\($0.help) (\($0.expectation))") }
            add("Keys", rows, width, to: &sections)
        }
        add("Exit codes", command.exitCodes.map { (String($0.rawValue), $0.meaning) }, width, to: &sections)
        if words.isEmpty || words == ["help"] {
            let guides = Guide.allCases.map { ($0.rawValue, $0.summary) }
            add("Guides, shown by `synthhost help GUIDE`", guides, width, to: &sections)
        }
        sections += command.notes.map { DisplayWidth.wrap($0, to: width).joined(separator: "\n") }
        if let sample = command.sample { sections.append(sample) }
        if !command.subcommands.isEmpty {
            sections.append("`\(title) COMMAND --help` describes a command.")
        }
        return sections.joined(separator: "\n\n") + "\n"
    }

    private static func usages(of command: CommandDescription, title: String) -> [String] {
        var lines: [String] = []
        if command.name != nil {
            let options = command.options.isEmpty ? [] : ["[OPTIONS]"]
            lines.append(([title] + command.positionals.map(\.usage) + options).joined(separator: " "))
        }
        if !command.subcommands.isEmpty { lines.append("\(title) COMMAND [OPTIONS]") }
        return lines
    }

    private static func row(of option: OptionDescription) -> (String, String) {
        (option.usage, option.help + (option.isRepeatable ? " (may be repeated)" : ""))
    }

    private static func add(_ title: String, _ rows: [(String, String)], _ width: Int, to sections: inout [String]) {
        guard !rows.isEmpty else { return }
        let column = min(widestLabel, rows.map { DisplayWidth.columns($0.0) }.max() ?? 0) + 4
        let room = max(20, width - column)
        var lines = [title + ":"]
        for (label, help) in rows {
            let padded = DisplayWidth.pad("  " + label, to: column)
            let wrapped = DisplayWidth.wrap(help, to: room)
            let indentation = String(repeating: " ", count: column)
            if DisplayWidth.columns(label) + 4 > column {
                lines.append("  " + label)
                lines += wrapped.map { indentation + $0 }
            } else {
                lines.append(padded + (wrapped.first ?? ""))
                lines += wrapped.dropFirst().map { indentation + $0 }
            }
        }
        sections.append(lines.joined(separator: "\n"))
    }
}
