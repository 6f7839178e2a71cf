/// The endings of names of sound files that libsndfile reads.
package enum ClipEnding {
    private static let known: Set<String> = [
        "aif", "aifc", "aiff", "au", "avr", "caf", "flac", "htk", "iff", "mat", "mp3", "mpc", "oga", "ogg", "opus",
        "paf",
        "pvf", "rf64", "sds", "sf", "snd", "svx", "voc", "w64", "wav", "wave", "wve", "xi",
    ]

    /// The name of a file without its ending; nil if the ending is none of a sound file.
    package static func stem(of name: String) -> String? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            known.contains(name[name.index(after: dot)...].lowercased())
        else { return nil }
        return String(name[..<dot])
    }

    /// Whether a path has the ending of a sound file.
    package static func isOne(_ path: String) -> Bool {
        path.split(separator: "/").last.flatMap { stem(of: String($0)) } != nil
    }
}
