/// How far the sound of a text has come. Used by the one thread that queues it.
struct SoundPosition {
    /// Frames that were queued since the beginning.
    var frames = 0
    /// The silence that is due before anything more is said; nil as long as nothing was.
    var pause: Duration?
}
