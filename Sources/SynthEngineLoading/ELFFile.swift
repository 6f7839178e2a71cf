import Glibc
import SynthEngineWire
import SynthSystem

/// The parts of a shared object that, if damaged, make `dlopen` crash or report a misleading error (System V ABI,
/// ELF-64 object file format).
struct ELFFile {
    private let file: Descriptor
    private let segments: [Elf64_Phdr]
    private let size: UInt64

    init(path: String) throws(Refusal) {
        do {
            (file, size) = try Descriptor.openRegular(path)
        } catch {
            throw Refusal(.cannotBeRead(error))
        }
        guard size > 0 else { throw Refusal(.empty) }
        guard let header = try Self.read(Elf64_Ehdr.self, from: file, at: 0),
            header.e_ident.0 == 0x7F, header.e_ident.1 == 0x45, header.e_ident.2 == 0x4C, header.e_ident.3 == 0x46
        else { throw Refusal(.notSharedLibrary) }
        let is64 = header.e_ident.4 == UInt8(ELFCLASS64)
        let isThisByteOrder = header.e_ident.5 == UInt8(ELFDATA2LSB)
        guard is64, isThisByteOrder, header.e_machine == Self.machine else {
            throw Refusal(.otherMachine)
        }
        guard header.e_type == ET_DYN else { throw Refusal(.notSharedLibrary) }
        guard header.e_phentsize == MemoryLayout<Elf64_Phdr>.size, header.e_phnum > 0 else { throw Self.damaged }
        var segments: [Elf64_Phdr] = []
        for index in 0..<UInt64(header.e_phnum) {
            let (offset, overflow) = header.e_phoff.addingReportingOverflow(index * UInt64(header.e_phentsize))
            guard !overflow, let segment = try Self.read(Elf64_Phdr.self, from: file, at: offset) else {
                throw Self.damaged
            }
            segments.append(segment)
        }
        self.segments = segments
    }

    /// Throws if the file is shorter than its headers specify.
    func checkWholeness() throws(Refusal) {
        for segment in segments where segment.p_type == UInt32(PT_LOAD) {
            let (end, overflow) = segment.p_offset.addingReportingOverflow(segment.p_filesz)
            guard !overflow, end <= size else { throw Self.damaged }
        }
    }

    /// The libraries and search paths in the dynamic section.
    struct Linking {
        var libraries: [String] = []
        /// The folders in which the loader searches for the libraries. RPATH is used only if there is no RUNPATH; in
        /// that case, it also applies to the dependencies of the libraries.
        var runPath: [String]?
        var rPath: [String] = []
    }

    /// A copy of `Elf64_Dyn` without its union, which cannot be copied from bytes.
    private struct DynamicEntry: BitwiseCopyable {
        var tag: Int64
        var value: UInt64
    }

    /// Reads the dynamic section; returns an empty value if there is none.
    func linking() throws(Refusal) -> Linking {
        var linking = Linking()
        guard let dynamic = segments.first(where: { $0.p_type == UInt32(PT_DYNAMIC) }) else { return linking }
        var names: [(tag: Int64, place: UInt64)] = []
        var strings: UInt64?
        let entrySize = UInt64(MemoryLayout<DynamicEntry>.size)
        for index in 0..<min(dynamic.p_memsz / entrySize, 4096) {
            let (address, overflow) = dynamic.p_vaddr.addingReportingOverflow(index * entrySize)
            guard !overflow, let place = offset(of: address),
                let entry = try Self.read(DynamicEntry.self, from: file, at: place)
            else { throw Self.damaged }
            if entry.tag == Int64(DT_NULL) { break }
            switch entry.tag {
            case Int64(DT_STRTAB): strings = entry.value
            case Int64(DT_NEEDED), Int64(DT_RUNPATH), Int64(DT_RPATH), 0x7FFF_FFFD, 0x7FFF_FFFF:
                names.append((entry.tag, entry.value))
            default: break
            }
        }
        for (tag, place) in names {
            guard let strings, case let (address, overflow) = strings.addingReportingOverflow(place), !overflow,
                let start = offset(of: address), let text = string(at: start)
            else { throw Self.damaged }
            let elements = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            switch tag {
            case Int64(DT_RUNPATH): linking.runPath = elements
            case Int64(DT_RPATH): linking.rPath = elements
            // DT_NEEDED, or a filter (DT_AUXILIARY, DT_FILTER), which is loaded too.
            default: linking.libraries.append(text)
            }
        }
        return linking
    }

    /// Returns the file offset that corresponds to a memory address; nil if it is not in the file.
    private func offset(of address: UInt64) -> UInt64? {
        for segment in segments where segment.p_type == UInt32(PT_LOAD) && address >= segment.p_vaddr {
            let place = address - segment.p_vaddr
            if place < segment.p_filesz { return segment.p_offset &+ place }
        }
        return nil
    }

    private func string(at offset: UInt64) -> String? {
        guard let offset = off_t(exactly: offset) else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: Self.longestName, alignment: 1) { buffer -> String? in
            let count = (try? Errno.check { pread(file.raw, buffer.baseAddress, buffer.count, offset) }) ?? 0
            guard let end = buffer[..<count].firstIndex(of: 0) else { return nil }
            return String(decoding: UnsafeRawBufferPointer(rebasing: buffer[..<end]), as: UTF8.self)
        }
    }

    private static let longestName = 16 * 1024
    private static let damaged = Refusal(.damaged)

    #if arch(x86_64)
        private static let machine = UInt16(EM_X86_64)
    #elseif arch(arm64)
        private static let machine = UInt16(EM_AARCH64)
    #endif

    /// Returns nil if the file ends before the end of the value.
    private static func read<Value: BitwiseCopyable>(
        _: Value.Type, from file: Descriptor, at offset: UInt64
    ) throws(Refusal) -> Value? {
        guard let offset = off_t(exactly: offset) else { return nil }
        let size = MemoryLayout<Value>.size
        let read = withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
            Result { () throws(Errno) in
                let count = try Errno.check { pread(file.raw, buffer.baseAddress, size, offset) }
                return count == size ? buffer.loadUnaligned(as: Value.self) : nil
            }
        }
        do { return try read.get() } catch { throw Refusal(.cannotBeRead(error)) }
    }
}
