/// A file that is to say when each word of a speech sounds.
package struct TimingsFile: Hashable, Sendable {
    package let path: String
    package let format: TimingsFormat

    /// - Throws: `timingsEndingUnknown`.
    package init(path: String) throws(SpeechFailure) {
        guard let format = TimingsFormat(path: path) else { throw .timingsEndingUnknown(path: path) }
        self.path = path
        self.format = format
    }
}
