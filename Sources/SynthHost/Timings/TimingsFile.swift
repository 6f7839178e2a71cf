package import System

/// A file that is to say when each word of a speech sounds.
package struct TimingsFile: Sendable {
    package let path: String
    package let format: TimingsFormat
    /// Files that it does not replace.
    let inUse: FilesInUse

    /// - Throws: `timingsEndingUnknown`.
    package init(path: String, sparing inUse: FilesInUse = FilesInUse()) throws(SpeechFailure) {
        guard let format = TimingsFormat(path: path) else { throw .timingsEndingUnknown(path: path) }
        self.path = path
        self.format = format
        self.inUse = inUse
    }
}
