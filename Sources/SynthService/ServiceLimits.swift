package import SynthHost

/// The limits of a service.
package struct ServiceLimits: Sendable {
    /// The maximum number of clients per server. Once this limit is reached, an idle client is disconnected to make
    /// room for each new client; if no client is idle, the new client gets an error and should retry later.
    package var clients = 128
    /// The maximum number of connections to a web server. Each browser opens several connections.
    package var webClients = 256
    /// The number of additional connections that are reserved for overload responses. The web server also uses them for
    /// requests that contain the token.
    package var reserve = 32
    /// How long a client may leave its output unread before it can be disconnected to make room for a new client.
    package var grace = Duration.seconds(5)
    /// The maximum number of event streams, counted separately for clients with and without the token.
    package var eventStreams = 64
    /// The sustained rate limit for each client host, in HTTP requests per second.
    package var webRequestsPerSecond = 500
    /// The maximum burst of HTTP requests from each client host.
    package var webRequestsAtOnce = 1000
    /// The maximum total size of HTTP request bodies in memory, in bytes.
    package var webBodyBytes = 64 << 20
    /// The maximum size of a document in an HTTP request, in bytes. An illustrated book takes up several megabytes.
    package var documentBytes = 32 << 20
    /// The maximum number of documents that are read concurrently.
    package var documents = 2
    /// The time limit for reading a document, excluding the time during which the reader waits for system resources.
    package var documentTime = Duration.seconds(20)
    /// The maximum total size of spooled HTTP responses, in bytes. Responses are spooled if they can be sent only once
    /// they are complete.
    package var spoolBytes = 4 << 30
    /// The folder for spooled responses. Short responses stay in memory.
    package var spoolFolder = "/var/tmp"
    /// The maximum total size of a client's pending text, in bytes of UTF-8.
    package var textBytes = 1 << 20
    /// The maximum memory for all clients' long texts, whether queued or in progress, in bytes.
    package var textMemory = 96 << 20
    /// The maximum size of a recording to transcribe, in bytes.
    package var recordingBytes = 256 << 20
    /// The maximum total size of recordings, including those being received, in bytes.
    package var recordingSpoolBytes = 4 << 30
    /// The maximum number of recordings that are being transcribed or are queued.
    package var recordings = 16
    /// The maximum duration of a recording.
    package var recordingTime = Duration.seconds(2 * 60 * 60)
    /// The maximum duration of a live transcription.
    package var liveTime = Duration.seconds(5 * 60)
    /// How long a live transcription waits for more audio.
    package var livePause = Duration.seconds(30)
    /// The maximum number of realtime WebSocket clients.
    package var realtimeSessions = 32
    /// The maximum memory for all clients' queued audio, in bytes.
    package var soundMemory = 96 << 20
    /// The maximum size of a transcript in bytes of UTF-8, which is more than anyone can say within the time limit for
    /// recordings.
    package var transcriptBytes = 4 << 20
    /// How long an unused model stays loaded.
    package var idle = Duration.seconds(600)
    /// The maximum number of loaded models. Models in use count toward this limit but are never evicted, so their
    /// number may exceed it.
    package var models = 8
    /// The total memory of the engine processes, in bytes, above which unused models are evicted.
    package var memory: UInt64 = 2 << 30
    /// The length of the cooldown during which fallback voices replace an engine that fails repeatedly.
    package var rest = Duration.seconds(60)
    /// How long to wait after a failure before preloading the voice again.
    package var preloadRetryDelay = Duration.seconds(30)
    /// How long a client may leave its output unread before it is disconnected.
    package var timeout = Duration.seconds(60)

    package init() {}
}

/// The messages for clients, supplied by the program that runs the service.
package struct ServiceMessages: Sendable {
    package let version: String
    package let sentence: @Sendable (SpeechError) -> String
    /// Returns the error code for programs.
    package let code: @Sendable (SpeechError) -> String
    /// Tells the operator that the service deviated from a client's request. Called on any thread.
    package let note: @Sendable (SpeechNotice) -> Void
    /// Returns the message and the error code for a failed transcription.
    package let transcription: @Sendable (SpeechError) -> (text: String, code: String)
    /// The message for a client that is rejected because the service is overloaded.
    package let busy: String
    package let malformed: String
    package let tooLong: String
    package let nothingToSay: String

    package init(
        version: String, malformed: String, tooLong: String, busy: String, nothingToSay: String = "nothing to say",
        sentence: @escaping @Sendable (SpeechError) -> String,
        code: @escaping @Sendable (SpeechError) -> String,
        transcription: @escaping @Sendable (SpeechError) -> (text: String, code: String) = { ("\($0)", "failure") },
        note: @escaping @Sendable (SpeechNotice) -> Void
    ) {
        self.transcription = transcription
        self.busy = busy
        self.note = note
        self.version = version
        self.sentence = sentence
        self.code = code
        self.malformed = malformed
        self.tooLong = tooLong
        self.nothingToSay = nothingToSay
    }
}
