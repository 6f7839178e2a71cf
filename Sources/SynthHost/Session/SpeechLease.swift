/// The right to read a speech, which ends with the loop that reads it, however it is left.
final class SpeechLease: Sendable {
    let run: SpeechRun
    /// Which of those who ask for the speech; the first that reads has it.
    let number: Int

    init(_ run: SpeechRun) {
        self.run = run
        number = run.newReader()
    }

    deinit { run.end(self) }
}
