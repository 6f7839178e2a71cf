import Glibc
import SynthSystem

/// A value in a message on the session bus.
indirect enum BusValue: Equatable, Sendable {
    case text(String)
    /// The path of an object.
    case path(String)
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case texts([String])
    case table([String: BusValue])
    /// A value whose type is part of the message.
    case variant(BusValue)

    /// The D-Bus type signature.
    var signature: String {
        switch self {
        case .text: "s"
        case .path: "o"
        case .flag: "b"
        case .integer: "x"
        case .number: "d"
        case .texts: "as"
        case .table: "a{sv}"
        case .variant: "v"
        }
    }
}

/// A method call from another program.
struct BusCall: Equatable, Sendable {
    let interface: String
    let member: String
    let arguments: [BusValue]
}

/// A connection to the user's D-Bus session bus that publishes one object. It must be used on a single thread.
///
/// The D-Bus protocol is implemented by libsystemd, which is loaded only when a connection is opened. Without
/// libsystemd, everything except this connection still works.
final class SessionBus {
    private let system: BusLibrary
    private let bus: OpaquePointer
    private let path: String
    private let answer: (BusCall) -> [BusValue]?

    /// Connects and requests a name. Blocks until the bus responds.
    ///
    /// - Parameters:
    ///   - address: the address of the bus.
    ///   - name: the name of this program on the bus.
    ///   - path: the path of the published object.
    ///   - answer: returns the results of a call, or nil if the object has no such method.
    /// - Returns: nil if the bus does not respond, or if the library is not installed.
    init?(at address: String, name: String, path: String, answer: @escaping (BusCall) -> [BusValue]?) {
        var made: OpaquePointer?
        guard let system = BusLibrary(), system.new(&made) >= 0, let bus = made else { return nil }
        (self.system, self.bus, self.path, self.answer) = (system, bus, path, answer)
        let isPublished =
            system.setAddress(bus, address) >= 0 && system.setClient(bus, 1) >= 0 && system.start(bus) >= 0
            && system.addObject(bus, nil, path, Self.take, Unmanaged.passUnretained(self).toOpaque()) >= 0
            && system.requestName(bus, name, 0) >= 0
        guard isPublished else { return nil }
    }

    /// The address of the user's session bus, or nil if there is none.
    static func address(_ environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"), access(folder + "/bus", W_OK) == 0
        else { return nil }
        return "unix:path=\(folder)/bus"
    }

    deinit { _ = system.close(bus) }

    /// Blocks and answers calls until the connection ends or `isWoken` returns false.
    ///
    /// - Parameters:
    ///   - wake: interrupts the wait for calls.
    ///   - isWoken: called after each wake-up. If it returns false, the loop ends.
    func run(_ wake: WakeUp, isWoken: (SessionBus) -> Bool) {
        while true {
            while true {
                let progress = system.process(bus, nil)
                if progress < 0 { return }
                if progress == 0 { break }
            }
            let watched = [
                (system.descriptor(bus), events: Int32(system.events(bus))), (wake.descriptor.raw, events: POLLIN),
            ]
            guard let ready = try? Poll.wait(watched, timeout: timeout) else { return }
            if ready[1] != 0 {
                wake.clear()
                guard isWoken(self) else { return }
            }
        }
    }

    /// How long to wait until the library has work to do, or nil if it is only waiting for messages.
    private var timeout: Duration? {
        var deadline = UInt64.max
        guard system.timeout(bus, &deadline) >= 0, deadline != .max else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return max(.zero, .microseconds(deadline) - .seconds(now.tv_sec) - .nanoseconds(now.tv_nsec))
    }

    /// Sends a signal to all programs that watch the object.
    func emit(_ interface: String, _ member: String, _ values: [BusValue]) {
        var signal: OpaquePointer?
        guard system.newSignal(bus, &signal, path, interface, member) >= 0 else { return }
        send(signal, values)
    }

    // MARK: - Messages

    private static let take: BusLibrary.Handler = { message, data, _ in
        guard let message, let data else { return 0 }
        return Unmanaged<SessionBus>.fromOpaque(data).takeUnretainedValue().take(message) ? 1 : 0
    }

    /// Returns false if the object has no such method. The library then replies with an error.
    private func take(_ message: OpaquePointer) -> Bool {
        guard let interface = system.interface(message), let member = system.member(message) else { return false }
        var arguments: [BusValue] = []
        while let argument = read(message) { arguments.append(argument) }
        let call = BusCall(
            interface: String(cString: interface), member: String(cString: member), arguments: arguments)
        guard let results = answer(call) else { return false }
        var reply: OpaquePointer?
        guard system.newReply(message, &reply) >= 0 else { return false }
        send(reply, results)
        return true
    }

    /// Sends a message and releases it.
    private func send(_ message: OpaquePointer?, _ values: [BusValue]) {
        guard let message else { return }
        defer { _ = system.release(message) }
        guard values.allSatisfy({ append($0, to: message) }) else { return }
        _ = system.send(bus, message, nil)
    }

