import Glibc
import ScriptChecks

/// Tries every reader of scripts on the input of libFuzzer. `Scripts/fuzz` builds and runs it.
@c(LLVMFuzzerTestOneInput)
public func tryScripts(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let document = Array(UnsafeBufferPointer(start: bytes, count: count))
    for form in ScriptForm.allCases {
        let violations = form.violations(in: document)
        // libFuzzer keeps the document of a program that stops. A release build stops without a message, so it is
        // printed here.
        if !violations.isEmpty {
            print(form, violations)
            fflush(nil)
        }
        precondition(violations.isEmpty)
    }
    return 0
}
