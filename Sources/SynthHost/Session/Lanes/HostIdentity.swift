import EngineWire
package import Engines
import System

/// What decides how an engine speaks, beside the voice and the text: two hosts with the same identity speak alike.
package struct HostIdentity: Equatable, Sendable {
    /// A line for each part.
    package let lines: [String]

    package init(lines: [String]) { self.lines = lines }

    /// - Parameter environment: of the engines' processes.
    package init(
        _ installation: Installation, _ folders: UserFolders, _ limits: EngineLimits, environment: [String: String]
    ) {
        let worker = FileIdentity(path: installation.worker)?.numbers.map(String.init).joined(separator: " ") ?? ""
        let variables = environment.filter { variable in
            (variable.key.hasSuffix("_DATA_PATH") || Self.prefixes.contains { variable.key.hasPrefix($0) })
                && !Self.passedOver.contains(variable.key)
        }
        lines =
            [
                "version \(hostVersion)", "worker \(installation.worker) \(worker)", "limits \(limits)",
                "data \(folders.data)", "cache \(folders.cache)", "state \(folders.state)",
            ] + variables.map { "\($0.key)=\($0.value)" }.sorted()
    }

    /// Of the variables that engines, their libraries and the loader look at.
    private static let prefixes = ["SYNTHHOST_", "LD_", "ORT_", "OMP_"]
    /// These are for the program alone.
    private static let passedOver: Set = [
        "SYNTHHOST_CONFIG", "SYNTHHOST_DEVICE", "SYNTHHOST_ENGINE", "SYNTHHOST_LANGUAGE", "SYNTHHOST_MIRROR",
        "SYNTHHOST_OFFLINE", "SYNTHHOST_PACE", "SYNTHHOST_PITCH", "SYNTHHOST_PLAIN", "SYNTHHOST_PLUGINS",
        "SYNTHHOST_RATE", "SYNTHHOST_VOICE", "SYNTHHOST_VOLUME",
    ]
}
