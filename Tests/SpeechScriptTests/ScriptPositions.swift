import SynthScript
import Testing

/// The rules for positions in any script.
enum ScriptPositions {
    /// Checks that positions are inside the document, at character boundaries and in ascending order. A text that is as long as
    /// its source range must equal the document's text in that range, except that line breaks become spaces.
    static func check(_ parts: [ScriptPart], in document: [UInt8]) throws {
        var end = 0
        for part in parts {
            switch part {
            case .text(let text):
                #expect(!text.text.isEmpty)
                for run in PartNotation.runs(of: text) {
                    try check(run.source, after: &end, in: document)
                    guard run.text.utf8.count == run.source.count else { continue }
                    let isSame = zip(run.text.utf8, document[run.source]).allSatisfy { said, written in
                        said == written || said == 0x20 && [0x0A, 0x0D].contains(written)
                    }
                    #expect(isSame)
                }
            case .silence(_, let source), .mark(_, let source): try check(source, after: &end, in: document)
            case .clip(let clip): try check(clip.source, after: &end, in: document)
            case .end: break
            }
        }
    }

    private static func check(_ source: Range<Int>, after end: inout Int, in document: [UInt8]) throws {
        try #require(source.lowerBound >= end && source.upperBound <= document.count)
        end = source.upperBound
        for border in [source.lowerBound, source.upperBound] where border < document.count {
            #expect(!UTF8.isContinuation(document[border]))
        }
    }
}
