import ScriptChecks

/// Tries every reader of scripts on what libFuzzer makes up. `Scripts/fuzz` builds and runs it.
@c(LLVMFuzzerTestOneInput)
public func tryScripts(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let document = Array(UnsafeBufferPointer(start: bytes, count: count))
    for form in ScriptForm.allCases {
        let violations = form.violations(in: document)
        // libFuzzer keeps the document of a program that stops.
        precondition(violations.isEmpty, "\(form): \(violations)")
    }
    return 0
}
