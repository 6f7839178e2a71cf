/// Text that comes piece by piece from another thread. Any thread may use it.
package final class LiveText: Sendable {
    let feed = TextFeed()

    package init() {}

    /// The next piece; nothing after the end.
    package func append(_ piece: String) { feed.deliver(piece) }

    /// Nothing more comes.
    package func finish() { feed.end(nil) }

    /// Its utterances, for one speech.
    package var source: any TextSource { TextFeedSource(feed) }
}