    /// The next argument, or nil if there are no more arguments or if its type is not supported.
    private func read(_ message: OpaquePointer) -> BusValue? {
        var (type, contents) = (CChar(0), UnsafePointer<CChar>?.none)
        guard system.type(message, &type, &contents) > 0 else { return nil }
        func basic<Value: BitwiseCopyable>(_ value: Value) -> Value? {
            var value = value
            let isRead = withUnsafeMutableBytes(of: &value) { bytes in
                bytes.baseAddress.map { system.read(message, type, $0) > 0 } ?? false
            }
            return isRead ? value : nil
        }
        func text() -> String? { basic(UnsafePointer<CChar>?.none)?.flatMap { String(cString: $0) } }
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "s"): return text().map { .text($0) }
        case UInt8(ascii: "o"): return text().map { .path($0) }
        case UInt8(ascii: "b"): return basic(Int32(0)).map { .flag($0 != 0) }
        case UInt8(ascii: "x"): return basic(Int64(0)).map { .integer($0) }
        case UInt8(ascii: "d"): return basic(0.0).map { .number($0) }
        case UInt8(ascii: "v"):
            guard system.enter(message, type, contents) > 0 else { return nil }
            defer { _ = system.exit(message) }
            return read(message).map { .variant($0) }
        default: return nil
        }
    }

    private func append(_ value: BusValue, to message: OpaquePointer) -> Bool {
        func basic(_ type: Unicode.Scalar, _ value: UnsafeRawPointer) -> Bool {
            system.append(message, CChar(type.value), value) >= 0
        }
        func container(_ type: Unicode.Scalar, _ contents: String, _ body: () -> Bool) -> Bool {
            system.begin(message, CChar(type.value), contents) >= 0 && body() && system.end(message) >= 0
        }
        switch value {
        case .text(let text): return text.withCString { basic("s", $0) }
        case .path(let path): return path.withCString { basic("o", $0) }
        case .flag(let flag):
            var number: Int32 = flag ? 1 : 0
            return basic("b", &number)
        case .integer(var number): return basic("x", &number)
        case .number(var number): return basic("d", &number)
        case .texts(let texts):
            return container("a", "s") { texts.allSatisfy { append(.text($0), to: message) } }
        case .table(let table):
            return container("a", "{sv}") {
                table.allSatisfy { key, value in
                    container("e", "sv") {
                        append(.text(key), to: message) && append(.variant(value), to: message)
                    }
                }
            }
        case .variant(let value):
            return container("v", value.signature) { append(value, to: message) }
        }
    }
}

/// The functions of libsystemd's sd-bus. They return a negative error number if they fail.
private struct BusLibrary {
    typealias Handle = OpaquePointer
    typealias Text = UnsafePointer<CChar>
    typealias Handler = @convention(c) (Handle?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32
    typealias Output = UnsafeMutablePointer<Handle?>

    let new: @convention(c) (Output) -> Int32
    let setAddress: @convention(c) (Handle, Text) -> Int32
    let setClient: @convention(c) (Handle, Int32) -> Int32
    let start: @convention(c) (Handle) -> Int32
    /// Sends pending messages and closes the connection.
    let close: @convention(c) (Handle) -> Handle?
    let addObject: @convention(c) (Handle, Output?, Text, Handler, UnsafeMutableRawPointer?) -> Int32
    let requestName: @convention(c) (Handle, Text, UInt64) -> Int32
    let process: @convention(c) (Handle, Output?) -> Int32
    let descriptor: @convention(c) (Handle) -> Int32
    let events: @convention(c) (Handle) -> Int32
    let timeout: @convention(c) (Handle, UnsafeMutablePointer<UInt64>) -> Int32
    let send: @convention(c) (Handle, Handle, UnsafeMutablePointer<UInt64>?) -> Int32
    let newSignal: @convention(c) (Handle, Output, Text, Text, Text) -> Int32
    let newReply: @convention(c) (Handle, Output) -> Int32
    let release: @convention(c) (Handle) -> Handle?
    let interface: @convention(c) (Handle) -> Text?
    let member: @convention(c) (Handle) -> Text?
    let type: @convention(c) (Handle, UnsafeMutablePointer<CChar>, UnsafeMutablePointer<Text?>) -> Int32
    let read: @convention(c) (Handle, CChar, UnsafeMutableRawPointer) -> Int32
    let enter: @convention(c) (Handle, CChar, Text?) -> Int32
    let exit: @convention(c) (Handle) -> Int32
    let append: @convention(c) (Handle, CChar, UnsafeRawPointer) -> Int32
    let begin: @convention(c) (Handle, CChar, Text) -> Int32
    let end: @convention(c) (Handle) -> Int32

    /// Returns nil if the library is not installed.
    init?() {
        guard let library = LoadedLibrary("libsystemd.so.0") else { return nil }
        func find<Function>(_ name: String) throws -> Function {
            guard let found = library.function("sd_bus_" + name, as: Function.self) else { throw Errno(ENOSYS) }
            return found
        }
        do {
            (new, start, close) = (try find("new"), try find("start"), try find("flush_close_unref"))
            (setAddress, setClient) = (try find("set_address"), try find("set_bus_client"))
            (addObject, requestName) = (try find("add_object"), try find("request_name"))
            (process, send) = (try find("process"), try find("send"))
            (descriptor, events, timeout) = (try find("get_fd"), try find("get_events"), try find("get_timeout"))
            (newSignal, newReply) = (try find("message_new_signal"), try find("message_new_method_return"))
            release = try find("message_unref")
            (interface, member) = (try find("message_get_interface"), try find("message_get_member"))
            (type, read) = (try find("message_peek_type"), try find("message_read_basic"))
            (enter, exit) = (try find("message_enter_container"), try find("message_exit_container"))
            append = try find("message_append_basic")
            (begin, end) = (try find("message_open_container"), try find("message_close_container"))
        } catch {
            return nil
        }
    }
}
