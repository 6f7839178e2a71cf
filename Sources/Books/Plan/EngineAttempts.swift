import Synthesis

/// An engine that crashes at a text gets it again, but not for ever.
enum EngineAttempts {
    private static let most = 3

    /// - Parameter failure: what it is that the last attempt did not do.
    static func run<Value>(
        unless isCancelled: () -> Bool, _ body: () throws(SpeechFailure) -> Value,
        failing failure: (SpeechFailure) -> BookFailure
    ) throws(BookFailure) -> Value {
        var attempt = 1
        while true {
            do { return try body() } catch {
                guard error.isOfEngine, attempt < most, !isCancelled() else { throw failure(error) }
                attempt += 1
            }
        }
    }
}
