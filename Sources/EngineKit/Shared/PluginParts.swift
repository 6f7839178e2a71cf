import CSynthEngine

/// A permission that an engine needs the user to grant.
public struct EngineNeed: Sendable {
    /// The kind of permission.
    public enum Kind: Sendable {
        /// Network connections to other machines.
        case network
        /// Memory for machine code that the engine generates and runs.
        case executableMemory
        /// A device, or a folder of devices, to read, write and control; an absolute path below /dev.
        case device(String)
        /// A folder to read, including everything in it; an absolute path.
        case folder(String)
    }

    /// The kind of permission.
    public var kind: Kind
    /// A sentence that explains to the user why the permission is needed: "It asks a server how names are pronounced."
    public var reason: String

    /// Creates a need.
    public init(_ kind: Kind, reason: String) {
        self.kind = kind
        self.reason = reason
    }
}

/// The parts that both types of plugins have, as C structs that live until exit.
struct PluginParts: Sendable {
    private let names: [String]
    let roles: PermanentList<synth_role>
    let variables: PermanentList<UnsafePointer<CChar>>
    let needs: PermanentList<synth_need>

    init(roles: [FileRole], variables: [String], needs: [EngineNeed]) {
        names = roles.map(\.name)
        self.roles = PermanentList(roles.map { synth_role($0) })
        self.variables = PermanentList(variables.map { PermanentCopy($0).pointer })
        self.needs = PermanentList(needs.map { synth_need($0) })
    }

    /// Returns the role's name as a string from the table. An equal string is not sufficient, because the host compares
    /// pointers.
    func roleName(_ name: String) -> UnsafePointer<CChar>? {
        names.firstIndex(of: name).flatMap { roles[UInt32($0)]?.pointee.name }
    }
}

// Each struct starts zeroed, and its fields are set by name, because adding a field would break calls to the memberwise
// initializer.

extension synth_role {
    init(_ role: FileRole) {
        self.init()
        struct_size = UInt32(MemoryLayout<Self>.size)
        scope = (role.scope == .model ? SYNTH_SCOPE_MODEL : SYNTH_SCOPE_VOICE).rawValue
        flags = (role.isOptional ? SYNTH_ROLE_OPTIONAL.rawValue : 0) | (role.isFolder ? SYNTH_ROLE_FOLDER.rawValue : 0)
        name = PermanentCopy(role.name).pointer
    }
}

extension synth_need {
    init(_ need: EngineNeed) {
        self.init()
        struct_size = UInt32(MemoryLayout<Self>.size)
        let (kind, path): (synth_need_kind, String?) =
            switch need.kind {
            case .network: (SYNTH_NEED_NETWORK, nil)
            case .executableMemory: (SYNTH_NEED_EXECUTABLE_MEMORY, nil)
            case .device(let path): (SYNTH_NEED_DEVICE, path)
            case .folder(let path): (SYNTH_NEED_FOLDER, path)
            }
        self.kind = kind.rawValue
        self.path = path.map { PermanentCopy($0).pointer }
        reason = PermanentCopy(need.reason).pointer
    }
}

extension synth_source {
    init(_ source: FileSource) {
        self.init()
        struct_size = UInt32(MemoryLayout<Self>.size)
        role = PermanentCopy(source.role).pointer
        url = PermanentCopy(source.url).pointer
        sha256 = PermanentCopy(source.sha256).pointer
        size = source.size
    }

    /// Returns pointers to the sources; nil if there are none.
    static func list(_ sources: [FileSource]) -> UnsafePointer<UnsafePointer<synth_source>?>? {
        guard !sources.isEmpty else { return nil }
        return PermanentCopy(sources.map { UnsafePointer?(PermanentCopy(synth_source($0)).pointer) }).pointer
    }
}

/// Memory that is never changed or freed, so any thread may keep its address.
struct PermanentCopy<Pointee>: Sendable {
    nonisolated(unsafe) let pointer: UnsafePointer<Pointee>

    init(_ pointer: UnsafePointer<Pointee>) { self.pointer = pointer }

    init(_ value: Pointee) { self.init([value]) }

    init(_ values: [Pointee]) {
        let memory = UnsafeMutablePointer<Pointee>.allocate(capacity: max(values.count, 1))
        memory.initialize(from: values, count: values.count)
        pointer = UnsafePointer(memory)
    }
}

/// C structs that are never changed or freed.
struct PermanentList<Item>: Sendable {
    private let items: PermanentCopy<Item>
    private let count: Int

    init(_ items: [Item]) {
        self.items = PermanentCopy(items)
        count = items.count
    }

    /// If the items cannot be listed, creates an empty list and logs a warning.
    init(_ what: String, _ list: () throws -> [Item]) {
        var items: [Item] = []
        do {
            items = try list()
        } catch {
            EngineLog.warning("The \(what) cannot be listed: \(error)")
        }
        self.init(items)
    }

    subscript(index: UInt32) -> UnsafePointer<Item>? { index < count ? items.pointer + Int(index) : nil }
}

extension PermanentCopy<CChar> {
    init(_ string: String) { self.init(Array(string.utf8CString)) }
}
