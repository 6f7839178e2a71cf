package import SynthEngineProcesses
import SynthEngineWire
import SynthSystem

extension CheckOutcome {
    /// The result of the check, described in a few sentences.
    package var words: String {
        [result, refusals].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private var refusals: String {
        let shown = 6
        let rest = refused.count - shown
        let more =
            rest <= 0 ? [] : [refused.count == Self.maximumRefusals ? "and at least \(rest) more" : "and \(rest) more"]
        let list = (refused.prefix(shown) + more).joined(separator: "; ")
        return list.isEmpty ? "" : "It was not allowed \(list)."
    }

    private var result: String {
        switch detail {
        case .onlyRefused: ""
        case .found(let detail): detail.words
        case .requirement(let check, let verdict): "\(check.rawValue) \(verdict.word)."
        case .notStarted(let program, let error): "The program \(program) did not start: \(error)."
        case .noFolder(let error): "Cannot create temporary files: \(error)."
        case .hung(let limit, let step): "It hung\(Self.place(step)): no result within \(limit)."
        case .crashed(let signal, let step, let line):
            "It crashed (\(signalName(signal)))\(Self.place(step)).\(Self.last(line))"
        case .exited(let code, let step, let line):
            "It exited with code \(code)\(Self.place(step)).\(Self.last(line))"
        case .forbidden(let action, let step): "It \(action.words)\(Self.place(step))."
        }
    }

    private static func place(_ step: String?) -> String { step.map { " while \($0)" } ?? "" }

    private static func last(_ line: String?) -> String { line.map { " Its last output: \($0)" } ?? "" }
}

extension CheckDetail {
    fileprivate var words: String {
        switch self {
        case .words(let words): words
        case .refused(let refusal, showsRemedy: true): "It \(refusal.reason). \(refusal.remedy.command)"
        case .refused(let refusal, showsRemedy: false): "It \(refusal.reason)."
        }
    }
}

extension ForbiddenAction {
    fileprivate var words: String {
        switch self {
        case .openedInternetSocket: "requested an internet socket"
        case .startedProcess: "started a process"
        }
    }
}
