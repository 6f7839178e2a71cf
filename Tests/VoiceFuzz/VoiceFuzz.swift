import Glibc
import VoiceChecks

/// Reads the inputs of libFuzzer as English text, lists, networks and graphs of small voices. `Scripts/fuzz` builds and
/// runs it.
@c(LLVMFuzzerTestOneInput)
public func tryVoices(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let violations = VoiceForm.violations(in: Array(UnsafeBufferPointer(start: bytes, count: count)))
    // libFuzzer keeps the input of a program that stops. A release build stops without a message.
    if !violations.isEmpty {
        print(violations)
        fflush(nil)
    }
    precondition(violations.isEmpty)
    return 0
}
