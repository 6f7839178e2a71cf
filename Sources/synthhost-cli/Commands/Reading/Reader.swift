import Glibc
import SynthAudio
import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// Runs the reader: passes events to the state, performs its effects, and draws the screen. Only the thread that calls `run` accesses the
/// state; other threads send messages.
final class Reader: CommandPart {
    /// A message from another thread.
    enum Message: Sendable {
        case event(ReaderState.Event)
        /// The document has been read. `remembers` says whether to save the position.
        case opened(ReadText, remembers: Bool)
        /// The entire text, sent after its beginning has been opened.
        case completed(ReadText)
        case voices(RequestedVoice, SpokenSettings)
        case session(SpeechSession)
        /// The chosen voice is not installed.
        case missing(VoiceChoice)
        /// The download of a voice has ended. The value is the error if the download failed.
        case downloaded(VoiceChoice, SpeechError?)
        /// Ends the reader with an error.
        case failed(CommandFailure)
    }

    typealias Mailbox = synthhost_cli.Mailbox<Message>

    let context: CommandContext
    private let configuration: Configuration
    private let host: SpeechHost
    private let inventory: HostSnapshot
    let mailbox: Mailbox
    private let cancellation: Cancellation
    private let interface: ScreenInterface
    let localized: PhraseBook
    private let clock = ContinuousClock()
    private let began: ContinuousClock.Instant
    var state: ReaderState
    private var shown: ReaderState?
    private var player: ReadingPlayer?
    private var asked: RequestedVoice?
    var settings: SpokenSettings?
    var session: SpeechSession?
    private var listed: [Voice] = []
    /// The voice that the key `d` downloads.
    private var wanted: VoiceChoice?
    private var download: VoiceDownload?
    var saving: Speech?
    /// The voice that the user last chose in the list.
    private var chosenVoice: String?
    /// Whether the thread that saves the remaining text has ended.
    var savingIsOver: Monitor<Bool>?
    private var lastStatus: ReadingPlayer.Status?
    private var lastSaved = 0.0
    private var remembers = false
    private var controls: MediaControls?
    private var hasEnded = false

    init(
        _ context: CommandContext, _ configuration: Configuration, _ host: SpeechHost,
        _ inventory: HostSnapshot, name: String, _ mailbox: Mailbox, _ cancellation: Cancellation,
        _ interface: ScreenInterface
    ) {
        (self.context, self.configuration) = (context, configuration)
        (self.host, self.inventory, self.mailbox) = (host, inventory, mailbox)
        (self.cancellation, self.interface) = (cancellation, interface)
        localized = context.localized
        state = ReaderState(name: name, context.localized)
        began = clock.now
    }

    /// Blocks until the user quits or, without a screen, until the end of the text.
    func run() throws {
        defer { end() }
        controls = MediaControls(context.environment) { [mailbox] in mailbox.send(.event(.media($0))) }
        try show()
        while !hasEnded, !cancellation.isRequested {
            for message in mailbox.take() { try handle(message) }
            try takeNews()
            try show()
            if interface.endsWithText, state.phase == .finished { return }
            if hasEnded || cancellation.isRequested { break }
            try wait()
        }
        if cancellation.isRequested { throw CommandFailure(.interrupted, nil) }
    }

    private func end() {
        remember()
        player?.close()
        download?.cancel()
        saving?.cancel()
        // Wait until the audio saved so far has its final file name.
        _ = savingIsOver?.wait(timeout: .seconds(5)) { $0 ? true : nil }
        controls?.close()
        interface.close()
    }

    private func show() throws {
        defer {
            shown = state
            // Without a screen, the key bindings have already been printed, so no list is open.
            if !interface.draws, state.list?.kind == .help { state.list = nil }
        }
        controls?.update(state.media)
        do {
            try interface.show(state, before: shown)
        } catch {
            // The terminal was closed. SIGHUP may arrive later.
            guard interface.draws else { throw error }
            hasEnded = true
        }
    }

    private func wait() throws {
        // Update the remaining time on the screen every second.
        let input = interface.wait(state.phase.isGoing || state.sleep != nil ? .seconds(1) : nil, mailbox.wake)
        switch input {
        case .keys(let keys): for key in keys where !hasEnded { take(.key(key)) }
        case .changed: break
        case .stop: suspend()
        case .closed: hasEnded = true
        case .nothing: take(.tick)
        }
        if state.now - lastSaved > 30 { remember() }
    }

