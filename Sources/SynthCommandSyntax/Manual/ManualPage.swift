import SynthHost

/// Formats manual pages as groff_man(7) source from the command descriptions.
package enum ManualPage {
    /// Returns the page for the command with these words, or the program's page if there are no words. The page
    /// includes subcommands.
    package static func render(for words: [String], version: String) -> String {
        let tree = CommandTree()
        guard let node = tree.nodes.first(where: { $0.words == words }) ?? tree.nodes.first else { return "" }
        let isProgram = node.words.isEmpty
        let name = (["synthhost"] + node.words).joined(separator: "-")
        var page = Roff()
        page.title(name, version: "synthhost \(version)")
        page.section("NAME")
        page.text("\(name) - \(node.command.summary)")
        page.section("SYNOPSIS")
        synopsis(of: node, tree, in: &page)
        if isProgram { describe(in: &page) }
        if isProgram {
            page.section("COMMANDS")
            for command in node.command.subcommands {
                page.item("synthhost \(command.word)", command.summary)
            }
        } else {
            details(of: node, tree, in: &page)
        }
        page.section("GLOBAL OPTIONS")
        for option in CommandTable.globalOptions { item(option, in: &page) }
        if isProgram || node.words.first == "config" {
            page.section("CONFIGURATION")
            for key in ConfigurationKey.all { page.item(key.path, "\(key.help) (\(key.expectation))") }
        }
        if isProgram { surroundings(in: &page) }
        page.section("EXIT STATUS")
        for code in codes(of: node) { page.item(String(code.rawValue), code.meaning) }
        page.section("EXAMPLES")
        for (line, meaning) in node.command.examples { page.example(line, meaning) }
        page.section("SEE ALSO")
        page.references(
            isProgram
                ? node.command.subcommands.filter { $0.name != .help }.map { "synthhost-\($0.word)" } : ["synthhost"])
        return page.text
    }

    private static func synopsis(of node: CommandTree.Node, _ tree: CommandTree, in page: inout Roff) {
        let below = tree.nodes.filter { $0.words.starts(with: node.words) && $0.command.name != nil }
        for shown in node.words.isEmpty ? [node] : below {
            page.usage(
                (["synthhost"] + shown.words).joined(separator: " "),
                shown.command.positionals.map(\.usage)
                    + (shown.command.subcommands.isEmpty ? [] : ["COMMAND"])
                    + (shown.command.options.isEmpty && !node.words.isEmpty ? [] : ["[OPTIONS]"]))
        }
    }

    private static func describe(in page: inout Roff) {
        page.section("DESCRIPTION")
        page.text(
            "Speaks text with any engine. An engine is a shared object in a plugins folder; it runs in a separate process,"
                + " so a crash loses only one sentence and does not end the program.")
        page.text("Data is written to standard output, and messages to standard error.")
    }

    private static func details(of node: CommandTree.Node, _ tree: CommandTree, in page: inout Roff) {
        page.section("DESCRIPTION")
        let below = tree.nodes.filter { $0.words.starts(with: node.words) && $0.words.count > node.words.count }
        for shown in [node] + below {
            if !below.isEmpty, shown.words.count > node.words.count { page.subsection("synthhost \(shown.path)") }
            page.text(shown.command.summary.prefix(1).uppercased() + shown.command.summary.dropFirst() + ".")
            for positional in shown.command.positionals { page.item(positional.usage, positional.help) }
            for option in shown.command.options { item(option, in: &page) }
            for note in shown.command.notes { page.text(note) }
            if let sample = shown.command.sample { page.lines(sample) }
            // The command's own examples are in a separate section.
            guard shown.words.count > node.words.count else { continue }
            for (line, meaning) in shown.command.examples { page.example(line, meaning) }
        }
    }

    private static func item(_ option: OptionDescription, in page: inout Roff) {
        let names = option.names.reversed().joined(separator: ", ")
        page.item(
            names, value: option.valueName, option.help + (option.isRepeatable ? " (may be repeated)" : ""))
    }

    private static func codes(of node: CommandTree.Node) -> [ExitCode] {
        var codes = Set(node.command.exitCodes)
        for command in node.command.subcommands { codes.formUnion(command.exitCodes) }
        return ExitCode.allCases.filter { codes.isEmpty ? [.done, .usage].contains($0) : codes.contains($0) }
    }

    private static func surroundings(in page: inout Roff) {
        page.section("ENVIRONMENT")
        page.item("SYNTHHOST_CONFIG", "the configuration file")
        page.item("SYNTHHOST_ENGINE", "the engine to use; overrides the configuration")
        page.item("SYNTHHOST_DEVICE", "the ALSA device to play on; overrides the configuration")
        page.item("SYNTHHOST_LANGUAGE", "the default language of text; overrides the configuration")
        page.item(
            "SYNTHHOST_RATE, SYNTHHOST_PITCH, SYNTHHOST_VOLUME",
            "rate, pitch and volume, in the format of --rate, --pitch and --volume; override the configuration"
        )
        page.item("SYNTHHOST_PLUGINS", "folders with engines, separated by colons")
        page.item("SYNTHHOST_PLAIN", "if set to 1, all commands use --plain, for screen readers and logs")
        page.item(
            "SYNTHHOST_PACE",
            "the speed of this machine, in billions of multiply-adds that an engine performs per second; if set, the speed is not measured"
        )
        page.item("SYNTHHOST_MIRROR", "a mirror to try first for downloads; see synthhost-models(1)")
        page.item("SYNTHHOST_OFFLINE", "any value except 0 disables all downloads")
        page.item(
            "https_proxy, all_proxy, no_proxy",
            "the proxy for downloads, and the hosts that are contacted without the proxy")
        page.item("SYNTHHOST_PREFIX", "the folder where synthhost is installed, for programs that use its library")
        page.section("FILES")
        page.item("~/.config/synthhost/config.json", "the configuration file")
        page.item("~/.local/share/synthhost/plugins", "your own engines")
        page.item("~/.local/share/synthhost/models", "the installed voices")
        page.item("~/.local/share/synthhost/models.json", "your own registry; see synthhost-models(1)")
        page.item("~/.local/state/synthhost/logs", "the logs of engines")
        page.text(
            "If set, XDG_CONFIG_HOME, XDG_DATA_HOME and XDG_STATE_HOME replace ~/.config, ~/.local/share and "
                + "~/.local/state.")
    }
}

