import SynthAudio
import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// Makes a voice ready for use. If possible, asks the user whether to download it and, if this fails, what to do.
struct VoiceAcquisition: CommandPart {
    let context: CommandContext
    let library: VoiceLibrary
    let cancellation: Cancellation
    /// The command to suggest after a stopped download, or nil for the command that downloads only this voice.
    var resumeCommand: String?
    /// Whether to measure the voice's loudness. If not, the caller measures it.
    var measures = true
    var localized = PhraseBook.english

    private var question: Question {
        Question(context: context, cancellation: cancellation, localized: localized)
    }
    private var paceCheck: PaceCheck {
        PaceCheck(context: context, inventory: library.inventory, cancellation: cancellation, localized: localized)
    }
    private var isAutomatic: Bool { arguments[Options.yes] || library.configuration.autoDownload }
    private var canAsk: Bool { !isAutomatic && context.canAsk }

    /// Whether a missing voice would be downloaded, perhaps after asking the user.
    var mayDownload: Bool { !library.host.network.isOffline && (isAutomatic || canAsk) }

    /// Returns the voice or the replacement that the user selects, or nil if the user declines.
    ///
    /// - Parameter isWanted: whether the user has already agreed to the download.
    func acquire(_ wanted: Voice, isWanted: Bool = false) throws -> Voice? {
        var voice = wanted
        var isWanted = isWanted || isAutomatic
        while !library.isComplete(voice) {
            if case .unusable(let error) = library.state(of: voice), error.code == .voiceDamaged {
                throw CommandFailure(error)
            }
            if library.host.network.isOffline {
                throw CommandFailure(
                    offline: "The voice \(voice.title)", pull: resumeCommand ?? library.pullCommand(for: voice))
            }
            if !isWanted {
                guard canAsk, let answer = try ask(voice) else { throw notDownloaded(voice) }
                if !answer { return nil }
            }
            do {
                try ShownDownload(
                    context: context, library: library, cancellation: cancellation, measures: measures
                ).pull(voice, resumeCommand: resumeCommand)
            } catch {
                let failure = CommandFailure(error)
                guard canAsk, failure.code != .interrupted else { throw failure }
                context.report(failure)
                guard let next = try recover(from: voice) else { throw CommandFailure(failure.code, nil) }
                voice = next
                isWanted = true
            }
        }
        return voice
    }

    /// Lets the user select one of the voices. Returns nil if the user declines.
    func pick(_ heading: String, from voices: [Voice]) throws -> Voice? {
        let lines = voices.map { VoiceLine.text($0, library, localized) }
        let index = try question.ask { prompt in try prompt.choose(heading, from: lines) }
        return index.flatMap { $0 }.map { voices[$0] }
    }

    private func ask(_ voice: Voice) throws -> Bool? {
        let size = VoiceLine.missing(of: voice, library, localized)
        if let warning = paceCheck.warning(about: voice) { context.printMessage(warning) }
        return try question.ask { prompt in
            try prompt.confirm(localized("Download \(voice.title) (\(size)) now?"), default: true)
        }
    }

    private func recover(from voice: Voice) throws -> Voice? {
        let choices: [Phrase] = ["Try again", "Choose a different voice", "Stop"]
        let answer = try question.ask(cancelled: "Cancelled; \(voice.title) was not downloaded.") { prompt in
            try prompt.choose(localized("What now?"), from: choices.map { localized($0) }, default: 2)
        }
        switch answer {
        case 0: return voice
        case 1:
            let others = library.alternatives(to: voice)
            guard !others.isEmpty else {
                context.printMessage(
                    localized("No other starter voices are available. `synthhost voices --all` lists all voices."))
                return nil
            }
            return try pick(localized("Which voice?"), from: others)
        default: return nil
        }
    }

    private func notDownloaded(_ voice: Voice) -> CommandFailure {
        CommandFailure(
            VoiceError.notDownloaded(
                title: voice.title, word: library.word(for: voice), bytes: library.missingBytes(of: voice),
                why: library.missingReason(of: voice)))
    }
}

