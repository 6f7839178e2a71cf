import FrameChecks
import Glibc
import ScriptChecks
import VoiceChecks
import WordChecks

/// Checks an input from libFuzzer with the readers that the variable `SYNTHHOST_FUZZ_TARGET` names. `Scripts/fuzz` builds and runs
/// the fuzzer.
@c(LLVMFuzzerTestOneInput)
public func tryParser(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let violations = Fuzzer.violations(in: input) + Fuzzer.slowness(of: input)
    // libFuzzer saves the input if the program traps. The violations are printed, because a release build traps without
    // a message.
    if !violations.isEmpty {
        print(violations)
        fflush(nil)
    }
    precondition(violations.isEmpty)
    return 0
}

private enum Fuzzer {
    static let target = getenv("SYNTHHOST_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    private static let parser = ParserTarget(rawValue: target)

    static func violations(in input: [UInt8]) -> [String] {
        switch target {
        case "scripts": ScriptForm.allCases.flatMap { $0.violations(in: input) }
        case "words": WordInput(input).violations()
        case "frames": FrameForm.allCases.flatMap { $0.violations(in: input) }
        case "voices": VoiceForm.violations(in: input)
        default: parser?.violations(in: input) ?? ["SYNTHHOST_FUZZ_TARGET names no target: \(target)"]
        }
    }

    /// Reports whether the processing time grows faster than the input. One in 4096 inputs is extended by repeating
    /// some bytes, which reveals quadratic time in the number of tags, keys or lines.
    static func slowness(of input: [UInt8]) -> [String] {
        guard input.count >= 8, target != "words", target != "voices" else { return [] }
        var hash = input.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        guard hash & 0xFFF == 0 else { return [] }
        func next(_ most: Int) -> Int {
            hash = hash &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(hash >> 33) % most
        }
        let start = next(input.count - 4)
        let part = input[start..<min(input.count, start + 1 + next(64))]
        func seconds(_ size: Int) -> Double {
            let middle = (0..<size / part.count).flatMap { _ in part }
            let long = input[..<part.endIndex] + middle + input[part.endIndex...]
            let begin = clock()
            _ = violations(in: Array(long))
            return Double(clock() - begin) / Double(CLOCKS_PER_SEC)
        }
        let (short, long) = (seconds(1 << 14), seconds(1 << 17))
        // The long input is eight times as long, so it takes eight times as much time, or 64 times as much if the time
        // is quadratic.
        guard long > 1, long > 24 * short else { return [] }
        return ["\(long) s for 128 kB and \(short) s for 16 kB of \(String(decoding: part, as: UTF8.self)) at \(start)"]
    }
}
