import Glibc
import WordChecks

/// Verbalizes libFuzzer's inputs in all languages. `Scripts/fuzz` builds and runs this.
@c(LLVMFuzzerTestOneInput)
public func tryWords(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let violations = WordInput(Array(UnsafeBufferPointer(start: bytes, count: count))).violations()
    // libFuzzer keeps the input of a program that traps. A release build traps without a message.
    if !violations.isEmpty {
        print(violations)
        fflush(nil)
    }
    precondition(violations.isEmpty)
    return 0
}
