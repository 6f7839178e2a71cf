import Glibc
import VoiceChecks

/// Reads libFuzzer's inputs as English text, word lists, networks and graphs of small voices. `Scripts/fuzz` builds and runs
/// this.
@c(LLVMFuzzerTestOneInput)
public func tryVoices(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let violations = VoiceForm.violations(in: Array(UnsafeBufferPointer(start: bytes, count: count)))
    // libFuzzer keeps the input of a program that traps. A release build traps without a message.
    if !violations.isEmpty {
        print(violations)
        fflush(nil)
    }
    precondition(violations.isEmpty)
    return 0
}
