import SynthCatalogue
import SynthHost

/// Parses a command line according to GNU conventions: options in any position, `--flag=value`, `--flag value`, `-v value`, `-vVALUE`,
/// `-qv value`, and `--` before arguments that begin with a dash. `-` and negative numbers are values.
package struct ArgumentParser {
    private var path = [CommandTable.root]
    private var rest: ArraySlice<String>
    private var arguments = ParsedArguments()

    /// - Parameter words: the command line without the program's name.
    package static func parse(_ words: [String]) throws -> Invocation {
        var parser = ArgumentParser(rest: words[...])
        return try parser.parse()
    }

    private var command: CommandDescription { path.last ?? CommandTable.root }
    private var options: [OptionDescription] { command.options + CommandTable.globalOptions }

    private mutating func parse() throws -> Invocation {
        var readsOptions = true
        while let word = rest.popFirst() {
            if readsOptions, word == "--" {
                readsOptions = false
            } else if readsOptions, word.hasPrefix("--") {
                try readLong(word.dropFirst(2))
            } else if readsOptions, word.hasPrefix("-"), word.count > 1, !isNumber(word) {
                try readShort(word.dropFirst())
            } else {
                try readPlain(word)
            }
            // Help is shown even if the arguments after the help option are invalid.
            if arguments[Options.help] { return .help(path.dropFirst().map(\.word)) }
            if arguments[Options.version] {
                return rest.prefix { $0 != "--" }.contains(Options.verbose.description.name)
                    ? .versions(arguments) : .version
            }
        }
        return try finish()
    }

    private mutating func readPlain(_ word: String) throws {
        if arguments.positionals.isEmpty, !command.subcommands.isEmpty {
            if let next = command.subcommands.first(where: { $0.word == word }) {
                path.append(next)
                return
            }
            if command.name == nil {
                throw failure(unknownCommand(word))
            }
        }
        let isFull = arguments.positionals.count >= command.positionals.count
        guard !isFull || command.positionals.last?.isRepeatable == true else {
            throw failure(.unexpectedArgument(word))
        }
        arguments.positionals.append(word)
    }

    private mutating func readLong(_ text: Substring) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        guard let option = options.first(where: { $0.long == name }) else {
            throw failure(unknownOption("--" + name, near: name))
        }
        try read(option, attached: parts.count > 1 ? String(parts[1]) : nil)
    }

    private mutating func readShort(_ text: Substring) throws {
        var letters = text
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                // A single dash before a long option is a common mistake.
                let reason = unknownOption("-\(letter)", near: text.count > 2 ? String(text) : nil)
                guard case .unknownOption(_, .some(let nearest)) = reason else { throw failure(reason) }
                throw failure(.unknownOption("-\(text)", nearest: nearest))
            }
            guard option.valueName != nil else {
                try read(option, attached: nil)
                continue
            }
            try read(option, attached: letters.isEmpty ? nil : String(letters))
            return
        }
    }

    private mutating func read(_ option: OptionDescription, attached: String?) throws {
        guard option.isRepeatable || !arguments.has(option.long) else { throw failure(.repeatedOption(option.name)) }
        guard let valueName = option.valueName else {
            guard attached == nil else { throw failure(.unexpectedValue(option: option.name)) }
            arguments.add("", to: option.long)
            return
        }
        let value: String
        if let attached {
            value = attached
        } else if let next = rest.first, isValue(next) {
            value = next
            rest = rest.dropFirst()
        } else {
            throw failure(.missingValue(option: option.name, valueName: valueName, next: rest.first))
        }
        guard option.isValue(value) else {
            throw failure(.invalidValue(option: option.name, value: value, expectation: option.expectation))
        }
        arguments.add(value, to: option.long)
    }

    private func finish() throws -> Invocation {
        guard let name = command.name else {
            if path.count == 1 { return .help([]) }
            throw failure(.missingCommand)
        }
        for rule in command.rules { try check(rule) }
        if name == .help {
            if let script = arguments[Options.completions] { return .completions(script) }
            if arguments[Options.complete] { return .complete(arguments.positionals) }
            guard let words = try resolve(arguments.positionals, isSearch: !arguments[Options.manual]) else {
                return .run(name, arguments)
            }
            return arguments[Options.manual] ? .manual(words) : .help(words)
        }
        let required = command.positionals.filter(\.isRequired)
        if arguments.positionals.count < required.count {
            throw failure(.missingArgument(required[arguments.positionals.count].name))
        }
        return .run(name, arguments)
    }

    private func check(_ rule: UsageRule) throws {
        switch rule {
        case .excludes(let first, let others):
            guard has(first), let second = others.first(where: has) else { return }
            throw failure(.exclusive(first.description.name, second.description.name))
        case .excludesArguments(let option):
            guard has(option), !arguments.positionals.isEmpty else { return }
            throw failure(.exclusive(option.description.name, command.positionals.first?.name ?? "arguments"))
        case .requires(let options, let other):
            guard !has(other), let first = options.first(where: has) else { return }
            throw failure(.requires(first.description.name, other.description.name))
        }
    }

    private func has(_ option: any DescribedOption) -> Bool { arguments.has(option.description.long) }

    /// Returns the words of an existing command. Returns nil if `help` must read the guides: for the name of a guide, and for a
    /// word that resembles neither a command nor a guide.
    ///
    /// - Parameter isSearch: whether the guides are searched for a word that is not a command.
    private func resolve(_ words: [String], isSearch: Bool) throws -> [String]? {
        if words.count == 1, words.allSatisfy({ Guide(rawValue: $0) != nil }) { return nil }
        var found = [CommandTable.root]
        for word in words {
            let here = found.last ?? CommandTable.root
            guard let next = here.subcommands.first(where: { $0.word == word }) else {
                let guides = found.count == 1 ? Guide.allCases.map(\.rawValue) : []
                let near = Suggestions.nearest(to: word, among: here.subcommands.map(\.word) + guides, limit: 1).first
                if isSearch, words.count == 1, near == nil { return nil }
                throw UsageError(
                    .unknownCommand(word, nearest: near),
                    command: found.map(\.word).joined(separator: " "))
            }
            found.append(next)
        }
        return words
    }

    /// The error for a word that is not a command. The word may also be the first word of a text to speak.
    private func unknownCommand(_ word: String) -> UsageError.Reason {
        let known = command.subcommands
        guard path.count == 1, let speak = known.first(where: { $0.name == .speak }) else {
            return .unknownCommand(
                word, nearest: Suggestions.nearest(to: word, among: known.map(\.word), limit: 1).first)
        }
        // A word of ordinary text may resemble a command by chance, so suggest a command only if it differs by a single
        // typo.
        let near = Suggestions.nearest(to: word, among: known.map(\.word), limit: 1, errors: 1).first
        if near == speak.word || speak.otherWords.contains(word.lowercased()) {
            return rest.isEmpty
                ? .unknownCommand(word, nearest: speak.word)
                : .noCommand(word, nearest: nil, speaking: [speak.word] + rest)
        }
        return .noCommand(word, nearest: near, speaking: [speak.word, word] + rest)
    }

    private func unknownOption(_ option: String, near word: String?) -> UsageError.Reason {
        let near = word.flatMap { Suggestions.nearest(to: $0, among: options.map(\.long), limit: 1).first }
        return .unknownOption(option, nearest: near.map { "--" + $0 })
    }

    private func isValue(_ word: String) -> Bool {
        !word.hasPrefix("-") || word == "-" || isNumber(word)
    }

    /// Whether the word is a minus sign followed by a digit, as in "-10%". No short option is a digit.
    private func isNumber(_ word: String) -> Bool {
        var letters = word.dropFirst()
        if letters.first == "." { letters = letters.dropFirst() }
        return word.hasPrefix("-") && letters.first.map { ("0"..."9").contains($0) } == true
    }

    private func failure(_ reason: UsageError.Reason) -> UsageError {
        UsageError(reason, command: path.map(\.word).joined(separator: " "))
    }
}

/// The action that a command line requests.
package enum Invocation: Equatable, Sendable {
    case run(CommandName, ParsedArguments)
    /// The help for the command with these words, or for the program if there are none.
    case help([String])
    case version
    /// The versions of all components.
    case versions(ParsedArguments)
    /// The manual page for the command with these words.
    case manual([String])
    case completions(CompletionScript)
    /// The completions of these words. The last word is incomplete.
    case complete([String])
}
