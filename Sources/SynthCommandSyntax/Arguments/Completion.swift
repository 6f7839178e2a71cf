/// The completions of a command line, which shells request with `synthhost help --complete -- WORDS`. The last word is the one being typed
/// and may be empty. In `--option=value`, only the value is completed.
package struct Completion: Sendable {
    /// The candidates for the last word.
    package enum Offer: Equatable, Sendable {
        case files
        case folders
        /// Words with their descriptions. The description of a self-explanatory word is empty.
        case words([Word])
        /// Names that the program looks up.
        case names(CompletionSubject)
    }
    /// A candidate with its description.
    package struct Word: Equatable, Sendable {
        package let word: String
        package let meaning: String

        init(_ word: String, _ meaning: String = "") {
            self.word = word
            self.meaning = meaning
        }
    }

    package private(set) var offers: [Offer] = []
    /// The typed part of the word. Candidates must begin with it.
    package private(set) var typed: String
    private var command: CommandDescription
    private var options: [OptionDescription] { command.options + globalOptions }
    private let globalOptions: [OptionDescription]
    private var arguments: [String] = []
    private var voice = ""
    /// The option that takes the next word as its value.
    private var open: OptionDescription?
    /// Whether the command line contains `--`, after which no options follow.
    private var isPlain = false

    package init(
        of words: [String], root: CommandDescription = CommandTable.root,
        globalOptions: [OptionDescription] = CommandTable.globalOptions
    ) {
        typed = words.last ?? ""
        command = root
        self.globalOptions = globalOptions
        for word in words.dropLast() { read(word) }
        offer()
    }

    private mutating func read(_ word: String) {
        if let option = open {
            open = nil
            if option.long == "voice" { voice = word }
        } else if word == "--", !isPlain {
            isPlain = true
        } else if word.hasPrefix("-"), word != "-", !isPlain {
            let (name, value) = Self.parts(of: word)
            guard let option = options.first(where: { $0.names.contains(name) }), option.value != nil else { return }
            guard let value else { return open = option }
            if option.long == "voice" { voice = value }
        } else if arguments.isEmpty, let next = command.subcommands.first(where: { $0.word == word }) {
            command = next
        } else {
            arguments.append(word)
        }
    }

    private mutating func offer() {
        if let value = open?.value { return add(value) }
        if typed.hasPrefix("-"), !isPlain {
            let (name, value) = Self.parts(of: typed)
            guard let value else {
                let words = options.flatMap { option in option.names.map { Word($0, option.help) } }
                return offers.append(.words(words))
            }
            typed = value
            if let kind = options.first(where: { $0.name == name })?.value { add(kind) }
            return
        }
        if arguments.isEmpty, !command.subcommands.isEmpty, !isPlain {
            offers.append(.words(command.subcommands.map { Word($0.word, $0.summary) }))
        }
        let positionals = command.positionals
        let position = min(arguments.count, positionals.count - 1)
        if position >= 0, arguments.count == position || positionals[position].isRepeatable {
            add(positionals[position].value)
        }
    }

    private mutating func add(_ value: CompletedValue) {
        switch value {
        case .file: offers.append(.files)
        case .folder: offers.append(.folders)
        case .listed(let subject): offers.append(.names(subject))
        case .speakers: offers.append(.names(.speakers(voice)))
        case .values: offers.append(.names(.values(arguments.first ?? "")))
        case .words(let words): offers.append(.words(words.map { Word($0) }))
        case .anything: break
        }
    }

    /// Splits a word such as "--voice=Joe" into the option's name and the value. The value is nil if there is no equals sign.
    private static func parts(of word: String) -> (name: String, value: String?) {
        guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<sign]), String(word[word.index(after: sign)...]))
    }
}

/// The scripts that make a shell call `synthhost help --complete`. Each line of its output is `:files`, `:folders`, or
/// a word, optionally followed by a tab and a description.
package enum CompletionScript: String, CaseIterable, Sendable {
    case bash, zsh, fish

    package var text: String {
        switch self {
        case .bash: Self.bashText
        case .zsh: Self.zshText
        case .fish: Self.fishText
        }
    }

    /// Bash splits `--option=value` into three words and leaves quotes and backslashes in them. The script does not depend on the
    /// bash-completion package.
    private static let bashText = #"""
        # Completes the command line of synthhost in bash. Generated by: synthhost help --completions bash

        _synthhost() {
            local cur=${COMP_WORDS[COMP_CWORD]} word line index
            local -a words=()
            for ((index = 1; index <= COMP_CWORD; index++)); do
                word=${COMP_WORDS[index]//\\/} word=${word#[\"\']} word=${word%[\"\']}
                if [[ $word == '=' && ${words[-1]-} == --* ]]; then
                    ((index++))
                    word=${COMP_WORDS[index]-} word=${word//\\/} word=${word#[\"\']} word=${word%[\"\']}
                    words[-1]+="=$word"
                else
                    words+=("$word")
                fi
            done
            [[ $cur == '=' ]] && cur=
            cur=${cur#[\"\']}
            COMPREPLY=()
            local IFS=$'\n'
            while read -r line; do
                case $line in
                    :files) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$cur")) ;;
                    :folders) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$cur")) ;;
                    *) COMPREPLY+=("$(printf %q "${line%%$'\t'*}")") ;;
                esac
            done < <("${COMP_WORDS[0]}" help --complete -- "${words[@]}" 2>/dev/null)
        }

        complete -F _synthhost synthhost

        """#

    private static let zshText = #"""
        #compdef synthhost
        # Completes the command line of synthhost in zsh. Generated by: synthhost help --completions zsh

        _synthhost() {
            local line
            local -a offered asked
            asked=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
            compset -P '--*='
            for line in ${(f)"$(_call_program names synthhost help --complete -- ${(q)asked} 2>/dev/null)"}; do
                case $line in
                    :files) _files ;;
                    :folders) _files -/ ;;
                    *) offered+=("${${line//:/\\:}/$'\t'/:}") ;;
                esac
            done
            (( $#offered )) && _describe -V synthhost offered
        }

        # If zsh autoloads this file, this is the first call; if the file is sourced, it only registers the function.
        if [[ $funcstack[1] = _synthhost ]]; then
            _synthhost "$@"
        else
            compdef _synthhost synthhost
        fi

        """#

    private static let fishText = #"""
        # Completes the command line of synthhost in fish. Generated by: synthhost help --completions fish

        function __synthhost_complete
            set -l words (commandline -opc) (commandline -ct)
            set -l option (string match -r -- '^--[^=]*=' $words[-1])
            for line in (synthhost help --complete -- $words[2..-1] 2>/dev/null)
                switch $line
                    case :files
                        __fish_complete_path (string replace -r -- '^--[^=]*=' '' $words[-1]) | string replace -r '^' -- "$option"
                    case :folders
                        __fish_complete_directories (string replace -r -- '^--[^=]*=' '' $words[-1]) '' | string replace -r '^' -- "$option"
                    case '*'
                        echo -- "$option$line"
                end
            end
        end

        complete -c synthhost -f -a '(__synthhost_complete)'

        """#
}
