import SpeechServices
import System

/// A door with what is told of it.
struct ServedDoor {
    let door: Door
    /// For whoever started it; nil = nothing.
    let announcement: String?
    /// What to know of an address that other machines reach; nil = nothing.
    let warning: String?
    /// The server, if it speaks HTTP.
    var web: WebServer?

    init(wyoming door: Door) {
        self.door = door
        announcement = "Speaking at \(door.address) for Wyoming."
        warning =
            door.address.isLocal
            ? nil : "Everybody who reaches \(door.address) can have anything spoken: Wyoming knows no password."
    }

    /// - Parameter link: of the page.
    init(web door: Door, _ server: WebServer, link: String) {
        self.door = door
        web = server
        announcement = "Speaking over HTTP. To choose voices and to listen, open \(link)"
        warning =
            door.address.isLocal
            ? nil
            : "Other machines can reach \(door.address). They need the token, which everybody on the way can read: "
                + "on a network that you do not trust, put a proxy with TLS before it."
    }
}
