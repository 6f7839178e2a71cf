/// Bytes in words for messages, in powers of a thousand as disks are sold.
package enum ByteCount {
    package static func words(_ bytes: Int64) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var value = bytes
        var rest: Int64 = 0
        var unit = 0
        while value >= 1000, unit < units.count - 1 {
            rest = value % 1000
            value /= 1000
            unit += 1
        }
        return unit > 1 && value < 100 ? "\(value).\(rest / 100) \(units[unit])" : "\(value) \(units[unit])"
    }
}
