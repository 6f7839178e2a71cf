import SynthSpeech
import SynthSystem

/// A queue item that is prepared before it is played.
struct PreparedItem: Sendable {
    enum Content: Sendable {
        case sound(ItemSound)
        case silence(frames: Int)
        indirect case cue(PreparedItem, SpeechQueue.Channel)
        case listening(ListeningItem)
    }

    let queued: QueuedItem
    let content: Content

    /// Starts preparing an item. Items with audio are prepared on a separate thread.
    init(
        _ queued: QueuedItem, on channel: SpeechQueue.Channel, _ maker: ItemMaker,
        onChange: @escaping @Sendable () -> Void
    ) {
        self.queued = queued
        switch queued.item.content {
        case .pause(let duration):
            let frames = (duration.seconds * Double(maker.format.sampleRate)).rounded()
            content = .silence(frames: Int(max(0, min(frames, 1e15))))
        case .cue(let item, let other):
            // If the other channel is busy, the item is queued there and prepared later.
            content = .cue(
                PreparedItem(QueuedItem(id: queued.id, item: item), on: other, maker, onChange: onChange), other)
        case .listen(let options, let recognizer, let interrupts):
            guard maker.isHeard else {
                content = .silence(frames: 0)
                return
            }
            let sessions = maker.sessions
            content = .listening(
                ListeningItem(
                    options, interrupts: interrupts,
                    by: { () throws(SpeechError) in
                        if let recognizer { return recognizer.source }
                        return try sessions.recognizerSource(options.language)
                    }, onChange: onChange))
        default:
            let sound = ItemSound(format: maker.format, onChange: onChange)
            if !startThread("item", { maker.make(queued.item, on: channel, into: sound) }) {
                sound.finish(.noThread)
            }
            content = .sound(sound)
        }
    }

    func abandon() {
        switch content {
        case .sound(let sound): sound.abandon()
        case .silence: break
        case .cue(let item, _): item.abandon()
        case .listening(let item): item.abandon()
        }
    }

    var listening: ListeningItem? { if case .listening(let item) = content { item } else { nil } }

    var sound: ItemSound? { if case .sound(let sound) = content { sound } else { nil } }

    /// Whether the item's thread must wait until the item may use an engine. A channel uses an engine for only one item
    /// at a time.
    var takesTurns: Bool {
        switch queued.item.content {
        case .text, .session, .speech, .made: true
        case .clip, .file, .pause, .cue, .listen: false
        }
    }

    /// Whether the item uses one of the program's own sessions, which may also be in use elsewhere.
    var mayShareLanes: Bool {
        switch queued.item.content {
        case .session, .speech, .made: true
        default: false
        }
    }
}

struct QueuedItem: Sendable {
    let id: SpeechQueue.Item.ID
    let item: SpeechQueue.Item
}
