import Foundation
import SynthSystem
import Testing
import TestSupport

@testable import SynthAudio

@Suite("The encoding library", .ownThreads)
struct SoundFileLibraryTests {
    @Test("The installed library writes all formats")
    func here() throws {
        #expect(try SoundFileLibrary(name: "libsndfile.so.1").formats == SoundFileFormat.allCases)
    }

    @Test("A missing or invalid library causes an error")
    func missing() {
        let missing = #expect(throws: AudioError.self) { _ = try SoundFileLibrary(name: "libnowhere.so.1") }
        guard case .encoderNotLoaded("libnowhere.so.1", let reason?)? = missing else {
            Issue.record("\(String(describing: missing))")
            return
        }
        #expect(reason.contains("libnowhere.so.1"))
        #expect(missing?.code == .formatUnsupported)
        #expect(throws: AudioError.encoderNotLoaded(library: "libm.so.6", reason: nil)) {
            _ = try SoundFileLibrary(name: "libm.so.6")
        }
    }

    /// A library with libsndfile's functions that supports FLAC and Vorbis but not MPEG, and that cannot open any file.
    private static let old = """
        #include <sndfile.h>
        int sf_command(SNDFILE *file, int command, void *data, int size) {
            SF_FORMAT_INFO *info = data;
            switch (command) {
            case SFC_GET_FORMAT_MAJOR_COUNT: case SFC_GET_FORMAT_SUBTYPE_COUNT: *(int *)data = 1; return 0;
            case SFC_GET_FORMAT_MAJOR: info->format = SF_FORMAT_FLAC; return 0;
            case SFC_GET_FORMAT_SUBTYPE: info->format = SF_FORMAT_VORBIS; return 0;
            }
            return 1;
        }
        SNDFILE *sf_open_virtual(SF_VIRTUAL_IO *io, int mode, SF_INFO *info, void *context) { return 0; }
        int sf_close(SNDFILE *file) { return 0; }
        int sf_set_string(SNDFILE *file, int type, const char *text) { return 0; }
        sf_count_t sf_writef_float(SNDFILE *file, const float *samples, sf_count_t frames) { return frames; }
        sf_count_t sf_writef_short(SNDFILE *file, const short *samples, sf_count_t frames) { return frames; }
        SNDFILE *sf_open_fd(int file, int mode, SF_INFO *info, int close) { return 0; }
        sf_count_t sf_readf_float(SNDFILE *file, float *samples, sf_count_t frames) { return 0; }
        int sf_error(SNDFILE *file) { return 0; }
        const char *sf_strerror(SNDFILE *file) { return ""; }
        """

    @Test("A library reports the formats that it supports, and no file is left behind if opening fails")
    func lacking() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.old.utf8, to: "old.c")
        let built = try ChildProcess.run(
            "/usr/bin/env", ["gcc", "-shared", "-fPIC", "-o", folder.file("libold.so"), folder.file("old.c")])
        try #require(built.code == 0, "\(built.errors)")
        let library = try SoundFileLibrary(name: folder.file("libold.so"))
        #expect(library.formats == [.wav, .flac, .ogg])
        for format in [SoundFileFormat.mp3, .opus] {
            #expect(throws: AudioError.formatMissing(format, known: [.wav, .flac, .ogg])) {
                _ = try library.offering(format)
            }
        }
        let sink = SoundFileSink(
            OutputTarget(path: folder.file("a.flac")), .encoded(SoundFileOptions(.flac), try library.offering(.flac)))
        #expect(throws: AudioError.encodingFailed(.flac, reason: nil)) { try sink.begin(.silent) }
        try sink.finish()
        #expect(try folder.entries() == ["libold.so", "old.c"])
    }
}
