import Synchronization

@testable import SynthGraphRewriting
@testable import SynthInference

/// The outcomes that sessions report about rewriting their models.
final class Outcomes: Sendable {
    let all = Mutex<[RewriteOutcome]>([])
}
