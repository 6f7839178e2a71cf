import Glibc
import SynthSystem
import SynthTerminal

/// Publishes the reader as a media player (MPRIS 2) that media keys, headphones and the desktop's player widget can control.
final class MediaControls: Sendable {
    private struct Shared {
        var media = ReaderState.Media()
        var isClosed = false
    }
    private let shared = Monitor(Shared())
    private let wake: WakeUp

    /// Starts the thread that connects to the session bus. Returns nil if there is no session bus, or if the system
    /// does not allow another thread.
    ///
    /// - Parameter onCommand: called on that thread.
    init?(_ environment: [String: String], onCommand: @escaping @Sendable (ReaderState.MediaCommand) -> Void) {
        guard let address = SessionBus.address(environment), let wake = try? WakeUp() else { return nil }
        self.wake = wake
        guard startThread("media", { [self] in serve(address, onCommand) }) else { return nil }
    }

    /// Ends the thread without waiting for it. If the process exits first, the session bus removes the player.
    func close() {
        shared.update { $0.isClosed = true }
        wake.signal()
    }

    func update(_ media: ReaderState.Media) {
        let isNew = shared.update { shared in
            defer { shared.media = media }
            return shared.media != media
        }
        if isNew { wake.signal() }
    }

    // MARK: - Session bus

    private static let root = "org.mpris.MediaPlayer2"
    private static let player = root + ".Player"
    private static let properties = "org.freedesktop.DBus.Properties"

    private func serve(_ address: String, _ onCommand: @escaping @Sendable (ReaderState.MediaCommand) -> Void) {
        // The name must be unique, because several readers may run at the same time.
        let name = "\(Self.root).synthhost.instance\(getpid())"
        let bus = SessionBus(at: address, name: name, path: "/org/mpris/MediaPlayer2") { self.answer($0, onCommand) }
        guard let bus else { return }
        var shown = ReaderState.Media()
        bus.run(wake) { bus in
            let now = shared.read { $0 }
            if now.isClosed { return false }
            let (old, new) = (shown.playerProperties, now.media.playerProperties)
            let changed = new.filter { $0.key != "Position" && old[$0.key] != $0.value }
            if !changed.isEmpty {
                bus.emit(Self.properties, "PropertiesChanged", [.text(Self.player), .table(changed), .texts([])])
            }
            if shown.jumps != now.media.jumps { bus.emit(Self.player, "Seeked", [.integer(now.media.position)]) }
            shown = now.media
            return true
        }
    }

    private func answer(
        _ call: BusCall, _ onCommand: (ReaderState.MediaCommand) -> Void
    ) -> [BusValue]? {
        let media = shared.read { $0.media }
        switch (call.interface, call.member, call.arguments.first) {
        case (Self.root, "Raise", _): return []
        case (Self.root, "Quit", _): onCommand(.quit)
        case (Self.player, "Play", _): onCommand(.play)
        case (Self.player, "Pause", _), (Self.player, "Stop", _): onCommand(.pause)
        case (Self.player, "PlayPause", _): onCommand(.toggle)
        case (Self.player, "Next", _): onCommand(.next)
        case (Self.player, "Previous", _): onCommand(.previous)
        case (Self.player, "Seek", .integer(let offset)): onCommand(.skip(seconds: Double(offset) / 1e6))
        case (Self.player, "SetPosition", .path(ReaderState.Media.track)):
            // Positions outside the text are ignored, as the specification requires.
            guard case .integer(let position)? = call.arguments.last, (0...media.duration).contains(position)
            else { return [] }
            onCommand(.seek(progress: Double(position) / Double(max(1, media.duration))))
        case (Self.player, "SetPosition", _), (Self.player, "OpenUri", _): return []
        case ("org.freedesktop.DBus.Introspectable", "Introspect", _): return [.text(Self.description)]
        case (Self.properties, "GetAll", .text(Self.root)): return [.table(Self.rootProperties)]
        case (Self.properties, "GetAll", .text(Self.player)): return [.table(media.playerProperties)]
        case (Self.properties, "Get", .text(let interface)):
            guard case .text(let name)? = call.arguments.last else { return nil }
            let known = interface == Self.root ? Self.rootProperties : media.playerProperties
            return known[name].map { [.variant($0)] }
        case (Self.properties, "Set", .text(Self.player)):
            guard call.arguments.count == 3, call.arguments[1] == .text("Rate"),
                case .variant(.number(let tempo)) = call.arguments[2]
            else { return nil }
            onCommand(.tempo(tempo))
        default: return nil
        }
        return []
    }

