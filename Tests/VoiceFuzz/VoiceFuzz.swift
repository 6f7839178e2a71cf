import Glibc
import VoiceChecks

/// Reads what libFuzzer makes up as English text, lists, nets and graphs of small voices. `Scripts/fuzz` builds and runs it.
@c(LLVMFuzzerTestOneInput)
public func tryVoices(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let violations = VoiceForm.violations(in: Array(UnsafeBufferPointer(start: bytes, count: count)))
    // libFuzzer keeps the input of a program that stops. A release build stops without words.
    if !violations.isEmpty {
        print(violations)
        fflush(nil)
    }
    precondition(violations.isEmpty)
    return 0
}
