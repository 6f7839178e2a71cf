import SynthHost
import SynthScript
import SynthService
import SynthSystem

/// Speaks one message at a time on a separate thread, and sends an end, pause or stop event after each.
final class ModuleSpeech: Sendable {
    private struct Job: Sendable {
        let message: ModuleMessage
        let settings: ModuleSettings
        let turn: Int
    }
    private struct State {
        /// The next message, which is replaced if a later one arrives.
        var job: Job?
        var speech: ServiceSpeech?
        var pausing: Int?
        /// The last server mark that was sent in this turn.
        var lastMark = ModuleSpeech.beginning
        var isClosed = false
    }
    private enum Outcome {
        case spoken
        /// Speech ended early, because of a pause or because the turn is over.
        case left
        case failed(SpeechError, hasSounded: Bool)
    }

    private let service: SpeechService
    private let voices: ModuleVoices
    private let output: ModuleOutput
    private let onNote: @Sendable (ModuleNote) -> Void
    private let state = Monitor(State())

    /// The prefix of the marks that the server inserts. The server can resume a message at these marks.
    private static let serverMark = "__spd_"
    /// The server mark that represents the beginning of a message. The first mark in the text has the number 0.
    private static let beginning = "__spd_-1"

    init(
        _ service: SpeechService, _ voices: ModuleVoices, _ output: ModuleOutput,
        _ onNote: @escaping @Sendable (ModuleNote) -> Void
    ) {
        self.service = service
        self.voices = voices
        self.output = output
        self.onNote = onNote
    }

    // MARK: - Reading thread

    func say(_ message: ModuleMessage, _ settings: ModuleSettings) {
        guard let turn = output.open() else { return output.reply(.cannotSpeak) }
        state.update { $0.job = Job(message: message, settings: settings, turn: turn) }
    }

    /// Stops speech immediately. Does nothing if the module is not speaking.
    func stop() {
        guard output.cut() else { return }
        let speech = state.update { state in
            state.job = nil
            return state.speech
        }
        speech?.cancel()
    }

    /// Pauses the message at the next server mark, or at its end.
    func pause() {
        guard let turn = output.turn else { return }
        state.update { $0.pausing = turn }
    }

    /// Stops speech and makes `run` return.
    func close() {
        let speech = state.update { state in
            state.isClosed = true
            state.job = nil
            return state.speech
        }
        speech?.cancel()
    }

    // MARK: - Speaking thread

    /// Speaks messages until `close` is called. Blocks.
    func run() {
        while let job = next() { perform(job) }
    }

    private func next() -> Job? {
        let job: Job?? = state.wait { state in
            if state.isClosed { return .some(nil) }
            guard let job = state.job else { return nil }
            state.job = nil
            state.lastMark = Self.beginning
            return .some(job)
        }
        return job ?? nil
    }

    private func perform(_ job: Job) {
        do {
            for voice in try voices.speakers(job.settings) {
                for script in ModuleText.scripts(job.message, job.settings, in: voice.language) {
                    switch speak(script, voice, job) {
                    case .spoken: return output.end(job.turn, .end)
                    case .left:
                        if isPausing(job), output.isOpen(job.turn) { output.end(job.turn, .pause) }
                        return
                    case .failed(let failure, let hasSounded):
                        onNote(.failed(failure))
                        // Do not switch to another voice if part of the message has already been played.
                        if hasSounded { return output.end(job.turn, .stop) }
                    }
                }
            }
        } catch {
            onNote(.failed(error))
        }
        output.end(job.turn, .stop)
    }

    private func speak(_ script: SpokenScript, _ voice: SpeechVoice, _ job: Job) -> Outcome {
        var sound = MarkedSound()
        do {
            let speech = try service.speak(order(script, job.settings), with: voice)
            state.update { $0.speech = speech }
            defer { state.update { $0.speech = nil } }
            if !output.isOpen(job.turn) { return .left }
            let result = try speech.read { parts throws(CancellationError) in
                for part in parts { try send(sound.pieces(of: part), sound.format, job) }
            }
            speech.notices.forEach { onNote(.replaced($0)) }
            if case .failure = result { return .left }
        } catch {
            return .failed(error, hasSounded: sound.format != nil)
        }
        do {
            try send(sound.ending(), sound.format, job)
            // If the script produced no audio, its marks still have to be sent.
            if sound.format == nil { try send(marks(of: script), nil, job) }
            if isPausing(job) { try pauseAtEnd(sound.format, job) }
        } catch {
            return .left
        }
        return .spoken
    }

