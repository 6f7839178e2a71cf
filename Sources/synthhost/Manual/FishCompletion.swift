/// The completion script for fish.
enum FishCompletion {
    static func render(_ tree: CommandTree = CommandTree()) -> String {
        var lines = [
            """
            # Completes the command line of synthhost in fish. Made by: synthhost help --completions fish

            # Whether the words so far lead to exactly this command.
            function __synthhost_at
                set -l words (commandline -opc)
                set -e words[1]
                set -l path
                set -l skips 0
                for word in $words
                    if test $skips = 1
                        set skips 0
                    else if contains -- $word \(valued(tree.globalOptions))
                        set skips 1
                    else if not string match -q -- '-*' $word
                        if contains -- (string join ' ' -- $path $word) \(paths(tree))
                            set path $path $word
                        end
                    end
                end
                test "$path" = "$argv"
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
            for positional in node.command.positionals {
                let value = offer(CompletedValue(named: positional.name), takesOnlyThese: false)
                if !value.isEmpty { lines.append("complete -c synthhost -n \(quote(condition))\(value)") }
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
            return "\(exclusive) -a '(synthhost help --completions \(subject.rawValue) 2>/dev/null)'"
        case .words(let words): return "\(exclusive) -a \(quote(words.joined(separator: " ")))"
        case .anything: return exclusive
        }
    }

    private static func valued(_ options: [OptionDescription]) -> String {
        options.filter { $0.valueName != nil }.flatMap(\.names).joined(separator: " ")
    }

    private static func paths(_ tree: CommandTree) -> String {
        tree.nodes.map(\.path).filter { !$0.isEmpty }.map(quote).joined(separator: " ")
    }

    private static func quote(_ text: String) -> String {
        "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "'"
    }
}
