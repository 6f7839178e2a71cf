package import EngineWire
package import System

extension Confinement {
    /// Leaves a gap for what the user allows an engine.
    package mutating func open(for need: EngineNeed.Kind) {
        switch need {
        case .network: network = .all
        case .executableMemory: mayWriteCode = true
        case .device(let path): files.devices.append(path)
        case .folder(let path): files.readable.append(path)
        }
    }
}
