/// Text of another program's making, for a service.
package enum LiveText {
    /// Utterances of text that comes in its own time.
    package static func source(_ pieces: AsyncStream<String>) -> any TextSource { TextFeedSource(TextFeed(pieces)) }
}
