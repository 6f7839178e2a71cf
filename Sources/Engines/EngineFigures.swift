package import EngineWire

/// What an engine's processes take at a moment, and what is loaded in them.
package struct EngineFigures: Equatable, Sendable {
    package struct Process: Equatable, Sendable {
        /// Its process id.
        package var identifier: Int32
        /// Bytes that it has in memory.
        package var memory: UInt64

        package init(identifier: Int32, memory: UInt64) {
            self.identifier = identifier
            self.memory = memory
        }
    }

    package var id: String
    /// The engine's file.
    package var plugin: String
    package var processes: [Process]
    /// The models that are loaded, each with the number of its lanes in all processes.
    package var models: [LoadRequest: Int]

    package init(id: String, plugin: String, processes: [Process] = [], models: [LoadRequest: Int] = [:]) {
        self.id = id
        self.plugin = plugin
        self.processes = processes
        self.models = models
    }

    /// Bytes that all its processes have in memory.
    package var memory: UInt64 { processes.reduce(0) { $0 + $1.memory } }
}
