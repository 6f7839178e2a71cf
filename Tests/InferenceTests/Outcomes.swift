import Synchronization

@testable import SynthGraphRewriting
@testable import SynthInference

/// The rewrite outcomes that sessions report.
final class Outcomes: Sendable {
    let all = Mutex<[RewriteOutcome]>([])
}
