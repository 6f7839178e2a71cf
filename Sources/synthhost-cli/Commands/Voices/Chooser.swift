import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// Runs the voice chooser on a screen: passes events to the state, performs the effects that the state returns, and
/// draws the screen. The thread that calls `run` owns the state. Samples and downloads run on other threads, so they
/// never delay key presses.
final class Chooser {
    enum Message: Sendable {
        case event(ChooserState.Event)
        /// The download of a voice has ended.
        case downloaded(String, SpeechError?)
    }

    private let context: CommandContext
    private let voices: ChooserVoices
    private let cancellation: Cancellation
    private let mailbox: Mailbox<Message>
    private let interface: ScreenInterface
    private let player: SamplePlayer
    private let localized: PhraseBook
    private var state: ChooserState
    private var download: VoiceDownload?
    private let measuring = Monitor<LoudnessMeasurement?>(nil)
    private var saved: Voice?
    private var hasEnded = false

    init(
        _ context: CommandContext, _ voices: ChooserVoices, _ rows: [ChooserState.Row], _ cancellation: Cancellation
    ) throws {
        let mailbox = try Mailbox<Message>()
        (self.context, self.voices, self.cancellation, self.mailbox) = (context, voices, cancellation, mailbox)
        cancellation.set { mailbox.wake.signal() }
        localized = context.localized
        state = ChooserState(rows, context.localized)
        let interface = ScreenInterface(context, draws: true, isQuiet: false, mailbox.wake)
        cancellation.setExitAction(interface.close)
        self.interface = interface
        player = voices.player(context.devices) { key, update in
            switch update {
            case .loading: mailbox.send(.event(.sample(.loading(key))))
            case .playing: mailbox.send(.event(.sample(.playing(key))))
            case .ended: mailbox.send(.event(.sample(nil)))
            case .failed(let error):
                mailbox.send(.event(.sample(nil)))
                // Omit the remedy, which may mention options that this command does not have.
                mailbox.send(.event(.note(CommandFailure(error).message ?? "")))
            }
        }
    }

    /// Blocks until the user quits.
    ///
    /// - Returns: the last voice that the user saved as the default, or nil if the user saved none.
    func run() throws -> Voice? {
        defer { end() }
        try show()
        while !hasEnded, !cancellation.isRequested {
            for message in mailbox.take() { handle(message) }
            try show()
            if hasEnded || cancellation.isRequested { break }
            switch interface.wait(nil, mailbox.wake) {
            case .keys(let keys): for key in keys where !hasEnded { take(.key(key)) }
            case .stop: suspend()
            case .closed: hasEnded = true
            case .changed, .nothing: break
            }
        }
        if cancellation.isRequested { throw CommandFailure(.interrupted, nil) }
        return saved
    }

    /// Whether the terminal can show the chooser.
    var canRun: Bool { interface.draws }

    private func end() {
        player.close()
        cancelDownload()
        interface.close()
    }

    private func show() throws {
        do {
            try interface.show { state.screen(columns: $0, rows: $1) }
        } catch {
            // The terminal was closed. SIGHUP may arrive later.
            hasEnded = true
        }
    }

    private func suspend() {
        player.stop()
        interface.suspend()
    }

    private func take(_ event: ChooserState.Event) { for effect in state.take(event) { perform(effect) } }

    private func handle(_ message: Message) {
        switch message {
        case .event(let event): take(event)
        case .downloaded(let key, let problem):
            download = nil
            guard let row = voices.row(key) else { return }
            take(.downloaded(row, problem: problem.map { words($0, of: row) }))
        }
    }

    private func words(_ problem: SpeechError, of row: ChooserState.Row) -> String {
        problem.code == .cancelled
            ? localized("The download was stopped. Press Enter to resume.")
            : localized("\(problem.message(ofDownloading: row.title)) Press Enter to try again.")
    }

    // MARK: - Effects

