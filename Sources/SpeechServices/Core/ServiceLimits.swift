/// What a service takes on.
package struct ServiceLimits: Sendable {
    /// Clients of one door at once; another one is turned away.
    package var clients = 128
    /// Bytes of all texts that one client waits for, UTF-8.
    package var textBytes = 1 << 20
    /// How long a voice stays loaded that nobody speaks with.
    package var idle = Duration.seconds(600)
    /// Voices that stay loaded.
    package var voices = 8
    /// Bytes that the engines' processes may take before a voice is dropped that nobody speaks with.
    package var memory: UInt64 = 2 << 30
    /// How long a client may take nothing of what it asked for.
    package var patience = Duration.seconds(60)

    package init() {}
}
