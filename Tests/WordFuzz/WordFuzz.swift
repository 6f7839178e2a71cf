import Glibc
import WordChecks

/// Verbalizes the inputs of libFuzzer in all languages. `Scripts/fuzz` builds and runs it.
@c(LLVMFuzzerTestOneInput)
public func tryWords(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let violations = WordInput(Array(UnsafeBufferPointer(start: bytes, count: count))).violations()
    // libFuzzer keeps the input of a program that stops. A release build stops without a message.
    if !violations.isEmpty {
        print(violations)
        fflush(nil)
    }
    precondition(violations.isEmpty)
    return 0
}
