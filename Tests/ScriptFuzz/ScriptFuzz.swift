import Glibc
import ScriptChecks

/// Runs every script reader on libFuzzer's input. `Scripts/fuzz` builds and runs this.
@c(LLVMFuzzerTestOneInput)
public func tryScripts(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let document = Array(UnsafeBufferPointer(start: bytes, count: count))
    for form in ScriptForm.allCases {
        let violations = form.violations(in: document)
        // libFuzzer keeps the document of a program that traps. A release build traps without a message, so it is printed here.
        if !violations.isEmpty {
            print(form, violations)
            fflush(nil)
        }
        precondition(violations.isEmpty)
    }
    return 0
}
