import Synchronization
import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// Downloads voices and shows the progress.
struct ShownDownload {
    let context: CommandContext
    let library: VoiceLibrary
    let cancellation: Cancellation
    /// Whether to measure the loudness of new voices.
    var measures = true

    /// Downloads a voice. Blocks until the voice is ready.
    ///
    /// - Parameters:
    ///   - resumeCommand: the command to suggest if the download stops or fails, or nil for the command that downloads only this voice.
    ///   - offered: the user's files that may belong to the voice.
    func pull(_ voice: Voice, resumeCommand: String? = nil, offering offered: [String] = []) throws {
        let reporter = context.reporter()
        let download = library.download(voice, offering: offered, on: context.executor)
        context.show(download, of: voice.title, reporter, cancellation)
        if let problem = download.problem { throw failure(problem, voice, resumeCommand) }
        measure(voice)
        reporter.print("\(voice.title) is ready.")
    }

    /// Measures the loudness of an installed voice, if it is unknown.
    func measure(_ voice: Voice) {
        guard measures else { return }
        LoudnessCheck(context: context, inventory: library.inventory, cancellation: cancellation).measure([voice])
    }

    /// Converts a library error, which contains voice IDs, to a failure that contains voice titles.
    private func failure(_ problem: SpeechError, _ voice: Voice, _ resumeCommand: String?) -> CommandFailure {
        let pull = resumeCommand ?? library.pullCommand(for: voice)
        if problem.code == .cancelled {
            let arrived = voice.downloadSize - library.missingBytes(of: voice)
            return CommandFailure(
                .interrupted,
                arrived > 0
                    ? "The download of \(voice.title) was stopped; \(ByteCount.words(arrived)) of "
                        + "\(ByteCount.words(voice.downloadSize)) was kept."
                    : "The download of \(voice.title) was stopped before any data arrived.",
                "To continue, type: \(pull)")
        }
        let failure = CommandFailure(problem, pull: pull)
        if problem.isOfTooManyRequests {
            return CommandFailure(
                failure.code, problem.message,
                "The server is rate-limiting downloads. Wait a few minutes, then type: \(pull)")
        }
        return CommandFailure(failure.code, problem.message(ofDownloading: voice.title), failure.remedy)
    }
}

extension VoiceLibrary {
    /// The command that downloads a voice.
    func pullCommand(for voice: Voice) -> String {
        "synthhost models pull \(ShellWord.quoted(word(for: voice)))\(PrecisionChange.words(of: voice))"
    }
}

extension CommandContext {
    /// Shows a download until it ends or is cancelled. Blocks.
    func show(_ download: VoiceDownload, of title: String, _ reporter: ProgressReporter, _ cancellation: Cancellation) {
        cancellation.during({ download.cancel() }) {
            AsyncWork.run(self) { [executor] in
                let label = DownloadLabel(title: title)
                await reporter.wait("Downloading \(title)", on: executor) {
                    for await state in download {
                        guard let (text, measure) = label.show(state) else { continue }
                        reporter.report(measure, label: text)
                    }
                }
            }
        }
    }
}

/// The progress label for a download state. A new label restarts the measurement, so the label stays the same within a step.
final class DownloadLabel: Sendable {
    let localized: PhraseBook
    private let title: String
    private let isComplete = Mutex(false)

    init(title: String, _ localized: PhraseBook = .english) { (self.title, self.localized) = (title, localized) }

    /// Returns the label and the progress, or nil to show nothing.
    func show(_ state: DownloadState) -> (text: String, measure: Progress.Measure)? {
        switch state {
        case .downloading(let progress):
            isComplete.withLock { $0 = progress.bytes == progress.total }
            let notice = progress.notice.map { " (\($0.words))" } ?? ""
            return (localized("Downloading \(title)") + notice, .bytes(done: progress.bytes, total: progress.total))
        case .waiting(let process?):
            return (localized("Waiting for process \(process), which is downloading \(title)"), .unknown)
        case .waiting(nil): return (localized("Waiting for another download of \(title)"), .unknown)
        // A small file may be verified while a large file is still being downloaded.
        case .verifying: return isComplete.withLock(\.self) ? (localized("Checking \(title)"), .unknown) : nil
        case .unpacking: return (localized("Unpacking \(title)"), .unknown)
        default: return nil
        }
    }
}

/// When the precision of one voice has changed, changes the precision of all other installed voices that share its model.
struct PrecisionChange {
    let library: VoiceLibrary
    let download: ShownDownload

    /// The precision option to include in a suggested command, or an empty string if the user passed none.
    static func words(_ arguments: ParsedArguments) -> String {
        arguments[Options.precision].map { " --precision \(ShellWord.quoted($0))" } ?? ""
    }

    /// The precision option for a voice that does not use the default model.
    static func words(of voice: Voice) -> String {
        guard let model = voice.model, model.variantOf != nil, let precision = model.precision else { return "" }
        return " --precision \(ShellWord.quoted(precision))"
    }

    /// Downloads only the files that the other voices lack.
    ///
    /// - Returns: messages for the user.
    func follow(_ voices: [Voice]) throws -> [String] {
        var told: [String] = []
        for voice in voices {
            for other in library.followers(of: voice) { try download.pull(other) }
            told += library.unusedModels(beside: voice).map { old, bytes in
                "The \(old.precision ?? old.id) model (\(ByteCount.words(bytes))) is no longer needed. "
                    + "To remove it, type: synthhost models prune"
            }
        }
        var seen: Set<String> = []
        return told.filter { seen.insert($0).inserted }
    }
}
