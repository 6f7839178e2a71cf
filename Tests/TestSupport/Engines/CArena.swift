package import CSynthEngine
import Glibc

/// C strings and structs that are valid for the lifetime of the arena.
package final class CArena {
    private var allocations: [UnsafeMutableRawPointer] = []

    package init() {}

    deinit { for allocation in allocations { allocation.deallocate() } }

    package func string(_ string: String) -> UnsafePointer<CChar> {
        array(Array(string.utf8CString))
    }

    package func array<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafePointer<Element> {
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: max(elements.count, 1) * MemoryLayout<Element>.stride, alignment: 16)
        allocations.append(bytes)
        let memory = bytes.bindMemory(to: Element.self, capacity: elements.count)
        memory.initialize(from: elements, count: elements.count)
        return UnsafePointer(memory)
    }

    package func files(_ files: [String: String]) -> (UnsafePointer<UnsafePointer<synth_file>?>?, Int) {
        guard !files.isEmpty else { return (nil, 0) }
        let structs = files.map { role, path in
            var file = synth_file()
            file.struct_size = UInt32(MemoryLayout<synth_file>.size)
            file.role = string(role)
            file.path = string(path)
            return UnsafePointer?(array([file]))
        }
        return (array(structs), structs.count)
    }

    /// The arguments for loading a model.
    func load(_ model: String, files: [String: String], threads: UInt32, cacheDirectory: String?) -> synth_load {
        var load = synth_load()
        load.struct_size = UInt32(MemoryLayout<synth_load>.size)
        load.model = string(model)
        load.threads = threads
        // An engine may retain the name of its cache until the process exits.
        load.cache_directory = cacheDirectory.flatMap { UnsafePointer(strdup($0)) }
        (load.files, load.file_count) = self.files(files)
        return load
    }
}
