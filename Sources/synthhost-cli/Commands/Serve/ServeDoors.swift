import SpeechServices
import SynthHost
import System

/// Where `serve` lets clients in.
struct ServeDoors {
    let context: CommandContext
    let arguments: ParsedArguments
    let service: SpeechService
    let words: ServiceWords

    /// The sockets that systemd listens at, else the socket of this user; and the addresses of the options.
    func open(socket: String?) throws(CommandFailure) -> [Door] {
        let inherited = SocketListener.inherited(context.environment)
        var doors = inherited.map { Door.wyoming($0, service, words, lendsLanes: $0.address.isUnix) }
        let addresses = arguments[all: Options.wyoming]
        if inherited.isEmpty, let socket, let door = try own(socket, isNeeded: addresses.isEmpty) { doors.append(door) }
        for address in addresses {
            doors.append(Door.wyoming(try listener(at: address), service, words))
        }
        guard doors.isEmpty else { return doors }
        throw CommandFailure(
            .usage, "There is nothing to serve: XDG_RUNTIME_DIR is not set, so there is no place for a socket.",
            "Name an address: --wyoming tcp://127.0.0.1:10200")
    }

    /// Tells where clients find the doors.
    func announce(_ doors: [Door]) {
        for door in doors {
            if !arguments[Options.quiet] { context.say("Speaking at \(door.address) for Wyoming.") }
            if !door.address.isLocal {
                context.say(
                    "Everybody who reaches \(door.address) can have anything spoken: Wyoming knows no password.")
            }
        }
    }

    /// nil = another service has it, and there is something else to do.
    private func own(_ socket: String, isNeeded: Bool) throws(CommandFailure) -> Door? {
        makeFolder(of: socket)
        do throws(SocketListener.Failure) {
            return Door.wyoming(try SocketListener(.unix(socket)), service, words, lendsLanes: true)
        } catch {
            guard case .inUse = error else { throw CommandFailure(error, at: .unix(socket)) }
            if isNeeded {
                throw CommandFailure(
                    .unavailable, "A service of yours listens at \(socket) already.",
                    "To see what it does, type: synthhost serve --status")
            }
            context.say("Another service of yours listens at \(socket), and goes on.")
            return nil
        }
    }

    private func listener(at address: SocketAddress) throws(CommandFailure) -> SocketListener {
        do throws(SocketListener.Failure) {
            return try SocketListener(address)
        } catch {
            throw CommandFailure(error, at: address)
        }
    }
}

extension CommandFailure {
    fileprivate init(_ failure: SocketListener.Failure, at address: SocketAddress) {
        switch failure {
        case .inUse:
            if case .unix(let path) = address {
                self.init(
                    .unavailable, "\(path) is there already: another program listens at it, or it is no socket.",
                    "Name another path, or end that program.")
                return
            }
            self.init(
                .unavailable, "Another program listens at \(address).", "Name another port, or end that program.")
        case .unknownHost:
            self.init(.usage, "\(address) names no address of this machine.", "Try tcp://127.0.0.1:10200.")
        case .system(let error):
            self.init(.unavailable, "Nothing can listen at \(address): \(error).", "Name another address.")
        }
    }
}
