import WordChecks

/// Says what libFuzzer makes up in the words of all languages. `Scripts/fuzz` builds and runs it.
@c(LLVMFuzzerTestOneInput)
public func tryWords(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let violations = WordInput(Array(UnsafeBufferPointer(start: bytes, count: count))).violations()
    // libFuzzer keeps the input of a program that stops.
    precondition(violations.isEmpty, "\(violations)")
    return 0
}
