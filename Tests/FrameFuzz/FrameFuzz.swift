import FrameChecks
import Glibc

/// Reads libFuzzer's input as each form of message between processes. `Scripts/fuzz` builds and runs this.
@c(LLVMFuzzerTestOneInput)
public func tryFrames(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    for form in FrameForm.allCases {
        let violations = form.violations(in: input)
        // libFuzzer keeps the input of a program that traps. A release build traps without a message, so it is printed here.
        if !violations.isEmpty {
            print(form, violations)
            fflush(nil)
        }
        precondition(violations.isEmpty)
    }
    return 0
}
