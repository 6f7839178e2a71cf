/// Where the sound of a shared lane goes: a bounded amount of it, unless somebody else waits for the lane.
package protocol HurriedSound: Sendable {
    /// Blocks while it holds as much as it may; false once nothing more is wanted.
    func waitForRoom() -> Bool

    /// Whether all that comes is to be taken at once, so that the lane is soon free.
    func setHurried(_ isHurried: Bool)
}

extension SoundQueue: HurriedSound {}