    /// The interfaces, in the D-Bus introspection format.
    private static let description: String = {
        func interface(_ name: String, _ methods: [(name: String, types: [String])], _ values: [String: BusValue])
            -> String
        {
            let calls = methods.map { method in
                let arguments = method.types.map { "<arg type=\"\($0)\" direction=\"in\"/>" }
                return "<method name=\"\(method.name)\">\(arguments.joined())</method>"
            }
            let properties = values.sorted { $0.key < $1.key }.map { name, value in
                let access = name == "Rate" ? "readwrite" : "read"
                return "<property name=\"\(name)\" type=\"\(value.signature)\" access=\"\(access)\"/>"
            }
            return "<interface name=\"\(name)\">\((calls + properties).joined())</interface>"
        }
        let commands = ["Next", "Previous", "Pause", "PlayPause", "Stop", "Play"].map { ($0, [String]()) }
        let root = interface(MediaControls.root, [("Raise", []), ("Quit", [])], MediaControls.rootProperties)
        let player = interface(
            MediaControls.player, commands + [("Seek", ["x"]), ("SetPosition", ["o", "x"]), ("OpenUri", ["s"])],
            ReaderState.Media().playerProperties)
        return "<node>\(root)\(player)</node>"
    }()

    private static let rootProperties: [String: BusValue] = [
        "CanQuit": .flag(true), "CanRaise": .flag(false), "HasTrackList": .flag(false), "Identity": .text("synthhost"),
        "SupportedUriSchemes": .texts([]), "SupportedMimeTypes": .texts([]),
    ]
}

extension ReaderState {
    /// A request from media keys, headphones or the desktop.
    enum MediaCommand: Equatable, Sendable {
        case play, pause, toggle, next, previous, quit
        /// The offset, in seconds of audio at tempo 1.
        case skip(seconds: Double)
        /// A position in the text, from 0 to 1.
        case seek(progress: Double)
        case tempo(Double)
    }

    /// The values that a media player publishes. Times are in microseconds of audio at tempo 1, because MPRIS clients take
    /// the rate into account.
    struct Media: Equatable, Sendable {
        static let track = "/org/synthhost/document"
        var status = "Stopped"
        var title = ""
        var chapter = ""
        var voice = ""
        var sentence = ""
        var tempo = 1.0
        var position: Int64 = 0
        var duration: Int64 = 0
        var canPlay = false
        /// The number of seeks so far.
        var jumps = 0

        var playerProperties: [String: BusValue] {
            [
                "PlaybackStatus": .text(status), "Rate": .number(tempo), "Volume": .number(1),
                "MinimumRate": .number(ReadingPlayer.tempos.lowerBound),
                "MaximumRate": .number(ReadingPlayer.tempos.upperBound), "Position": .integer(position),
                "Metadata": .table([
                    "mpris:trackid": .path(Self.track), "mpris:length": .integer(duration), "xesam:title": .text(title),
                    "xesam:album": .text(chapter), "xesam:artist": .texts(voice.isEmpty ? [] : [voice]),
                    "xesam:asText": .text(sentence),
                ]),
                "CanGoNext": .flag(canPlay), "CanGoPrevious": .flag(canPlay), "CanPlay": .flag(canPlay),
                "CanPause": .flag(canPlay), "CanSeek": .flag(canPlay), "CanControl": .flag(true),
            ]
        }
    }

    /// The values for the desktop's player widget.
    var media: Media {
        var media = Media()
        (media.title, media.voice, media.tempo, media.jumps) = (text?.title ?? name, voice, tempo, jumps)
        switch phase {
        case .loading, .speaking, .buffering: media.status = "Playing"
        case .ready, .paused: media.status = "Paused"
        case .opening, .finished, .downloading, .failed, .voiceMissing: media.status = "Stopped"
        }
        guard let text else { return media }
        let perByte = 1e6 * (secondsPerByte ?? ReadingPlayer.usualSecondsPerByte)
        media.duration = text.isWhole ? Int64(perByte * Double(text.count)) : 0
        media.position = phase == .finished ? media.duration : Int64(perByte * Double(text.offset(of: place)))
        media.sentence = text.words(at: place)
        media.canPlay = true
        if !text.chapters.isEmpty { media.chapter = text.chapters[text.chapter(of: place.block)].title }
        return media
    }

    mutating func take(_ command: MediaCommand) -> [Effect] {
        note = ""
        if command == .quit { return [.remember, .quit] }
        // Only the `d` key starts a download; media commands do not.
        guard let text, phase != .voiceMissing else { return [] }
        switch command {
        case .play: return phase.isGoing ? [] : toggle()
        case .pause: return phase.isGoing ? toggle() : []
        case .toggle: return toggle()
        case .next: return move(.right)
        case .previous: return move(.left)
        case .skip(let seconds): return skip(seconds / tempo)
        case .seek(let progress):
            return go(to: text.sentence(at: Int(Double(text.count) * min(max(progress, 0), 1))), orSay: "")
        case .tempo(let tempo): return tempo > 0 && tempo.isFinite ? change(tempo: tempo) : []
        case .quit: return []
        }
    }
}
