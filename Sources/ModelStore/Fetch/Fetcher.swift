/// What gets the bytes of one file into its part file.
package protocol Fetcher: Sendable {
    /// Returns when the part file has its size. Blocks; `onEvent` is called on the same thread.
    ///
    /// - Parameter lock: a descriptor of the entry's lock, for a process that writes in this one's stead.
    func fetch(
        _ job: FetchJob, lock: Int32, cancellation: Cancellation, onEvent: (FetchEvent) -> Void
    ) throws(FetchFailure)
}