    private func marks(of script: SpokenScript) -> [MarkedSound.Piece] {
        ((try? script.parts()) ?? []).compactMap { if case .mark(let name, _) = $0 { .mark(name) } else { nil } }
    }

    private func order(_ script: SpokenScript, _ settings: ModuleSettings) -> SpeechJob {
        var order = SpeechJob(.read(script))
        order.rate = settings.rateFactor
        order.pitch = settings.pitchFactor
        order.intonation = settings.intonation
        order.volume = settings.volumeFactor
        order.priority = .urgent
        return order
    }

    private func send(_ pieces: [MarkedSound.Piece], _ format: SpeechFormat?, _ job: Job) throws(CancellationError) {
        for piece in pieces {
            switch piece {
            case .sound(let samples):
                guard let format else { continue }
                try send(ModuleSound.event(samples, format), job)
            case .mark(let name):
                let isPause = name.hasPrefix(Self.serverMark) && isPausing(job)
                if isPause { try wait(format, job) }
                try send(ModuleEvent.mark(name).bytes, job)
                if name.hasPrefix(Self.serverMark) { state.update { $0.lastMark = name } }
                if isPause { throw CancellationError() }
            }
        }
    }

    private func send(_ bytes: [UInt8], _ job: Job) throws(CancellationError) {
        guard output.send(bytes, in: job.turn) else { throw CancellationError() }
    }

    /// Handles a pause request that is still pending at the end of a message. The server pauses only at its own marks,
    /// and resumes the message at the last mark that it received. The module therefore sends the last mark again, and
    /// the server repeats the last sentence when it resumes the message.
    private func pauseAtEnd(_ format: SpeechFormat?, _ job: Job) throws(CancellationError) {
        try wait(format, job)
        try send(ModuleEvent.mark(state.read { $0.lastMark }).bytes, job)
        throw CancellationError()
    }

    /// Sends a short silence before the mark at which to pause. Without the silence, a server that has no audio left
    /// to play would pass the mark before processing the pause.
    private func wait(_ format: SpeechFormat?, _ job: Job) throws(CancellationError) {
        guard let format else { return }
        let samples = [Float](repeating: 0, count: format.sampleRate / 20 * format.channels)
        for piece in MarkedSound.blocks(samples[...], format) { try send(ModuleSound.event(piece, format), job) }
    }

    private func isPausing(_ job: Job) -> Bool { state.read { $0.pausing == job.turn } }
}

/// Splits audio at its marks, in playback order.
struct MarkedSound {
    enum Piece: Equatable {
        /// Interleaved samples in complete frames.
        case sound(ArraySlice<Float>)
        case mark(String)
    }

    private(set) var format: SpeechFormat?
    /// Marks whose audio has not arrived yet.
    private var marks: [(frame: Int, name: String)] = []

    mutating func pieces(of part: Speech.Part) -> [Piece] {
        switch part {
        case .format(let format): self.format = format
        case .mark(let event, let name): marks.append((event.frame, name))
        case .audio(let audio): return cut(audio)
        default: break
        }
        return []
    }

    /// Returns the remaining marks. Call this after the last part.
    mutating func ending() -> [Piece] {
        defer { marks = [] }
        return marks.map { .mark($0.name) }
    }

    private mutating func cut(_ audio: Speech.Audio) -> [Piece] {
        guard let format else { return [] }
        let channels = max(1, format.channels)
        let end = audio.frame + audio.samples.count / channels
        var (pieces, rest): ([Piece], ArraySlice<Float>) = ([], audio.samples[...])
        while let mark = marks.first, mark.frame < end {
            let frames = max(0, mark.frame - audio.frame)
            let before = rest.prefix(max(0, frames * channels - rest.startIndex))
            rest = rest.dropFirst(before.count)
            pieces += Self.blocks(before, format).map { .sound($0) } + [.mark(mark.name)]
            marks.removeFirst()
        }
        return pieces + Self.blocks(rest, format).map { .sound($0) }
    }

    static func blocks(_ samples: ArraySlice<Float>, _ format: SpeechFormat) -> [ArraySlice<Float>] {
        let longest = ModuleSound.frames(format) * max(1, format.channels)
        return stride(from: samples.startIndex, to: samples.endIndex, by: longest).map { start in
            samples[start..<min(start + longest, samples.endIndex)]
        }
    }
}
