/// The completion script for zsh: one function for each command.
package enum ZshCompletion {
    package static func render(_ tree: CommandTree = CommandTree()) -> String {
        """
        #compdef synthhost
        # Completes the command line of synthhost in zsh. Made by: synthhost help --completions zsh

        # What is asked for comes last: _arguments puts options of compadd in front.
        _synthhost_listed() {
            local -a found
            found=(${(f)"$(_call_program names synthhost help --completions ${(q)@[-1]} 2>/dev/null)"})
            compadd "${@[1,-2]}" -a found
        }

        # Of the voice that the line names.
        _synthhost_speakers() {
            _synthhost_listed "$@" "speakers:${(Q)${opt_args[-v]:-${opt_args[--voice]-}}//\\\\:/:}"
        }

        # Of the key that the line names.
        _synthhost_values() {
            _synthhost_listed "$@" "values:$line[1]"
        }

        \(tree.nodes.reversed().map { function($0, tree) }.joined(separator: "\n\n"))

        # Loaded by itself it is the first call; sourced it only makes itself known.
        if [[ $funcstack[1] = _synthhost ]]; then
            _synthhost "$@"
        else
            compdef _synthhost synthhost
        fi

        """
    }

    private static func function(_ node: CommandTree.Node, _ tree: CommandTree) -> String {
        let options = (node.command.options + tree.globalOptions).map(specification)
        let commands = node.command.subcommands
        guard !commands.isEmpty else {
            let arguments = node.command.positionals.map { positional in
                let several = positional.isRepeatable ? "*" : ""
                let optional = positional.isRequired || positional.isRepeatable ? "" : ":"
                let value = action(positional.value)
                return "'\(several):\(optional)\(escape(positional.name)):\(value)'"
            }
            return """
                \(name(node.words))() {
                    local -a line
                    local -A opt_args
                    _arguments -s -S \\
                \(indented(options + arguments))
                }
                """
        }
        let choices = commands.map { "'\(escape($0.word)):\(quoteless($0.summary))'" }
        let cases = commands.map { "        \($0.word)) \(name(node.words + [$0.word])) ;;" }
        return """
            \(name(node.words))() {
                local context state state_descr line
                typeset -A opt_args
                _arguments -C -S \\
            \(indented(options + ["'1: :->command'", "'*:: :->rest'"]))
                case $state in
                command)
                    local -a commands
                    commands=(
            \(choices.map { "            " + $0 }.joined(separator: "\n"))
                    )
                    _describe command commands
            \(node.command.positionals.first.map { "        \(action($0.value))" } ?? "        :")
                    ;;
                rest)
                    case $words[1] in
            \(cases.joined(separator: "\n"))
                    esac
                    ;;
                esac
            }
            """
    }

    private static func name(_ words: [String]) -> String { (["_synthhost"] + words).joined(separator: "_") }

    private static func indented(_ words: [String]) -> String {
        words.map { "        " + $0 }.joined(separator: " \\\n")
    }

    /// One option in the language of `_arguments`.
    private static func specification(_ option: OptionDescription) -> String {
        var names = option.names
        var value = ""
        if let kind = option.value, let name = option.valueName {
            names = [option.name + "="] + (option.short.map { ["-\($0)+"] } ?? [])
            value = ":\(escape(name)):\(action(kind))"
        }
        let help = "[\(escape(option.help))]\(value)'"
        let group = names.count > 1 ? "'(\(option.names.joined(separator: " ")))'" : ""
        let several = option.isRepeatable ? "*" : ""
        if option.isRepeatable || names.count == 1 {
            return names.map { "'\(several)\($0)\(help)" }.joined(separator: " ")
        }
        return "\(group){\(names.joined(separator: ","))}'\(help)"
    }

    private static func action(_ value: CompletedValue) -> String {
        switch value {
        case .file: "_files"
        case .folder: "_files -/"
        case .listed(let subject): "_synthhost_listed \(escape(subject.word))"
        case .speakers: "_synthhost_speakers"
        case .values: "_synthhost_values"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .anything: " "
        }
    }

    private static func escape(_ text: String) -> String {
        var result = ""
        for character in text {
            if "[]:\\".contains(character) { result += "\\" }
            result.append(character)
        }
        return quoteless(result)
    }

    /// For between single quotes.
    private static func quoteless(_ text: String) -> String {
        text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    }
}
