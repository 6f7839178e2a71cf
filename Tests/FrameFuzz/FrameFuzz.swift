import FrameChecks
import Glibc

/// Reads the input of libFuzzer as each form of message between processes. `Scripts/fuzz` builds and runs it.
@c(LLVMFuzzerTestOneInput)
public func tryFrames(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    for form in FrameForm.allCases {
        let violations = form.violations(in: input)
        // libFuzzer keeps the input of a program that stops. A release build stops without a message, so it is printed
        // here.
        if !violations.isEmpty {
            print(form, violations)
            fflush(nil)
        }
        precondition(violations.isEmpty)
    }
    return 0
}
