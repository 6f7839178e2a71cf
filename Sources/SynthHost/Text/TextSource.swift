package import SpeechScript
package import System

/// Where utterances come from, one after the other. Used by one thread but for `stop`.
package protocol TextSource: AnyObject, Sendable {
    /// The next one; nil after the last. May block until text arrives.
    func next() throws(SpeechFailure) -> Utterance?

    /// Has the first utterance be short where it can, for ears that wait; and so each that comes after a while of nothing
    /// and finds `isAwaited`. Called before the first `next`, if at all.
    func beginSoon(whereverThat isAwaited: @escaping @Sendable () -> Bool)

    /// Bytes of the whole text; nil where that is not known.
    var byteCount: Int? { get }

    /// The file that it is read from; nil = none, or a pipe.
    var file: RegularFile? { get }

    /// From any thread: a `next` that blocks returns nil soon, and so does each later one.
    func stop()
}
