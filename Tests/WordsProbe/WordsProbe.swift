import Glibc
import SynthHost
import SynthScript

/// Measures the CPU time in seconds, on one thread, for splitting text into utterances and preparing them. Each round
/// uses a new preparation, for which one sentence first loads the tables and number words.
@main
struct WordsProbe {
    private static let first = "It costs $3.50 for 2 km."

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let rounds = Int(arguments[3]), rounds > 0 else {
            print("Usage: WordsProbe TABLES LANGUAGE ROUNDS < TEXT")
            exit(64)
        }
        var text = ""
        while let line = readLine(strippingNewline: false) { text += line }
        var cutting: [Double] = []
        var preparing: [Double] = []
        var said = 0
        for _ in 0..<rounds {
            let preparation = TextPreparation(lexicon: nil, verbalizers: Verbalizers(tables: arguments[1]))
            for utterance in try cut(first) { _ = preparation.prepare(utterance, in: arguments[2]) }
            let start = processorSeconds()
            let utterances = try cut(text)
            let middle = processorSeconds()
            said = 0
            for utterance in utterances {
                said += preparation.prepare(utterance, in: arguments[2])?.text.utf8.count ?? 0
            }
            preparing.append(processorSeconds() - middle)
            cutting.append(middle - start)
        }
        print("{\"bytes\": \(text.utf8.count), \"said\": \(said),")
        print(" \"cutting\": \(cutting),")
        print(" \"preparing\": \(preparing)}")
    }

    private static func cut(_ text: String) throws -> [Utterance] {
        var script = PlainTextScript()
        try script.append(text)
        try script.finish()
        var utterances: [Utterance] = []
        while let utterance = script.next() { utterances.append(utterance) }
        return utterances
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
