// Speaks symbols with a small voice, for Scripts/lib/hibari_parity.py:
// HibariProbe GRAPH exact|integer NOISE SAMPLES < SYMBOLS
//
// Reads one run of symbol ids, separated by spaces, and a noise file (float32, [frames][601][2]). Prints the durations and writes
// the samples as float32.
import CSynthHibari
import EngineKit
import Glibc
import SynthHibari

func fail(_ message: String) -> Never {
    print("HibariProbe: \(message)")
    exit(1)
}

func numbers(_ path: String) -> [Float] {
    guard let file = fopen(path, "rb") else { fail("\(path) cannot be read") }
    defer { fclose(file) }
    var all: [Float] = []
    var piece = [Float](repeating: 0, count: 1 << 16)
    while true {
        let count = fread(&piece, 4, piece.count, file)
        if count == 0 { return all }
        all += piece[..<count]
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let line = readLine() else { fail("it takes GRAPH exact|integer NOISE SAMPLES < SYMBOLS") }
let ids = line.split(separator: " ").compactMap { Int32($0) }
let noise = numbers(arguments[3])
let model: HibariWeights
do { model = try HibariWeights(path: arguments[1]) } catch { fail("\(error)") }
var problem = hb_error()
guard let run = hb_run_create(model.pointer, &problem) else { fail("there is not enough memory") }
var samples: [Float] = []
ids.withUnsafeBufferPointer { ids in
    noise.withUnsafeBufferPointer { noise in
        var request = hb_request()
        hb_request_init(&request)
        request.ids = ids.baseAddress
        request.count = ids.count
        request.precision = arguments[2] == "exact" ? HB_EXACT : HB_INTEGER
        if hb_run_begin(run, &request, &problem) != HB_OK { fail(HibariWeights.message(of: problem)) }
        // With too little noise, the core would read past its end.
        if noise.count >= hb_run_frames(run) * Int(HB_BINS) * 2 {
            request.noise = noise.baseAddress
            _ = hb_run_begin(run, &request, &problem)
        } else if !noise.isEmpty {
            fail("the noise is for fewer than \(hb_run_frames(run)) frames")
        }
        samples = [Float](repeating: 0, count: hb_run_frames(run) * Int(HB_HOP))
        samples.withUnsafeMutableBufferPointer { buffer in
            var position = 0
            while position < buffer.count, let start = buffer.baseAddress {
                let count = hb_run_next(run, start + position, min(16 * Int(HB_HOP), buffer.count - position), &problem)
                if count == 0 { fail(HibariWeights.message(of: problem)) }
                position += count
            }
        }
    }
}
let durations = UnsafeBufferPointer(start: hb_run_durations(run), count: ids.count)
print(durations.map(String.init).joined(separator: " "))
guard let out = fopen(arguments[4], "wb"), fwrite(samples, 4, samples.count, out) == samples.count else {
    fail("\(arguments[4]) cannot be written")
}
fclose(out)