    private func perform(_ effect: ChooserState.Effect) {
        switch effect {
        case .play(let key, let profile): player.play(voices.order(key, profile))
        case .stop: player.stop()
        case .download(let key): startDownload(key)
        case .cancelDownload: cancelDownload()
        case .save(let key, let profile):
            change(key, { () throws(SpeechError) in try voices.save(key, profile) }) { row in
                saved = voices.voice(key)
                return "\(row.title) is now your default voice. Press q to quit."
            }
        case .favorite(let key, let isOn):
            change(key, { () throws(SpeechError) in try voices.change(.list(.favorites, isOn), key) }) { row in
                isOn ? "\(row.title) is now a favorite." : "\(row.title) is no longer a favorite."
            }
        case .hide(let key, let isOn):
            change(key, { () throws(SpeechError) in try voices.change(.list(.hidden, isOn), key) }) { row in
                isOn
                    ? "\(row.title) is hidden. To show it again, press a, select the voice and press h."
                    : "\(row.title) is visible in lists again."
            }
        case .quit: hasEnded = true
        case .interrupt: cancellation.cancel()
        case .suspend: suspend()
        }
    }

    /// Changes the configuration and shows the result.
    private func change(
        _ key: String, _ body: () throws(SpeechError) -> Void, _ phrase: (ChooserState.Row) -> Phrase
    ) {
        do {
            try body()
            guard let row = voices.row(key) else { return }
            take(.changed(row))
            take(.note(localized(phrase(row))))
        } catch {
            take(.note(CommandFailure(error).sentence))
        }
    }

    private func startDownload(_ key: String) {
        guard let voice = voices.voice(key), download == nil else { return }
        let download = voices.library.download(voice, on: context.executor)
        self.download = download
        Task(executorPreference: context.executor) {
            [mailbox, measuring, localized, inventory = voices.library.inventory] in
            let label = DownloadLabel(title: voice.title, localized)
            for await step in download {
                if let words = label.words(step) { mailbox.send(.event(.downloading(words))) }
            }
            if download.problem == nil, let measurement = inventory.loudnessMeasurement(of: voice) {
                measuring.update { $0 = measurement }
                mailbox.send(.event(.downloading(localized("Measuring the loudness of \(voice.title)"))))
                // Ignore errors, because a voice can speak even if its loudness is unknown.
                await onThread("measuring") { _ = try? measurement.run() }
                measuring.update { $0 = nil }
            }
            mailbox.send(.downloaded(key, download.problem))
        }
    }

    private func cancelDownload() {
        download?.cancel()
        measuring.read { $0 }?.cancel()
    }
}

extension ChooserVoices {
    func order(_ key: String, _ profile: VoiceProfile) -> SamplePlayer.Order {
        .init(key: key, sentence: sentence(key), settings: settings(key, profile))
    }

    /// A player for samples of the voices in the list.
    func player(
        _ devices: SoundDevices, onUpdate: @escaping @Sendable (String, SamplePlayer.PlaybackUpdate) -> Void
    ) -> SamplePlayer {
        let device = library.configuration.device ?? "default"
        return SamplePlayer(
            session: { [self] key throws(SpeechError) in
                guard let voice = voice(key) else { throw .nothingToSay }
                return try library.inventory.session(VoiceChoice(voice: voice))
            }, device: { devices.sink(device) }, onUpdate: onUpdate)
    }
}

extension DownloadLabel {
    /// Formats a download state, such as "Downloading Heart: 34% of 8.1 MB, 20 s left". Returns nil if the state is not shown.
    func words(_ state: DownloadState) -> String? {
        guard let (text, measure) = show(state) else { return nil }
        guard case .downloading(let progress) = state, case .bytes(let done, let total?) = measure, total > 0 else {
            return text
        }
        let left = progress.timeLeft.map { ", \(HumanReadable.timeLeft($0, in: localized))" } ?? ""
        let share = HumanReadable.percentage(Double(done) / Double(total), in: localized)
        return localized("\(text): \(share) of \(localized(number: ByteCount.words(total)))") + left
    }
}

extension CommandFailure {
    /// The message and the remedy on one line.
    var sentence: String { [message ?? "", remedy].filter { !$0.isEmpty }.joined(separator: " ") }
}
