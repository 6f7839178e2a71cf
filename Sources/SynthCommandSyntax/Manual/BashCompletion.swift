/// The completion script for bash. It does not need the bash-completion package.
package enum BashCompletion {
    package static func render(_ tree: CommandTree = CommandTree()) -> String {
        """
        # Completes the command line of synthhost in bash. Made by: synthhost help --completions bash

        # What stands behind an option of a command; fails for an option without a value.
        _synthhost_value() {
            case $1 in
        \(options(tree))
                *) return 1 ;;
            esac
        }

        # What stands in the n-th place of a command that is no option.
        _synthhost_argument() {
            kind=anything
            case $1 in
        \(arguments(tree))
            esac
        }

        # The commands and options that a command has.
        _synthhost_words() {
            commands= options=
            case $1 in
        \(words(tree))
            esac
        }

        _synthhost() {
            local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
            local command= kind= commands= options= word index count=0 plain= voice= key=
            # Bash breaks --option=value into three words.
            if [[ $cur == '=' ]]; then
                cur=
            elif [[ $prev == '=' ]]; then
                prev=${COMP_WORDS[COMP_CWORD-2]}
            fi
            for ((index = 1; index < COMP_CWORD; index++)); do
                word=${COMP_WORDS[index]}
                _synthhost_words "$command"
                if [[ $word == -- && ! $plain ]]; then
                    plain=yes
                elif [[ $word == -?* && ! $plain ]]; then
                    if _synthhost_value "$command $word"; then
                        [[ ${COMP_WORDS[index+1]} == '=' ]] && ((index++))
                        ((index++))
                        [[ $word == -v || $word == --voice ]] && voice=${COMP_WORDS[index]-}
                    fi
                elif [[ $count == 0 && " $commands " == *" $word "* ]]; then
                    command=${command:+$command }$word
                else
                    ((count++))
                    key=$word
                fi
            done
            _synthhost_words "$command"
            COMPREPLY=()
            if [[ ! $plain ]] && _synthhost_value "$command $prev"; then
                :
            elif [[ $cur == -* && ! $plain ]]; then
                kind="words $options"
            else
                _synthhost_argument "$command $count"
                if [[ $commands && $count == 0 ]]; then
                    COMPREPLY=($(compgen -W "$commands" -- "$cur"))
                fi
            fi
            case $kind in
                speakers)
                    # As it was typed: quoted, or with backslashes.
                    voice=${voice//\\\\/} voice=${voice#[\\"\\']} voice=${voice%[\\"\\']}
                    kind="listed speakers:$voice"
                    ;;
                values) kind="listed values:$key" ;;
            esac
            local IFS=$'\\n'
            case $kind in
                file) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")) ;;
                folder) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
                words\\ *) COMPREPLY=($(IFS=' ' && compgen -W "${kind#words }" -- "$cur")) ;;
                listed\\ *)
                    # A quote that is open yet belongs to the word.
                    cur=${cur#[\\"\\']}
                    while read -r word; do
                        [[ $word == "${cur//\\\\/}"* ]] && COMPREPLY+=("$(printf %q "$word")")
                    done < <("${COMP_WORDS[0]}" help --completions "${kind#listed }" 2>/dev/null)
                    ;;
            esac
        }

        complete -F _synthhost synthhost

        """
    }

    private static func options(_ tree: CommandTree) -> String {
        var lines: [String] = []
        for option in tree.globalOptions {
            guard let value = option.value else { continue }
            lines.append(line(option.names.map { "*\" \($0)\"" }, "kind=\(kind(value))"))
        }
        for node in tree.nodes {
            for option in node.command.options {
                guard let value = option.value else { continue }
                lines.append(line(option.names.map { "\"\(node.path) \($0)\"" }, "kind=\(kind(value))"))
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func arguments(_ tree: CommandTree) -> String {
        tree.nodes.flatMap { node in
            node.command.positionals.enumerated().compactMap { place, positional -> String? in
                let value = positional.value
                guard value != .anything else { return nil }
                let count = positional.isRepeatable ? "*" : "\(place)"
                return line(["\"\(node.path) \"\(count)"], "kind=\(kind(value))")
            }
        }.joined(separator: "\n")
    }

    private static func words(_ tree: CommandTree) -> String {
        tree.nodes.map { node in
            let commands = node.command.subcommands.map(\.word).joined(separator: " ")
            let options = (node.command.options + tree.globalOptions).flatMap(\.names).joined(separator: " ")
            return line(["\"\(node.path)\""], "commands='\(commands)' options='\(options)'")
        }.joined(separator: "\n")
    }

    private static func line(_ patterns: [String], _ action: String) -> String {
        "        \(patterns.joined(separator: " | "))) \(action) ;;"
    }

    private static func kind(_ value: CompletedValue) -> String {
        switch value {
        case .file: "file"
        case .folder: "folder"
        case .listed(let subject): "'listed \(subject.word)'"
        case .speakers: "speakers"
        case .values: "values"
        case .words(let words): "'words \(words.joined(separator: " "))'"
        case .anything: "anything"
        }
    }
}
