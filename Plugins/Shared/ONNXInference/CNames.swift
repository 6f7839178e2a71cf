import Glibc

/// Names as an array of C strings, valid as long as this value lives.
struct CNames: ~Copyable {
    let pointers: [UnsafePointer<CChar>?]

    init(_ names: [String]) {
        pointers = names.map { UnsafePointer(strdup($0)) }
    }

    deinit {
        for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) }
    }
}
