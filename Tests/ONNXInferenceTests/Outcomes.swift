import Synchronization

@testable import GraphRewriting
@testable import ONNXInference

/// What sessions report about rewriting their models.
final class Outcomes: Sendable {
    let all = Mutex<[RewriteOutcome]>([])
}
