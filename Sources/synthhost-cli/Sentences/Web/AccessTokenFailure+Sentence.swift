import SpeechServices

extension CommandFailure {
    init(_ failure: AccessToken.Failure) {
        switch failure {
        case .file(let path, let reason):
            self.init(
                .failure, "The file of the token, \(path), cannot be used: \(reason).",
                "Name another one with --http-token-file FILE, or set SYNTHHOST_HTTP_TOKEN.")
        case .notOurs(let path):
            self.init(
                .failure, "The file of the token, \(path), belongs to another user.",
                "Give it to the user that serves, or name another file with --http-token-file FILE.")
        case .notSecret(let path, _):
            self.init(
                .failure, "Others can read the token in \(path).",
                "Type: chmod 600 \(Wording.quoted(path)) — or remove it, and a new one is made.")
        case .noToken(let path): self.init(.usage, "There is no token in \(path).", AccessToken.expectation)
        }
    }
}

extension AccessToken {
    /// What a token must be, as a remedy.
    static let expectation =
        "It must have \(shortest) to \(longest) letters, digits and signs of -._~+/, on one line: openssl rand -hex 32"
}
