import EngineWire
import Glibc
import LinuxSystem

/// The parts of a shared object that `dlopen` would crash on where they are damaged, or complain of in misleading words
/// (System V ABI, ELF-64 object file format).
struct Elf {
    private let header: Elf64_Ehdr
    private let segments: [Elf64_Phdr]
    private let size: UInt64

    /// Reads the headers of a file of `size` bytes.
    init(_ file: Descriptor, size: UInt64) throws(Refusal) {
        guard size > 0 else { throw Refusal(.notLoadable, "is empty") }
        guard let header = Self.read(Elf64_Ehdr.self, from: file, at: 0),
            header.e_ident.0 == 0x7F, header.e_ident.1 == 0x45, header.e_ident.2 == 0x4C, header.e_ident.3 == 0x46
        else { throw Refusal(.notLoadable, "is not a shared library") }
        self.header = header
        self.size = size
        let is64 = header.e_ident.4 == UInt8(ELFCLASS64)
        let isThisByteOrder = header.e_ident.5 == UInt8(ELFDATA2LSB)
        guard is64, isThisByteOrder, header.e_machine == Self.machine else {
            throw Refusal(.notLoadable, "is built for another kind of machine")
        }
        guard header.e_type == ET_DYN else { throw Refusal(.notLoadable, "is not a shared library") }
        guard header.e_phentsize == MemoryLayout<Elf64_Phdr>.size, header.e_phnum > 0 else { throw Self.damaged }
        var segments: [Elf64_Phdr] = []
        for index in 0..<UInt64(header.e_phnum) {
            let (offset, overflow) = header.e_phoff.addingReportingOverflow(index * UInt64(header.e_phentsize))
            guard !overflow, let segment = Self.read(Elf64_Phdr.self, from: file, at: offset) else {
                throw Self.damaged
            }
            segments.append(segment)
        }
        self.segments = segments
    }

    /// Throws where the file ends before what its headers announce.
    func checkWholeness() throws(Refusal) {
        for segment in segments where segment.p_type == UInt32(PT_LOAD) {
            let (end, overflow) = segment.p_offset.addingReportingOverflow(segment.p_filesz)
            guard !overflow, end <= size else { throw Self.damaged }
        }
    }

    private static let damaged = Refusal(.notLoadable, "is damaged or cut off", remedy: "Copy it here again.")

    #if arch(x86_64)
        private static let machine = UInt16(EM_X86_64)
    #elseif arch(arm64)
        private static let machine = UInt16(EM_AARCH64)
    #endif

    private static func read<Value: BitwiseCopyable>(_: Value.Type, from file: Descriptor, at offset: UInt64) -> Value?
    {
        guard let offset = off_t(exactly: offset) else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: MemoryLayout<Value>.size, alignment: 16) { buffer -> Value? in
            let count = try? Errno.check { pread(file.raw, buffer.baseAddress, buffer.count, offset) }
            return count == buffer.count ? buffer.loadUnaligned(as: Value.self) : nil
        }
    }
}
