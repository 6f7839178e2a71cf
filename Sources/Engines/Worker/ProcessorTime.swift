import Glibc
import System

enum ProcessorTime {
    /// The processor time of a process with all its threads; nil if it has ended.
    static func used(by process: pid_t) -> Duration? {
        var clock = clockid_t()
        var time = timespec()
        if clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 {
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        return ticks(of: process)
    }

    /// From proc(5), `stat`, fields 14 and 15, in clock ticks.
    private static func ticks(of process: pid_t) -> Duration? {
        guard let bytes = try? readWholeFile("/proc/\(process)/stat", limit: 4096),
            let name = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = bytes[name...].split(separator: UInt8(ascii: " "))
        guard fields.count > 13, let user = Int(String(decoding: fields[12], as: UTF8.self)),
            let system = Int(String(decoding: fields[13], as: UTF8.self))
        else { return nil }
        return .milliseconds((user + system) * 1000 / max(1, sysconf(Int32(_SC_CLK_TCK))))
    }
}
