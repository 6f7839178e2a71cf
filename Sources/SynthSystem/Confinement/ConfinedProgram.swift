import Glibc

/// A third-party program that parses an untrusted file. `synthhost-read` confines itself, then runs the program with
/// limits on CPU time and memory. The program cannot access the network, start child processes, or use any file except
/// its standard input.
package enum ConfinedProgram: Equatable, Sendable {
    /// Prints the text of each page of a PDF, and its bookmarks (`pdftohtml -xml`).
    case pdfPages
    /// Prints a PDF's title and authors (`pdfinfo`).
    case pdfFacts
    /// Lists the images of a PDF with their pages and sizes (`pdfimages -list`).
    case pdfImages
    /// Lists the tracks of a recording or video, one per line (`ffprobe`).
    case mediaFacts
    /// Decodes one audio track (`ffmpeg`) to interleaved floats in native byte order.
    case mediaSound(stream: Int, rate: Int, channels: Int)

    /// The exit status of `synthhost-read` if the program is not installed.
    package static let missing: Int32 = 127

    /// The arguments of `synthhost-read` that select this program.
    package var words: [String] {
        switch self {
        case .pdfPages: ["pdf-pages"]
        case .pdfFacts: ["pdf-facts"]
        case .pdfImages: ["pdf-images"]
        case .mediaFacts: ["media-facts"]
        case .mediaSound(let stream, let rate, let channels):
            ["media-sound", String(stream), String(rate), String(channels)]
        }
    }

    /// Returns nil if the arguments do not select one of these programs.
    package init?(words: [String]) {
        let numbers = words.dropFirst().compactMap { Int($0) }
        switch words.first {
        case "pdf-pages": self = .pdfPages
        case "pdf-facts": self = .pdfFacts
        case "pdf-images": self = .pdfImages
        case "media-facts": self = .mediaFacts
        case "media-sound" where numbers.count == 3:
            self = .mediaSound(stream: numbers[0], rate: numbers[1], channels: numbers[2])
        default: return nil
        }
        // Reject non-canonical numbers and extra arguments.
        guard self.words == words else { return nil }
    }

    /// The program's name, which is looked up in `PATH`.
    package var name: String {
        switch self {
        case .pdfPages: "pdftohtml"
        case .pdfFacts: "pdfinfo"
        case .pdfImages: "pdfimages"
        case .mediaFacts: "ffprobe"
        case .mediaSound: "ffmpeg"
        }
    }

    /// The Debian package that contains the program.
    package var package: String {
        switch self {
        case .pdfPages, .pdfFacts, .pdfImages: "poppler-utils"
        case .mediaFacts, .mediaSound: "ffmpeg"
        }
    }

    /// Limits on CPU time (in seconds) and memory (in bytes). Decoding a day-long recording takes a few minutes.
    package var limits: (seconds: UInt64, bytes: UInt64) {
        switch self {
        case .pdfPages, .pdfFacts, .pdfImages: (300, 2 << 30)
        case .mediaFacts: (60, 1 << 30)
        case .mediaSound: (1800, 1 << 30)
        }
    }

    /// The paths that the program may open. ffmpeg opens its input by path, because it cannot seek in a pipe, and
    /// containers with an index at the end require seeking. `/proc/self/fd/0` gives access only to the file that is
    /// open as standard input.
    package var readable: [String] {
        switch self {
        case .pdfPages, .pdfFacts, .pdfImages: []
        case .mediaFacts, .mediaSound: [Self.input]
        }
    }

    private static let input = "/proc/self/fd/0"

    package var arguments: [String] {
        switch self {
        // `-hidden` includes the OCR text layer behind page images. `-nodrm` ignores copy restrictions, because reading
        // text aloud is permitted.
        case .pdfPages:
            [
                "-xml", "-i", "-stdout", "-zoom", "3", "-fontfullname", "-hidden", "-nodrm", "-enc", "UTF-8", "-",
                "document",
            ]
        case .pdfFacts: ["-enc", "UTF-8", "-"]
        case .pdfImages: ["-list", "-"]
        case .mediaFacts:
            ["-hide_banner", "-threads", "1"] + Self.mediaInput + [
                "-i", "file:\(Self.input)", "-show_entries",
                "format=format_name,duration:stream=index,codec_type,sample_rate,channels:stream_disposition=default",
                "-of", "compact",
            ]
        // Missing or damaged packets become silence, so that later audio keeps its timing.
        case .mediaSound(let stream, let rate, let channels):
            ["-hide_banner", "-nostdin", "-threads", "1"] + Self.mediaInput + [
                "-codec_whitelist", Self.mediaCodecs, "-i", "file:\(Self.input)",
                "-map", "0:\(stream)", "-vn", "-sn", "-dn", "-map_metadata", "-1", "-filter_threads", "1",
                "-af", "aresample=async=1:first_pts=0", "-ar", String(rate), "-ac", String(channels),
                "-c:a", "pcm_f32\(1.littleEndian == 1 ? "le" : "be")",
                "-f", "f32\(1.littleEndian == 1 ? "le" : "be")", "pipe:1",
            ]
        }
    }

    /// Single-file audio and video containers. Playlists, image lists, scripts and URLs are not followed.
    private static let mediaInput = [
        "-v", "error", "-protocol_whitelist", "file", "-format_whitelist", mediaFormats,
    ]

    private static let mediaFormats = """
        3dostr,aa,aac,ac3,acm,adx,aiff,amr,amrnb,amrwb,ape,apm,asf,asf_o,ast,au,avi,caf,codec2,dhav,dsf,dss,dts,dtshd,dv,eac3,flac,\
        flv,g729,gxf,hcom,iff,ilbc,iss,kux,live_flv,lmlm4,loas,lxf,matroska,mlp,mmf,mov,mp3,mpc,mpc8,mpeg,mpegts,mxf,nsv,nut,nuv,ogg,\
        oma,pva,qcp,rm,rpl,rso,sbc,sln,sox,tak,truehd,tta,voc,w64,wav,wsd,wtv,wv,xa,xwma
        """

    /// Audio codecs. Images are not decoded.
    private static let mediaCodecs = """
        aac,aac_latm,ac3,adpcm_adx,adpcm_ima_qt,adpcm_ima_wav,adpcm_ms,adpcm_swf,adpcm_yamaha,alac,als,amrnb,amrwb,ape,atrac1,atrac3,\
        atrac3al,atrac3plus,atrac3plusal,cook,dca,dolby_e,dsd_lsbf,dsd_lsbf_planar,dsd_msbf,dsd_msbf_planar,dss_sp,dvaudio,eac3,evrc,\
        flac,g722,g723_1,g726,g726le,g729,gsm,gsm_ms,iac,ilbc,imc,libcodec2,libgsm,libgsm_ms,libilbc,libopencore_amrnb,\
        libopencore_amrwb,libopus,libspeex,libvorbis,mace3,mace6,mlp,mp1,mp1float,mp2,mp2float,mp3,mp3adu,mp3adufloat,mp3float,mp3on4,\
        mp3on4float,mpc7,mpc8,nellymoser,opus,pcm_alaw,pcm_bluray,pcm_dvd,pcm_f32be,pcm_f32le,pcm_f64be,pcm_f64le,pcm_mulaw,pcm_s16be,\
        pcm_s16be_planar,pcm_s16le,pcm_s16le_planar,pcm_s24be,pcm_s24daud,pcm_s24le,pcm_s24le_planar,pcm_s32be,pcm_s32le,\
        pcm_s32le_planar,pcm_s64be,pcm_s64le,pcm_s8,pcm_s8_planar,pcm_u16be,pcm_u16le,pcm_u24be,pcm_u24le,pcm_u32be,pcm_u32le,pcm_u8,\
        qcelp,qdm2,qdmc,ra_144,ra_288,ralf,real_144,real_288,s302m,sbc,shorten,sipr,speex,tak,truehd,truespeech,tta,twinvq,vorbis,\
        wavpack,wmalossless,wmapro,wmav1,wmav2,wmavoice
        """
}
