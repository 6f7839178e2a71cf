package import CSynthEngine
import Glibc
package import SynthEngineWire

/// Memory for the structs and strings that are passed in one call to the engine. It is freed when this object is
/// released.
package final class CallArena {
    private var blocks: [UnsafeMutableRawPointer] = []

    package init() {}

    deinit { for block in blocks { free(block) } }

    func string(_ string: String) -> UnsafePointer<CChar>? {
        guard let copy = strdup(string) else { return nil }
        blocks.append(copy)
        return UnsafePointer(copy)
    }

    func string(_ string: String?) -> UnsafePointer<CChar>? { string.flatMap { self.string($0) } }

    /// Returns the values in contiguous memory; nil if the array is empty.
    func array<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeMutablePointer<Value>? {
        guard !values.isEmpty, let block = malloc(values.count * MemoryLayout<Value>.stride) else { return nil }
        blocks.append(block)
        let array = block.bindMemory(to: Value.self, capacity: values.count)
        array.initialize(from: values, count: values.count)
        return array
    }

    func files(_ files: [HandedFile]) -> UnsafePointer<UnsafePointer<synth_file>?>? {
        let pointers = files.map { file -> UnsafePointer<synth_file>? in
            var handed = synth_file()
            handed.struct_size = UInt32(MemoryLayout<synth_file>.size)
            handed.role = string(file.role)
            handed.path = string(file.path)
            return array([handed]).map { UnsafePointer($0) }
        }
        return array(pointers).map { UnsafePointer($0) }
    }

    package func load(_ request: LoadRequest) -> UnsafeMutablePointer<synth_load>? {
        var load = synth_load()
        load.struct_size = UInt32(MemoryLayout<synth_load>.size)
        load.threads = request.threads
        load.model = string(request.id)
        load.files = files(request.files)
        load.file_count = request.files.count
        // The engine may use the path until the process exits, so the string must outlive this call.
        load.cache_directory = request.cacheDirectory.flatMap { UnsafePointer(strdup($0)) }
        return array([load])
    }

    package func request(_ request: LaneRequest) -> UnsafeMutablePointer<synth_request>? {
        var handed = synth_request()
        handed.struct_size = UInt32(MemoryLayout<synth_request>.size)
        handed.serial = request.serial
        handed.kind =
            switch request.text {
            case .text: SYNTH_TEXT.rawValue
            case .phonemes: SYNTH_PHONEMES.rawValue
            case .textAndPhonemes: SYNTH_TEXT_AND_PHONEMES.rawValue
            }
        handed.text = string(request.text.content)
        handed.length = request.text.content.utf8.count
        handed.language = string(request.language)
        handed.rate = request.rate
        handed.pitch = request.pitch
        handed.variation = request.variation
        handed.wants = request.wants.rawValue
        handed.flags =
            (request.isAwaited ? SYNTH_AWAITED.rawValue : 0) | (request.isWhispered ? SYNTH_WHISPERED.rawValue : 0)
            | (request.wantsOnlyEvents ? SYNTH_EVENTS_ONLY.rawValue : 0)
        let voices = request.voices.map { voice -> UnsafePointer<synth_voice_use>? in
            var use = synth_voice_use()
            use.struct_size = UInt32(MemoryLayout<synth_voice_use>.size)
            use.weight = voice.weight
            use.id = string(voice.id)
            use.speaker = string(voice.speaker)
            use.files = files(voice.files)
            use.file_count = voice.files.count
            return array([use]).map { UnsafePointer($0) }
        }
        handed.voices = array(voices).map { UnsafePointer($0) }
        handed.voice_count = voices.count
        let points = request.pitchPoints.map { point -> UnsafePointer<synth_pitch_point>? in
            var handed = synth_pitch_point()
            handed.struct_size = UInt32(MemoryLayout<synth_pitch_point>.size)
            handed.factor = point.factor
            handed.text_offset = point.offset
            return array([handed]).map { UnsafePointer($0) }
        }
        handed.pitch_points = array(points).map { UnsafePointer($0) }
        handed.pitch_point_count = points.count
        handed.intonation = request.intonation
        return array([handed])
    }
}

extension CallArena {
    package func recognition(_ request: RecognitionJob) -> UnsafeMutablePointer<synth_recognition>? {
        var hints = synth_hints()
        hints.struct_size = UInt32(MemoryLayout<synth_hints>.size)
        hints.kind = UInt32(request.hints.kind.rawValue)
        hints.context = string(request.hints.context)
        hints.phrases = array(request.hints.phrases.map { string($0) }).map { UnsafePointer($0) }
        hints.phrase_count = request.hints.phrases.count
        var handed = synth_recognition()
        handed.struct_size = UInt32(MemoryLayout<synth_recognition>.size)
        handed.flags =
            (request.isLive ? SYNTH_LIVE.rawValue : 0) | (request.isTranslated ? SYNTH_TO_ENGLISH.rawValue : 0)
        handed.serial = request.serial
        handed.language = string(request.language)
        handed.hints = array([hints]).map { UnsafePointer($0) }
        handed.wants = request.wants.rawValue
        return array([handed])
    }
}

/// A buffer for an engine's error message.
package struct ErrorBuffer: ~Copyable {
    private let message: UnsafeMutableBufferPointer<CChar>
    private let error: UnsafeMutablePointer<synth_error>

    package init() {
        message = .allocate(capacity: 1024)
        message.initialize(repeating: 0)
        error = .allocate(capacity: 1)
        error.initialize(to: synth_error())
        error.pointee.struct_size = UInt32(MemoryLayout<synth_error>.size)
        error.pointee.capacity = UInt32(message.count)
        error.pointee.message = message.baseAddress
    }

    deinit {
        error.deallocate()
        message.deallocate()
    }

    package var pointer: UnsafeMutablePointer<synth_error> { error }

    /// Returns the error for a status; nil for OK, CANCELLED and unknown values.
    package func error(of status: synth_status) -> EngineError? {
        // The engine may have overwritten the terminating NUL.
        message[message.count - 1] = 0
        let words = message.baseAddress.map { String(cString: $0) } ?? ""
        guard let kind = EngineError.Kind(rawValue: UInt8(clamping: status.rawValue)), kind != .violatedContract else {
            return nil
        }
        return EngineError(kind, words, role: known(UnsafePointer(error.pointee.role)))
    }
}
