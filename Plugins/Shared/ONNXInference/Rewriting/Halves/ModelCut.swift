/// Where a model was cut into two: the head, which reads the text, and the local tail, which makes the sound. The tail may be cut
/// once more, before its vocoder.
struct ModelCut: Equatable, Sendable {
    /// How often a model is cut.
    static let most = 2
    /// More than any voice has. They keep sizes far from overflow.
    private static let longestHop = 1 << 16
    private static let longestOverlap = 1 << 16
    private static let longestNames = 1 << 12

    /// Tensors that the head returns and the tail reads.
    var seam: [String]
    /// The tail's output, the sound.
    var output: String
    /// Its place among the outputs of the whole model.
    var place: Int
    /// Samples for each frame of the seam.
    var hop: Int
    /// Frames on both sides that a frame's sound depends on.
    var overlap: Int

    /// The graph in two. Throws if it cannot be cut.
    static func halves(
        of editor: GraphEditor, output: String
    ) throws(RewriteRefusal) -> (cut: ModelCut, head: ModelGraph, tail: ModelGraph) {
        let graph = editor.graph
        let tail = try LocalTail(editor, output: output)
        let outputs = graph.outputs.map(\.name)
        let others = outputs.filter { $0 != output }
        guard let place = outputs.firstIndex(of: output), others.count == outputs.count - 1,
            tail.hop <= longestHop, tail.overlap <= longestOverlap,
            tail.seam.joined().utf8.count + output.utf8.count <= longestNames
        else { throw RewriteRefusal("the model's end is larger than that of any voice") }
        guard output.isRecordable, Set(others).isDisjoint(with: tail.seam) else {
            throw RewriteRefusal("the model returns what its end reads")
        }
        var needed: Set<Int> = []
        var front = tail.seam + others
        while let name = front.popLast() {
            guard let number = editor.producers[name], needed.insert(number).inserted else { continue }
            front += graph.nodes[number].inputs + graph.nodes[number].captures
        }
        let cut = ModelCut(
            seam: tail.seam, output: output, place: place, hop: tail.hop, overlap: tail.overlap)
        return (
            cut,
            graph.part(needed.sorted().map { graph.nodes[$0] }, inputs: nil, outputs: others + tail.seam),
            graph.part(tail.nodes.sorted().map { graph.nodes[$0] }, inputs: floats(tail.seam), outputs: [output])
        )
    }

    /// The tail in two, of which the second is the vocoder. Throws if it cannot be cut.
    ///
    /// - Parameters:
    ///   - editor: The tail.
    ///   - cut: Where it was cut from the head.
    static func vocoder(
        of editor: GraphEditor, _ cut: ModelCut
    ) throws(RewriteRefusal) -> (cut: ModelCut, head: ModelGraph, tail: ModelGraph) {
        let graph = editor.graph
        let tail = try LocalTail(vocoderOf: editor, cut)
        guard tail.seam.allSatisfy(\.isRecordable), tail.seam.joined().utf8.count <= longestNames else {
            throw RewriteRefusal("the names in front of the vocoder cannot be written down")
        }
        let (before, after) = (graph.nodes.indices.filter { !tail.nodes.contains($0) }, tail.nodes.sorted())
        return (
            ModelCut(seam: tail.seam, output: cut.output, place: 0, hop: tail.hop, overlap: tail.overlap),
            graph.part(before.map { graph.nodes[$0] }, inputs: floats(cut.seam), outputs: tail.seam),
            graph.part(after.map { graph.nodes[$0] }, inputs: floats(tail.seam), outputs: [cut.output])
        )
    }

    private static func floats(_ names: [String]) -> [GraphValue] {
        names.map { GraphValue($0, ElementTypes.float32) }
    }

    /// For the cache's record; one line.
    var text: String { "\(place) \(hop) \(overlap) \(output) \(seam.joined(separator: " "))" }
}

extension ModelCut {
    init?(text: some StringProtocol) {
        let words: [String] = text.split(separator: " ").map { String($0) }
        guard words.count > 4, let place = Int(words[0]), let hop = Int(words[1]), let overlap = Int(words[2]),
            place >= 0, (1...Self.longestHop).contains(hop), (0...Self.longestOverlap).contains(overlap)
        else { return nil }
        self.init(seam: Array(words[4...]), output: words[3], place: place, hop: hop, overlap: overlap)
    }
}
