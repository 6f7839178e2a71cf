import Glibc
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

/// Checks the engine file before and during loading.
enum FileChecks {
    static func trust(_ subject: Subject) throws -> CheckFinding {
        do {
            _ = try subject.file.get()
            return .passed("Only the owner can write to the file and to the libraries that it loads.")
        } catch {
            return .failed(error)
        }
    }

    static func loading(_ subject: Subject) throws -> CheckFinding {
        subject.step("the file was being loaded")
        do {
            _ = try EngineLibrary(try subject.file.get(), as: subject.job.kind)
            return .passed("All its symbols and libraries were found.")
        } catch {
            return .failed(error)
        }
    }

    static func exports(_ subject: Subject) throws -> CheckFinding {
        guard let symbols = DynamicSymbols(file: subject.job.file) else {
            return .skipped("Its section headers were removed, so its symbols cannot be read.")
        }
        let entries = [PluginKind.engine, .recognizer].map(\.entry).filter(symbols.exported.contains)
        let surplus = symbols.exported.filter { !entries.contains($0) && !isOfCompiler($0) }.sorted()
        if surplus.isEmpty {
            let names = entries.joined(separator: ", ")
            return .passed("It exports \(names) and no other C symbols.")
        }
        let more = surplus.count > 3 ? " and \(surplus.count - 3) more" : ""
        return .warning(
            "It also exports \(surplus.prefix(3).joined(separator: ", "))\(more); "
                + "make them static, or build with -fvisibility=hidden.")
    }

    /// Whether the symbol is added by the linker or cannot be hidden in Swift or C++.
    private static func isOfCompiler(_ name: String) -> Bool {
        ["_init", "_fini", "_edata", "_end", "__bss_start"].contains(name)
            || ["$s", "$S", "_swift_", "__swift_", "swift_", "_TI", "_ZT"].contains { name.hasPrefix($0) }
    }
}

/// The dynamic symbols of a shared object (System V ABI, ELF-64, section `.dynsym`), which are read without running its
/// code.
struct DynamicSymbols {
    /// The names of the global symbols that the file defines. Weak symbols are skipped, because compilers generate
    /// them.
    let exported: [String]

    private static let longest = 1 << 30

    /// Reads the symbols of a file. Returns nil if the file cannot be read, or if its section table is missing or
    /// invalid.
    init?(file: String) {
        guard let bytes = try? readWholeFile(file, limit: Self.longest),
            let header = Self.read(Elf64_Ehdr.self, bytes, at: 0),
            header.e_shentsize == UInt16(MemoryLayout<Elf64_Shdr>.size)
        else { return nil }
        let sections = (0..<UInt64(header.e_shnum)).compactMap {
            Self.read(Elf64_Shdr.self, bytes, at: header.e_shoff &+ $0 * UInt64(header.e_shentsize))
        }
        guard let table = sections.first(where: { $0.sh_type == UInt32(SHT_DYNSYM) }),
            Int(table.sh_link) < sections.count
        else { return nil }
        let names = sections[Int(table.sh_link)]
        let size = UInt64(MemoryLayout<Elf64_Sym>.size)
        var exported: [String] = []
        for index in 0..<table.sh_size / size {
            guard let symbol = Self.read(Elf64_Sym.self, bytes, at: table.sh_offset &+ index * size) else { return nil }
            let isGlobal = symbol.st_info >> 4 == UInt8(STB_GLOBAL)
            guard isGlobal, symbol.st_shndx != UInt16(SHN_UNDEF), symbol.st_shndx < UInt16(SHN_LORESERVE) else {
                continue
            }
            guard let start = Int(exactly: names.sh_offset &+ UInt64(symbol.st_name)), start < bytes.count else {
                return nil
            }
            exported.append(String(decoding: bytes[start...].prefix { $0 != 0 }, as: UTF8.self))
        }
        self.exported = exported
    }

    private static func read<Value: BitwiseCopyable>(_: Value.Type, _ bytes: [UInt8], at offset: UInt64) -> Value? {
        let size = MemoryLayout<Value>.size
        guard let offset = Int(exactly: offset), offset <= bytes.count - size else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
    }
}
