import ModelStore
import SynthHost
import System
import Terminal
import VoiceCatalogue

/// Downloads voices and shows the progress.
struct VoiceDownload {
    private let context: CommandContext
    private let store: ModelStore
    private let reporter: ProgressReporter
    private let cancellation: Cancellation
    private let loudness: LoudnessCheck?

    /// - Parameter measures: whether voices are measured, too, so that they are as loud as others from the start.
    init(
        _ context: CommandContext, _ arguments: ParsedArguments, _ library: VoiceLibrary, _ cancellation: Cancellation,
        measures: Bool = true
    ) {
        self.context = context
        store = library.store
        loudness = measures ? LoudnessCheck(context, arguments, library.inventory, cancellation) : nil
        self.cancellation = cancellation
        reporter = context.reporter(json: arguments[Options.json], quiet: arguments[Options.quiet])
    }

    /// Blocks until the voice is ready.
    ///
    /// - Parameters:
    ///   - word: what to type for the voice.
    ///   - resumeCommand: what to type if it was stopped or failed; nil = the command that downloads the voice alone.
    ///   - offered: files of the user's that may be some of the voice's.
    func pull(
        _ voice: Voice, word: String, resumeCommand: String? = nil, offering offered: [String] = []
    ) throws(CommandFailure) {
        let store = store
        let reporter = reporter
        let executor = context.executor
        let error = AsyncWork.run(context, cancellation) { () -> StoreError? in
            let watching = Task(executorPreference: executor) {
                let label = DownloadLabel(voice)
                for await state in store.states(of: voice) {
                    guard let (text, measure) = label.show(state) else { continue }
                    reporter.report(measure, label: text)
                }
            }
            defer { watching.cancel() }
            do throws(StoreError) {
                try await reporter.wait("Downloading \(voice.title)", on: executor) { () async throws(StoreError) in
                    try await store.pull([voice], offering: offered)
                }
                return nil
            } catch {
                return error
            }
        }
        if let error { throw failure(error, voice, word, resumeCommand) }
        measure(voice)
        reporter.print("\(voice.title) is ready.")
    }

    /// Measures how loud a voice is that is ready, if that is not known.
    func measure(_ voice: Voice) { loudness?.measure([voice]) }

    /// The store's errors name voices by ids; here titles are used.
    private func failure(_ error: StoreError, _ voice: Voice, _ word: String, _ resumeCommand: String?)
        -> CommandFailure
    {
        let pull = resumeCommand ?? "synthhost models pull \(ShellWord.quoted(word))\(PrecisionChange.words(of: voice))"
        if error.kind == .cancelled {
            let arrived = voice.downloadSize - store.missingBytes(of: voice)
            return CommandFailure(
                .interrupted,
                arrived > 0
                    ? "The download of \(voice.title) was stopped; \(ByteCount.words(arrived)) of "
                        + "\(ByteCount.words(voice.downloadSize)) are kept."
                    : "The download of \(voice.title) was stopped before anything arrived.",
                "To go on, type: \(pull)")
        }
        let failure = CommandFailure(error, pull: pull)
        if case .notDownloaded(let download) = error, error.kind == .tryAgain, download.cause.isTooManyRequests {
            return CommandFailure(
                failure.code, error.message,
                "The server lets nobody download too much at once. Wait some minutes, then type: \(pull)")
        }
        return CommandFailure(failure.code, error.message(ofDownloading: voice.title), failure.remedy)
    }
}
