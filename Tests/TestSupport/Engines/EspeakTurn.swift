package import Testing

/// Prevents tests that use libespeak-ng, in any shared object, from running concurrently.
///
/// The library has global state. In production, every engine has its own process, but in the tests, several engines share a
/// process.
package struct EspeakTurn: TestTrait, SuiteTrait, TestScoping {
    private actor Lock {
        static let shared = Lock()

        private var isTaken = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func acquire() async {
            guard isTaken else {
                isTaken = true
                return
            }
            await withCheckedContinuation { waiting.append($0) }
        }

        func release() {
            if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
        }
    }

    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Lock.shared.acquire()
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await function()) } catch { outcome = .failure(error) }
        await Lock.shared.release()
        try outcome.get()
    }
}

extension Trait where Self == EspeakTurn {
    package static var espeakTurn: EspeakTurn { EspeakTurn() }
}
