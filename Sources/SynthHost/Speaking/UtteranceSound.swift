import Engines
import EngineWire
import SpeechScript
import SynthAudio
import System

/// Turns what an engine gives of one utterance into pieces for the queue: the silence that is due before it, its sound
/// through the chain, its events with their frames in that sound and their places in the source. One thread uses it.
struct UtteranceSound {
    /// No utterance is so long. An engine may say any number.
    private static let lastFrame: UInt64 = 1 << 40

    private let utterance: Utterance
    private let sound: SoundQueue
    private let wantsSentence: Bool
    private let makeChain: (_ from: AudioFormat, _ to: AudioFormat) throws(AudioError) -> UtteranceChain
    private var chain: UtteranceChain?
    private var position: SoundPosition
    /// The frame of the speech at which the utterance begins.
    private var start = 0
    /// Those that the sound has not reached yet.
    private var events: [SpokenEvent] = []

    /// - Parameter wantsSentence: its beginning is told as the beginning of a sentence.
    init(
        _ utterance: Utterance, at position: SoundPosition, into sound: SoundQueue, wantsSentence: Bool,
        chain: @escaping (_ from: AudioFormat, _ to: AudioFormat) throws(AudioError) -> UtteranceChain
    ) {
        self.utterance = utterance
        self.position = position
        self.sound = sound
        self.wantsSentence = wantsSentence
        makeChain = chain
    }

    /// Blocks while the queue is full; false once no more is wanted.
    mutating func take(_ part: SpeechPart) throws(AudioError) -> Bool {
        switch part {
        case .begin(let sampleRate, let channels):
            let input = AudioFormat(sampleRate: sampleRate, channels: channels)
            let output = sound.begin(input)
            chain = try makeChain(input, output)
            let silence = Int((position.pause ?? .zero).seconds * Double(output.sampleRate))
            start = position.frames + silence
            if wantsSentence {
                events.append(
                    SpokenEvent(
                        kind: .sentence, frame: start, source: utterance.sourceRange, utterance: utterance))
            }
            guard silence > 0 else { return true }
            return push([Float](repeating: 0, count: silence * output.channels))
        case .audio(let samples):
            guard let processed = try chain?.process(samples), !processed.isEmpty else { return true }
            return push(processed)
        case .event(let event):
            let given = Int(min(event.frame, Self.lastFrame))
            guard let frame = chain?.outputFrame(forInput: given) else { return true }
            events.append(
                SpokenEvent(
                    kind: event.kind, frame: start + frame, source: utterance.source.sourceRange(of: event.text),
                    label: event.label))
            return true
        }
    }

    /// All that is left. Returns how far the sound has come with it.
    /// - Parameter pause: the silence that is due after it.
    mutating func finish(pause: Duration) throws(AudioError) -> SoundPosition {
        let rest = try chain?.finish() ?? []
        // If the tempo left less sound than the engine expected, the last events belong to the last frame.
        let last = max(position.frames, position.frames + rest.count / (sound.format?.channels ?? 1) - 1)
        for index in events.indices { events[index].frame = min(events[index].frame, last) }
        if !rest.isEmpty || !events.isEmpty { _ = push(rest, isLast: true) }
        position.pause = chain == nil ? position.pause.map { max($0, pause) } : pause
        return position
    }

    private mutating func push(_ samples: [Float], isLast: Bool = false) -> Bool {
        position.frames += samples.count / (sound.format?.channels ?? 1)
        let reached = events.prefix { $0.frame < position.frames || samples.isEmpty }
        events.removeFirst(reached.count)
        return sound.push(
            SoundQueue.Piece(
                samples: samples, sourceEnd: utterance.sourceRange.upperBound, events: Array(reached),
                utteranceEnd: isLast ? position.frames : nil))
    }
}