    private func takeNews() throws {
        guard let player else { return }
        let (begun, status) = player.takeNews()
        for place in begun {
            take(status: .init(phase: .speaking, place: place))
            try show()
        }
        take(status: status)
    }

    private func take(status: ReadingPlayer.Status) {
        guard status != lastStatus else { return }
        lastStatus = status
        let phase: ReaderState.Phase
        switch status.phase {
        case .loading: phase = .loading
        case .speaking: phase = .speaking
        case .paused: phase = .paused
        case .buffering: phase = .buffering
        case .finished: phase = .finished
        case .failed(let error): phase = .failed(localized("\(words(error)) Press Space to try again."))
        }
        take(.status(place: status.place, word: status.word, phase, secondsPerByte: status.secondsPerByte))
        if !interface.hasKeys, case .failed(let error) = status.phase { mailbox.send(.failed(CommandFailure(error))) }
    }

    func take(_ event: ReaderState.Event) {
        for effect in state.take(event, at: (clock.now - began).seconds) { perform(effect) }
    }

    func words(_ error: any Error) -> String { CommandFailure(error).message ?? "" }

    // MARK: - Messages

    private func handle(_ message: Message) throws {
        switch message {
        case .event(let event): take(event)
        case .failed(let failure): throw failure
        case .voices(let asked, let settings): (self.asked, self.settings) = (asked, settings)
        case .opened(let text, let remembers):
            self.remembers = remembers
            let memory = ReadingMemory(digest: text.digest, in: inventory.host.folders.state)
            open(text, !remembers ? ReadingMemory() : text.isWhole ? memory.within(text) : memory)
        case .completed(let whole): complete(with: whole)
        case .session(let session):
            if session.voice.choice.heaviest.voice.key == chosenVoice { state.ownVoice = chosenVoice }
            self.session = session
            take(.voice(session.voice.title))
            speak(isPaused: state.isPaused)
        case .missing(let choice):
            wanted = choice
            take(.missing(choice.title, size: downloadSize(of: choice)))
            if !interface.hasKeys || arguments[Options.yes] || configuration.autoDownload { try downloadFirst(choice) }
        case .downloaded(let choice, let problem):
            download = nil
            take(.downloading(nil))
            if let problem {
                take(.missing(choice.title, size: downloadSize(of: choice)))
                take(.note(problem.message))
            } else {
                speak(choice)
            }
        }
    }

    private func downloadSize(of choice: VoiceChoice) -> String {
        localized(number: ByteCount.words(inventory.missing(of: choice).reduce(0) { $0 + $1.downloadSize }))
    }

    private func open(_ text: ReadText, _ memory: ReadingMemory) {
        take(.opened(text, memory))
        makePlayer(for: text)
    }

    private func makePlayer(for text: ReadText) {
        lastStatus = nil
        let device = configuration.device ?? "default"
        player = ReadingPlayer(
            text, from: state.place, tempo: state.tempo, pauses: SpeechSettings(configuration).pauses,
            device: { [devices = context.devices] in devices.sink(device) },
            onStatus: { [wake = mailbox.wake] in wake.signal() })
    }

    /// Continues with the entire text. If the text does not start with the beginning that was opened, restarts playback near the same
    /// position.
    private func complete(with whole: ReadText) {
        guard let text = state.text else { return }
        if whole.extends(text) {
            player?.complete(with: whole)
            return take(.completed(whole, nil))
        }
        // Saved positions refer to the entire text, but new positions refer to its beginning and must be converted.
        func place(_ place: ReadPosition) -> ReadPosition { whole.sentence(at: text.offset(of: place)) }
        var memory = ReadingMemory(digest: whole.digest, in: inventory.host.folders.state)
        if state.place != memory.place { memory.place = place(state.place) }
        memory.bookmarks = state.bookmarks.map { memory.bookmarks.contains($0) ? $0 : place($0) }
        let isGoing = state.phase.isGoing
        player?.close()
        take(.completed(whole, memory))
        makePlayer(for: whole)
        speak(isPaused: !isGoing)
    }

