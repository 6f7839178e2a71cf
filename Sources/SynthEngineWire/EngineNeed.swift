import Glibc
package import SynthSystem

/// A permission that an engine needs the user to grant.
package struct EngineNeed: Hashable, Sendable {
    package var kind: Kind
    /// A sentence that explains to the user why the permission is needed.
    package var reason: String

    package init(_ kind: Kind, reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// The kind of permission.
    package enum Kind: Hashable, Sendable {
        /// Network connections to other machines.
        case network
        /// Memory for machine code that the engine generates and runs.
        case executableMemory
        /// A device, or a folder of devices, to read, write and control.
        case device(String)
        /// A folder to read, including everything in it.
        case folder(String)
        /// An environment variable. This kind never occurs in a description: engines declare variables by name, and
        /// this kind represents the user's permission for one of them.
        case variable(String)

        /// The keyword that users type.
        package var name: String {
            switch self {
            case .network: "network"
            case .executableMemory: "executable-memory"
            case .device: "device"
            case .folder: "folder"
            case .variable: "variable"
            }
        }

        /// The kinds that may occur in a description.
        package static let names = ["network", "executable-memory", "device", "folder"]

        /// The path; nil for kinds without one.
        package var path: String? {
            switch self {
            case .network, .executableMemory, .variable: nil
            case .device(let path), .folder(let path): path
            }
        }

        /// The name of the variable; nil for other kinds.
        package var variable: String? { if case .variable(let name) = self { name } else { nil } }

        /// Returns nil if the name is not in `names`, or if the required absolute path is missing (for a device, a path
        /// below /dev).
        package init?(name: String, path: String?) {
            let parts = path.flatMap(Self.parts(of:))
            switch (name, path) {
            case ("network", nil): self = .network
            case ("executable-memory", nil): self = .executableMemory
            case ("device", let path?) where parts.map(Self.isDevice) == true: self = .device(path)
            case ("folder", let path?) where parts != nil: self = .folder(path)
            default: return nil
            }
        }

        /// Returns the components of an absolute path. Splits bytes, as the kernel does, because Swift treats a slash
        /// with a combining accent as a different character.
        private static func parts(of path: String) -> [String]? {
            guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count < PATH_MAX, !path.utf8.contains(0) else {
                return nil
            }
            let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
            return parts.contains(".") || parts.contains("..") ? nil : parts
        }

        /// Whether the path is in /dev but not in a shared memory folder.
        private static func isDevice(_ parts: [String]) -> Bool {
            parts.count > 1 && parts[0] == "dev" && !["shm", "mqueue"].contains(parts[1])
        }

        /// Compares bytes, because canonically equivalent strings are equal in Swift but refer to different files.
        package static func == (one: Kind, other: Kind) -> Bool { one.word.utf8.elementsEqual(other.word.utf8) }

        package func hash(into hasher: inout Hasher) { for byte in word.utf8 { hasher.combine(byte) } }

        /// The need as a single word, such as `network` or `folder:/opt/voices`.
        package var word: String { name + ((path ?? variable).map { ":\($0)" } ?? "") }

        package init?(word: String) {
            let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if parts.count == 2, parts[0] == "variable", EngineDescription.isVariable(parts[1]) {
                self = .variable(parts[1])
            } else {
                self.init(name: parts[0], path: parts.count == 2 ? parts[1] : nil)
            }
        }
    }
}

extension EngineNeed: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(words: kind.word)
        frame.write(words: reason)
    }

    package init(from frame: inout FrameReader) throws {
        guard let kind = Kind(word: try frame.read()) else { throw MalformedFrame() }
        self.init(kind, reason: try frame.read())
    }
}

extension Confinement {
    /// Relaxes the confinement for a permission that the user granted.
    package mutating func open(for need: EngineNeed.Kind) {
        switch need {
        case .network: network = .all
        case .executableMemory: mayWriteCode = true
        case .device(let path): files.devices.append(path)
        case .folder(let path): files.readable.append(path)
        // The process already has the variable in its environment.
        case .variable: break
        }
    }
}

extension EngineNeed.Kind {
    /// The need as a phrase: "the network".
    package var words: String {
        switch self {
        case .network: "the network"
        case .executableMemory: "memory for code that it generates"
        case .device(let path): "the device \(path)"
        case .folder(let path): "the folder \(path)"
        case .variable(let name): "the variable \(name)"
        }
    }
}
