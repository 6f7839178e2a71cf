import CSynthEngine
import SynthEngineLoading

/// A message buffer for a call, with guard bytes on both sides.
struct ErrorProbe: ~Copyable {
    private let memory: UnsafeMutableBufferPointer<CChar>
    private let error: UnsafeMutablePointer<synth_error>
    private let capacity: Int

    private static let guardSize = 256
    private static let guardByte: CChar = 0x5A

    /// - Parameters:
    ///   - capacity: the size of the message buffer, including the terminating NUL.
    ///   - extra: the number of bytes to append to the struct.
    init(capacity: Int = 512, extra: Int = 0) {
        self.capacity = capacity
        memory = .allocate(capacity: capacity + 2 * Self.guardSize)
        memory.initialize(repeating: Self.guardByte)
        if capacity > 0 { memory[Self.guardSize] = 0 }
        var error = synth_error()
        error.struct_size = UInt32(MemoryLayout<synth_error>.size + extra)
        error.capacity = UInt32(capacity)
        error.message = memory.baseAddress.map { $0 + Self.guardSize }
        self.error = LongerStruct.copy(of: error, extra: extra)
    }

    deinit {
        UnsafeMutableRawPointer(error).deallocate()
        memory.deallocate()
    }

    var pointer: UnsafeMutablePointer<synth_error> { error }

    private var room: Range<Int> { Self.guardSize..<Self.guardSize + capacity }

    /// Whether the guard bytes are unchanged.
    var isIntact: Bool { memory.indices.allSatisfy { room.contains($0) || memory[$0] == Self.guardByte } }

    /// Whether the message is terminated within the buffer.
    var isTerminated: Bool { capacity == 0 || memory[room].contains(0) }

    /// Whether the call wrote nothing.
    var isUntouched: Bool { isIntact && (capacity == 0 || memory[room.lowerBound] == 0) && error.pointee.role == nil }

    var bytes: [UInt8] { memory[room].prefix { $0 != 0 }.map { UInt8(bitPattern: $0) } }

    /// The message, or nil if it is not UTF-8.
    var message: String? { String(validating: bytes, as: UTF8.self) }

    var role: String? { known(UnsafePointer(error.pointee.role)) }

    /// Returns the status and the message as text for a finding.
    func words(_ status: synth_status) -> String {
        let message = String(decoding: bytes, as: UTF8.self)
        return message.isEmpty ? "\(status.word) without a reason" : "\(status.word) (\"\(message)\")"
    }
}

extension synth_status {
    /// The name of the status in the C header.
    var word: String {
        switch self {
        case SYNTH_OK: "OK"
        case SYNTH_CANCELLED: "CANCELLED"
        case SYNTH_BAD_REQUEST: "BAD_REQUEST"
        case SYNTH_MISSING_FILE: "MISSING_FILE"
        case SYNTH_BAD_FILE: "BAD_FILE"
        case SYNTH_NO_MEMORY: "NO_MEMORY"
        case SYNTH_FAILED: "FAILED"
        default: "unknown status \(rawValue)"
        }
    }
}

/// Creates structs with additional fields at the end, as a later version of the interface would pass them.
enum LongerStruct {
    /// Returns a copy of the struct, followed by `extra` bytes of garbage. The copy is never freed.
    static func copy<Struct: BitwiseCopyable>(of value: Struct, extra: Int) -> UnsafeMutablePointer<Struct> {
        let size = MemoryLayout<Struct>.size
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size + extra, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0xA5, count: size + extra)
        let copy = memory.bindMemory(to: Struct.self, capacity: 1)
        copy.pointee = value
        return copy
    }

    /// Returns a copy with `extra` additional bytes. Its size field contains the increased size.
    static func sized<Struct: BitwiseCopyable>(_ value: Struct, _ extra: Int) -> UnsafeMutablePointer<Struct> {
        let copy = copy(of: value, extra: extra)
        UnsafeMutableRawPointer(copy).storeBytes(of: UInt32(MemoryLayout<Struct>.size + extra), as: UInt32.self)
        return copy
    }

    static func sized<Struct: BitwiseCopyable>(
        _ list: UnsafePointer<UnsafePointer<Struct>?>?, _ count: Int, _ extra: Int
    ) -> UnsafePointer<UnsafePointer<Struct>?>? {
        guard let list, count > 0 else { return nil }
        let longer = UnsafeMutablePointer<UnsafePointer<Struct>?>.allocate(capacity: count)
        for index in 0..<count {
            let copy = list[index].map { UnsafePointer(sized($0.pointee, extra)) }
            (longer + index).initialize(to: copy)
        }
        return UnsafePointer(longer)
    }
}
