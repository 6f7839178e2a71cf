/// How a number must be written.
enum NumberShape: BitwiseCopyable, Sendable {
    /// Without a fraction; 0 only at the beginning of "0" itself.
    case integer
    /// With a fraction.
    case decimal
    case either
}
