/// Why sound could not be converted.
package enum ConversionFault: Hashable, Sendable {
    /// No converter goes so far; in hertz.
    case rates(from: Int, to: Int)
    case noMemory(library: String)
    /// The conversion library gave up; in its own words.
    case library(String)
}