/// Builds a page in groff_man(7) source. Text is escaped.
package struct Roff {
    private(set) var text = ""

    /// Adds the page header.
    package mutating func title(_ name: String, version: String) {
        add(".TH \"\(Self.escape(name.uppercased()))\" 1 \"\" \"\(Self.escape(version))\" \"User Commands\"")
    }

    package mutating func section(_ title: String) { add(".SH \(title)") }
    package mutating func subsection(_ title: String) { add(".SS \(Self.escape(title))") }

    /// Adds a paragraph.
    package mutating func text(_ text: String) {
        add(".PP")
        add(Self.line(text))
    }

    /// Adds a command in bold, followed by its arguments.
    package mutating func usage(_ command: String, _ rest: [String]) {
        add(".PP")
        add("\\fB\(Self.escape(command))\\fR" + rest.map { " " + Self.escape($0) }.joined())
    }

    /// Adds a term in bold with its value name in italics, and its description.
    package mutating func item(_ term: String, value: String? = nil, _ meaning: String) {
        add(".TP")
        add("\\fB\(Self.escape(term))\\fR" + (value.map { " \\fI\(Self.escape($0))\\fR" } ?? ""))
        add(Self.line(meaning))
    }

    /// Adds a command example that is not wrapped, and its description.
    package mutating func example(_ command: String, _ meaning: String) {
        add(".PP")
        add(Self.line(meaning.prefix(1).uppercased() + meaning.dropFirst() + ":"))
        add(".RS 4")
        add(".nf")
        add(Self.line(command))
        add(".fi")
        add(".RE")
    }

    /// Adds lines that are not wrapped.
    package mutating func lines(_ text: String) {
        add(".PP")
        add(".RS 4")
        add(".nf")
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { add(Self.line(String(line))) }
        add(".fi")
        add(".RE")
    }

    /// Adds references to other manual pages in section 1.
    package mutating func references(_ pages: [String]) {
        for (index, page) in pages.enumerated() {
            add(".BR \(Self.escape(page)) (1)" + (index < pages.count - 1 ? "," : ""))
        }
    }

    private mutating func add(_ line: String) { text += line + "\n" }

    /// Escapes a line of text so that groff does not interpret it as a request.
    private static func line(_ text: String) -> String {
        let escaped = escape(text)
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    private static func escape(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "\"": result += "\\(dq"
            case "'": result += "\\(aq"
            case "~": result += "\\(ti"
            case "^": result += "\\(ha"
            case "`": result += "\\(ga"
            case "…": result += "..."
            case "\n": result += " "
            default: result.append(character)
            }
        }
    }
}
