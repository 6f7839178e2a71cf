/// What `synthhost help --completions` prints: a script for a shell, or the names that those scripts ask for.
enum CompletionSubject: String, CaseIterable, Equatable, Sendable {
    case bash, zsh, fish
    case engines, voices

    static let shells: [CompletionSubject] = [.bash, .zsh, .fish]

    @Sendable static func parse(_ text: String) throws(ValueError) -> CompletionSubject {
        guard let subject = CompletionSubject(rawValue: text) else {
            throw ValueError(expectation: allCases.map(\.rawValue).joined(separator: ", "))
        }
        return subject
    }
}
