/// The completion script for fish.
package enum FishCompletion {
    package static func render(_ tree: CommandTree = CommandTree()) -> String {
        var lines = [
            """
            # Completes the command line of synthhost in fish. Made by: synthhost help --completions fish

            # Sets what the words so far say: the command, its arguments, and the voice that is named.
            function __synthhost_read --no-scope-shadowing
                set -l words (commandline -opc)
                set -e words[1]
                set path
                set arguments
                set voice
                set -l option
                for word in $words
                    if test -n "$option"
                        contains -- $option -v --voice; and set voice $word
                        set option
                    else if contains -- $word \(valued(tree))
                        set option $word
                    else if string match -q -- '--voice=*' $word
                        set voice (string replace -- --voice= '' $word)
                    else if not string match -q -- '-*' $word
                        if test -z "$arguments"; and contains -- (string join ' ' -- $path $word) \(paths(tree))
                            set path $path $word
                        else
                            set arguments $arguments $word
                        end
                    end
                end
            end

            # Whether the words so far lead to exactly this command.
            function __synthhost_at
                set -l path
                set -l arguments
                set -l voice
                __synthhost_read
                test "$path" = "$argv"
            end

            # Whether they do, and so many arguments follow it.
            function __synthhost_after
                set -l path
                set -l arguments
                set -l voice
                __synthhost_read
                test (count $arguments) = $argv[1]; and test "$path" = "$argv[2..]"
            end

            # The speakers of the voice that is named.
            function __synthhost_speakers
                set -l path
                set -l arguments
                set -l voice
                __synthhost_read
                synthhost help --completions "speakers:$voice" 2>/dev/null
            end

            # The values of the key that is named.
            function __synthhost_values
                set -l path
                set -l arguments
                set -l voice
                __synthhost_read
                synthhost help --completions "values:$arguments[1]" 2>/dev/null
            end

            complete -c synthhost -f
            """
        ]
        for option in tree.globalOptions { lines.append(line(option, condition: nil)) }
        for node in tree.nodes {
            let condition = "__synthhost_at \(node.path)"
            for command in node.command.subcommands {
                lines.append(
                    "complete -c synthhost -n \(quote(condition)) -a \(quote(command.word)) -d \(quote(command.summary))"
                )
            }
            for option in node.command.options { lines.append(line(option, condition: condition)) }
            for (place, positional) in node.command.positionals.enumerated() {
                let value = offer(positional.value, takesOnlyThese: false)
                let here = positional.isRepeatable ? condition : "__synthhost_after \(place) \(node.path)"
                if !value.isEmpty { lines.append("complete -c synthhost -n \(quote(here))\(value)") }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ option: OptionDescription, condition: String?) -> String {
        var line = "complete -c synthhost"
        if let condition { line += " -n \(quote(condition))" }
        if let short = option.short { line += " -s \(short)" }
        line += " -l \(option.long)"
        if let value = option.value { line += offer(value, takesOnlyThese: true) }
        return line + " -d \(quote(option.help))"
    }

    private static func offer(_ value: CompletedValue, takesOnlyThese: Bool) -> String {
        let exclusive = takesOnlyThese ? " -x" : ""
        switch value {
        case .file: return takesOnlyThese ? " -r -F" : " -F"
        case .folder: return "\(exclusive) -a '(__fish_complete_directories)'"
        case .listed(let subject):
            return "\(exclusive) -a '(synthhost help --completions \(subject.word) 2>/dev/null)'"
        case .speakers: return "\(exclusive) -a '(__synthhost_speakers)'"
        case .values: return "\(exclusive) -a '(__synthhost_values)'"
        case .words(let words): return "\(exclusive) -a \(quote(words.joined(separator: " ")))"
        case .anything: return exclusive
        }
    }

    /// All options with a value. No other command has one of them without a value.
    private static func valued(_ tree: CommandTree) -> String {
        var seen: Set<String> = []
        let options = tree.globalOptions + tree.nodes.flatMap(\.command.options)
        return options.filter { $0.valueName != nil }.flatMap(\.names).filter { seen.insert($0).inserted }
            .joined(separator: " ")
    }

    private static func paths(_ tree: CommandTree) -> String {
        tree.nodes.map(\.path).filter { !$0.isEmpty }.map(quote).joined(separator: " ")
    }

    private static func quote(_ text: String) -> String {
        "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "'"
    }
}
