import Synchronization

/// The readers of both accents, which all lanes of a voice share. Each is made when it is first needed.
package final class EnglishReaders: Sendable {
    private let made = Mutex<[EnglishAccent: EnglishReader]>([:])

    package init() {}

    /// The first call for an accent takes about 10 ms.
    package func reader(of accent: EnglishAccent) throws -> EnglishReader {
        try made.withLock { made in
            if let reader = made[accent] { return reader }
            let reader = try EnglishReader(accent)
            made[accent] = reader
            return reader
        }
    }
}
