import SynthEngineProcesses
import SynthEngineWire
import Testing
import TestSupport

/// A fault that is compiled into a fixture, and the check that must detect it.
struct CheckFault: Sendable, CustomTestStringConvertible {
    let name: String
    let check: Check
    let verdict: CheckVerdict
    var hasFiles = false

    init(_ name: String, _ check: Check, _ verdict: CheckVerdict = .failed, hasFiles: Bool = false) {
        self.name = name
        self.check = check
        self.verdict = verdict
        self.hasFiles = hasFiles
    }

    /// The checks that a sanitizer affects: it retains freed memory and adds symbols to libraries.
    static let affectedBySanitizers: Set<Check> = [
        .utterancesDoNotGrow, .soundsDoNotGrow, .loadUnloadDoesNotGrow, .exportsOnlyEntry,
    ]

    var testDescription: String { "\(name): \(check.rawValue)" }

    /// The checks to run for this fault: the one that must detect it, and a twelfth of the others, because running all
    /// checks takes a second per fault.
    func checks(of kind: PluginKind, among faults: [CheckFault]) -> [Check] {
        let all = Check.all(of: kind)
        guard !LongForm.isAsked, let place = faults.firstIndex(where: { $0.name == name }) else { return all }
        var chosen = Set(all.enumerated().filter { $0.offset % 12 == place % 12 }.map(\.element))
        chosen.insert(check)
        for check in all.reversed() where chosen.contains(check) {
            if let requirement = check.requirement(of: kind) { chosen.insert(requirement) }
        }
        return all.filter(chosen.contains)
    }
}

extension Validation.Result {
    /// Whether the result shows no fault. On a busy machine, a timing check may end with a warning.
    var isFine: Bool {
        Sanitizer.isActive && CheckFault.affectedBySanitizers.contains(check)
            || [.passed, .skipped].contains(outcome.verdict) || outcome.verdict == .warning && check.attempts > 1
    }
}
