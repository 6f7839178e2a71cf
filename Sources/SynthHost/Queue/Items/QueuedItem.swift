/// An item that stands in line.
struct QueuedItem: Sendable {
    let id: SpeechQueue.Item.ID
    let item: SpeechQueue.Item
}
