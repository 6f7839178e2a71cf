/// What `synthhost help --completions` prints.
enum CompletionText {
    static func render(_ subject: CompletionSubject, in context: CommandContext) throws(CommandFailure) -> String {
        switch subject {
        case .bash: BashCompletion.render()
        case .zsh: ZshCompletion.render()
        case .fish: FishCompletion.render()
        default: lines(try CompletionNames(context).names(of: subject))
        }
    }

    /// One per line, each once; empty if there are none. Names with line breaks are left out.
    private static func lines(_ names: [String]) -> String {
        var seen: Set<String> = []
        return names.filter { !$0.contains(where: \.isNewline) && seen.insert($0).inserted }
            .map { $0 + "\n" }.joined()
    }
}
