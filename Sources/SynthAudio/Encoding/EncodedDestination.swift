/// Where the bytes of an encoded sound go. One thread at a time.
protocol EncodedDestination: AnyObject {
    /// Whether earlier bytes can be written again; if not, `rewrite` and `truncate` are not called.
    var isRegularFile: Bool { get }

    /// Bytes taken so far.
    var count: Int { get }

    /// Takes everything, in units of `unit` bytes, so that a stream is not cut within a unit.
    ///
    /// - Returns: false if the stream was stopped before.
    /// - Throws: `brokenPipe`, `outputNotWritten`.
    func write(_ bytes: UnsafeRawBufferPointer, unit: Int) throws(AudioError) -> Bool

    /// Writes `bytes` again over what was taken from `offset` on.
    ///
    /// - Throws: `outputNotWritten`.
    func rewrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError)

    /// Drops all after the first `count` bytes.
    func truncate(to count: Int)

    /// Nothing more comes.
    ///
    /// - Throws: `outputNotWritten`, `outputNotCreated`.
    func close() throws(AudioError)
}
