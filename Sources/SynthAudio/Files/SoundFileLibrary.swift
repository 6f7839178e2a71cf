import CSynthSndFile
import Glibc

/// The libsndfile library, which is loaded on first use and never unloaded.
struct SoundFileLibrary: Sendable {
    let functions: synth_sndfile
    /// The formats that the installed library can write, and WAV, which does not need the library.
    let formats: [SoundFileFormat]

    private static let shared = Result { () throws(AudioError) in try SoundFileLibrary(name: SoundFileFormat.library) }

    /// Returns the installed library if it supports the format.
    ///
    /// - Throws: `formatMissing`, `encoderNotLoaded`.
    static func offering(_ format: SoundFileFormat) throws(AudioError) -> SoundFileLibrary {
        try shared.get().offering(format)
    }

    /// Returns the installed library, regardless of the supported formats.
    ///
    /// - Throws: `encoderNotLoaded`.
    static func ofMachine() throws(AudioError) -> SoundFileLibrary { try shared.get() }

    /// - Parameter name: the library name or path that is passed to `dlopen`.
    /// - Throws: `encoderNotLoaded`.
    init(name: String) throws(AudioError) {
        guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            throw .encoderNotLoaded(library: name, reason: dlerror().map { String(cString: $0) })
        }
        var functions = synth_sndfile()
        guard synth_sndfile_find(library, &functions) else { throw .encoderNotLoaded(library: name, reason: nil) }
        self.functions = functions
        let known =
            Self.known(functions, SFC_GET_FORMAT_MAJOR_COUNT, SFC_GET_FORMAT_MAJOR)
            .union(Self.known(functions, SFC_GET_FORMAT_SUBTYPE_COUNT, SFC_GET_FORMAT_SUBTYPE))
        formats = SoundFileFormat.allCases.filter { $0 == .wav || known.contains($0.part) }
    }

    /// - Throws: `formatMissing`.
    func offering(_ format: SoundFileFormat) throws(AudioError) -> SoundFileLibrary {
        guard formats.contains(format) else { throw .formatMissing(format, known: formats) }
        return self
    }

    /// Returns the formats or codecs that this build of the library supports. Does not use `sf_format_check`, which
    /// ignores build options.
    private static func known(_ functions: synth_sndfile, _ countOfList: Int, _ list: Int) -> Set<Int> {
        var count: Int32 = 0
        _ = functions.command(nil, Int32(countOfList), &count, Int32(MemoryLayout<Int32>.size))
        var found: Set<Int> = []
        for index in 0..<max(0, min(count, 1000)) {
            var format = SF_FORMAT_INFO()
            format.format = index
            let code = functions.command(nil, Int32(list), &format, Int32(MemoryLayout<SF_FORMAT_INFO>.size))
            if code == 0 { found.insert(Int(format.format)) }
        }
        return found
    }
}

extension SoundFileFormat {
    /// The name of the library that encodes all formats except WAV.
    package static let library = "libsndfile.so.1"

    /// libsndfile's constant for the container and codec.
    var number: Int32 {
        switch self {
        case .wav: Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_16)
        case .flac: Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_16)
        case .mp3: Int32(SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III)
        case .opus: Int32(SF_FORMAT_OGG | SF_FORMAT_OPUS)
        case .ogg: Int32(SF_FORMAT_OGG | SF_FORMAT_VORBIS)
        }
    }

    /// The container or codec that a build without this format lacks.
    fileprivate var part: Int {
        switch self {
        case .wav: SF_FORMAT_WAV
        case .flac: SF_FORMAT_FLAC
        case .mp3: SF_FORMAT_MPEG_LAYER_III
        case .opus: SF_FORMAT_OPUS
        case .ogg: SF_FORMAT_VORBIS
        }
    }
}
