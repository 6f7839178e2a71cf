/// The right to read a speech, which ends with the loop that reads it, however it is left.
final class SpeechLease: Sendable {
    let run: SpeechRun
    /// The number of this reader; the first that reads has the speech.
    let number: Int

    init(_ run: SpeechRun) {
        self.run = run
        number = run.newReader()
    }

    deinit { run.end(self) }
}
