package import EngineWire
import System

/// A file that may be an engine.
package struct EngineFile: Hashable, Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// Asks the engine for its description, in a worker of its own. Blocks at most for the scan limit.
    package func describe(
        by program: WorkerProgram, limits: EngineLimits = EngineLimits()
    ) throws(EngineFailure) -> EngineDescription {
        let worker = try WorkerProcess(program: program, engineFile: path, onLog: { _, _ in })
        do throws(WorkerFailure) {
            var bytes: [UInt8] = []
            var limit = WaitLimit(limits.scan)
            var reply = try worker.ask(.describe, limit: limits.scan, .describing)
            while true {
                switch reply {
                case .refused(let refusal): throw WorkerFailure(.refused(refusal))
                case .description(let part, let isLast):
                    bytes += part
                    guard bytes.count <= Self.longestDescription else {
                        throw WorkerFailure(.violatedProtocol(.describing))
                    }
                    if isLast {
                        do { return try EngineDescription(frameBytes: bytes[...]) } catch {
                            throw WorkerFailure(.violatedProtocol(.describing))
                        }
                    }
                default: throw WorkerFailure(.violatedProtocol(.describing))
                }
                reply = try worker.answer(within: &limit, .describing)
            }
        } catch {
            throw EngineFailure(engine: path, reason: error.reason, log: worker.log)
        }
    }

    private static let longestDescription = 32 << 20
}
