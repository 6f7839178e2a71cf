/// Why sound could not be converted.
package enum ConversionFault: Hashable, Sendable {
    /// The ratio is too large for the converter; in hertz.
    case rates(from: Int, to: Int)
    case noMemory(library: String)
    /// The conversion library failed; its message.
    case library(String)
}