    /// Makes the player speak with the session's voice. Does nothing until the session and its settings have arrived.
    private func speak(isPaused: Bool) {
        guard let session, let settings else { return }
        player?.speak(with: .init(session: session) { settings.settings(of: $0.voice, isMain: $0 === session) })
        if !isPaused { player?.resume() }
    }

    /// Starts the download if it is allowed. Otherwise throws an error, because without keys the user cannot request
    /// the download later.
    private func downloadFirst(_ choice: VoiceChoice) throws {
        if !arguments[Options.yes], !configuration.autoDownload {
            throw CommandFailure(
                .unavailable, "The voice \(choice.title) is not downloaded.",
                "To download it first, add --yes, or type: synthhost models pull \(ShellWord.quoted(choice.voice.id))")
        }
        perform(.download)
    }

    /// Switches to a voice. If the voice is not installed, offers to download it.
    private func speak(_ choice: VoiceChoice) {
        guard let asked else { return }
        let isSwitching = startThread("voice") { [mailbox, localized] in
            do {
                mailbox.send(try asked.message(for: choice))
            } catch {
                let words = CommandFailure(error).message ?? localized("The voice cannot speak.")
                mailbox.send(.event(.note(words)))
            }
        }
        if !isSwitching { take(.note(words(SpeechError.noThread))) }
    }

    // MARK: - Effects

    private func perform(_ effect: ReaderState.Effect) {
        switch effect {
        case .pause: player?.pause()
        case .resume: player?.resume()
        case .seek(let place):
            player?.seek(to: place)
            // Save the new position soon. A paused reader saves it immediately, because it may then wait for keys
            // indefinitely.
            if state.phase.isGoing { lastSaved = min(lastSaved, state.now - 28) } else { remember() }
        case .skip(let seconds): player?.skip(seconds)
        case .tempo(let tempo): player?.setTempo(tempo)
        case .quit: hasEnded = true
        case .interrupt: cancellation.cancel()
        case .suspend: suspend()
        case .remember: remember()
        case .listVoices: listVoices()
        case .chooseVoice(let index):
            guard listed.indices.contains(index) else { break }
            chosenVoice = listed[index].key
            speak(VoiceChoice(voice: listed[index]))
        case .download: startDownload()
        case .save(let path, let place): save(to: path, from: place)
        case .stopSaving: saving?.cancel()
        }
    }

    private func suspend() {
        player?.pause()
        remember()
        interface.suspend()
    }

    private func remember() {
        lastSaved = state.now
        guard remembers, let text = state.text, text.isWhole else { return }
        do {
            try state.memory.save(of: text, in: inventory.host.folders.state)
        } catch {
            take(.note(localized("The position cannot be saved: \(error).")))
        }
    }

    private func listVoices() {
        guard let library = try? context.library(of: inventory) else { return }
        var seen: Set<String> = []
        let known = library.visible(inventory.shown(of: library.directory).voices) + library.fewOffers
        listed = library.marks.favoritesFirst(inventory.builtInLast(known.filter { seen.insert($0.folder).inserted }))
            .filter { !library.isBuiltIn($0) || $0.speaks(inventory.nearLanguage) }
        let current = listed.firstIndex { $0.title == state.voice } ?? 0
        let rows = listed.map { voice in
            let line = VoiceLine.text(voice, library, localized)
            return library.isComplete(voice) ? line : localized("\(line) to download")
        }
        take(.voices(rows, current: current))
    }

    private func startDownload() {
        guard let choice = wanted, download == nil, let library = try? context.library(of: inventory),
            let voice = inventory.missing(of: choice).first
        else { return }
        if inventory.host.network.isOffline {
            return take(
                .note(localized("\(choice.title) is not downloaded, and network access is turned off.")))
        }
        let download = library.download(voice, on: context.executor)
        self.download = download
        take(.downloading(0))
        Task(executorPreference: context.executor) { [mailbox] in
            for await step in download {
                guard case .downloading(let progress) = step else { continue }
                mailbox.send(.event(.downloading(Int(100 * progress.bytes / max(1, progress.total)))))
            }
            mailbox.send(.downloaded(choice, download.problem))
        }
    }
}
