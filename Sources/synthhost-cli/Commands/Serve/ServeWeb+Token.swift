import SpeechServices

extension ServeWeb {
    static func token(
        _ context: CommandContext, _ arguments: ParsedArguments, state: String
    ) throws(CommandFailure) -> AccessToken {
        let text =
            context.environment["SYNTHHOST_HTTP_TOKEN"] ?? String(UInt64.random(in: 1 << 60 ... .max), radix: 36)
            + "abcdefgh"
        guard let token = AccessToken(text) else { throw CommandFailure(.usage, "no token", "") }
        return token
    }
}