/// Checks whether this machine is fast enough for a voice. Measures the machine's speed once, before anything is downloaded.
struct PaceCheck: CommandPart {
    let context: CommandContext
    let inventory: HostSnapshot
    let cancellation: Cancellation
    var localized = PhraseBook.english

    /// The maximum cost of a voice that is fast enough on every supported machine.
    private static let smallCost = 1.0

    /// Returns the speed of this machine, or nil if it cannot be measured or is irrelevant for the voice. A failed
    /// measurement is not reported, because an engine that cannot speak reports the reason when it is used.
    ///
    /// - Parameter wait: the progress display to use, or nil to create one.
    func pace(for voice: Voice, during wait: ShownWait? = nil) -> MachinePace? {
        guard let cost = voice.cost, cost > Self.smallCost else { return nil }
        return pace(during: wait)
    }

    /// Returns the speed of this machine, or nil if it cannot be measured.
    func pace(during wait: ShownWait? = nil) -> MachinePace? {
        if let known = inventory.knownPace() { return known }
        guard let measurement = inventory.paceMeasurement() else { return nil }
        let label = localized("Measuring the speed of this machine")
        wait?.show(label)
        let wait = wait ?? ShownWait(context, label)
        defer { wait.end() }
        let sample = cancellation.during({ measurement.cancel() }) { try? measurement.run() }
        guard let sample else { return nil }
        inventory.remember(sample)
        return sample.pace
    }

    /// Returns a warning if a voice is too slow on this machine, or nil if it is fast enough or its speed is unknown.
    func warning(about voice: Voice) -> String? {
        guard let cost = voice.cost, let words = pace(for: voice)?.estimate(cost: cost).slowness(localized) else {
            return nil
        }
        return "\(voice.title) \(words)."
    }
}

extension PaceEstimate {
    /// A phrase that follows the voice's name in a sentence, or nil if synthesis is fast enough.
    func slowness(_ localized: PhraseBook) -> String? {
        if keepsUp { return nil }
        guard let factor else { return localized("would be barely fast enough for playback on this machine") }
        return localized("would be about \(localized(number: factor)) times slower than playback on this machine")
    }
}

/// Measures the loudness of new voices, so that all voices can be played at the same loudness.
struct LoudnessCheck: CommandPart {
    let context: CommandContext
    let inventory: HostSnapshot
    let cancellation: Cancellation

    /// Measures the voices whose loudness is unknown. Blocks for a few seconds per voice, or until a stop is requested.
    /// If a measurement fails, the voice can still speak. If this machine cannot measure loudness at all, one message is
    /// printed.
    ///
    /// - Parameter wait: the progress display to use, or nil to create one.
    func measure(_ voices: [Voice], during wait: ShownWait? = nil) {
        let measurements = voices.compactMap { inventory.loudnessMeasurement(of: $0) }
        guard let first = measurements.first, !cancellation.isRequested else { return }
        let label =
            measurements.count == 1
            ? "Measuring the loudness of \(first.voice.title)"
            : "Measuring the loudness of \(measurements.count) voices"
        wait?.show(label)
        let wait = wait ?? ShownWait(context, label)
        defer { wait.end() }
        do {
            try LoudnessMeter.loadLibrary()
        } catch {
            return wait.print(SpeechError(error).ofLoudness(first.voice.title))
        }
        let share = 1 / Double(measurements.count)
        for (place, measurement) in measurements.enumerated() where !cancellation.isRequested {
            run(measurement, wait) { wait.show(label, .fraction((Double(place) + $0) * share)) }
        }
    }

    private func run(
        _ measurement: LoudnessMeasurement, _ wait: ShownWait, _ onProgress: @escaping @Sendable (Double) -> Void
    ) {
        do {
            _ = try cancellation.during({ measurement.cancel() }) { () throws(SpeechError) in
                try measurement.run(onProgress)
            }
        } catch {
            if arguments[Options.verbose], !cancellation.isRequested {
                wait.print(error.ofLoudness(measurement.voice.title))
            }
        }
    }
}
