import CLinux
import Glibc

/// The value of an extended attribute of a file, which is not a link; nil if the file has none of that name, or the
/// file system supports none.
package func extendedAttribute(_ name: String, of path: String) throws(Errno) -> [UInt8]? {
    do {
        var value = [UInt8](repeating: 0, count: 64 * 1024)
        let count = try Errno.check {
            value.withUnsafeMutableBytes { linux_get_attribute(path, name, $0.baseAddress, $0.count) }
        }
        return Array(value.prefix(count))
    } catch {
        guard error == .noAttribute || error == .notSupported else { throw error }
        return nil
    }
}
