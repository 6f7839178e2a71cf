import Glibc

/// Names as C wants them: a row of pointers, valid as long as this lives.
struct CNames: ~Copyable {
    let pointers: [UnsafePointer<CChar>?]

    init(_ names: [String]) {
        pointers = names.map { UnsafePointer(strdup($0)) }
    }

    deinit {
        for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) }
    }
}
