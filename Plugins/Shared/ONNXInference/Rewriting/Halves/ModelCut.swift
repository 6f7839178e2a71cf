/// Where a model was cut into two halves: the head, which reads the text, and the local tail, which makes the sound.
struct ModelCut: Equatable, Sendable {
    /// Tensors that the head returns and the tail reads.
    var seam: [String]
    /// The tail's output, the sound.
    var output: String
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
        let others = graph.outputs.map(\.name).filter { $0 != output }
        guard !output.contains(where: \.isWhitespace), Set(others).isDisjoint(with: tail.seam) else {
            throw RewriteRefusal("the model returns what its end reads")
        }
        var needed: Set<Int> = []
        var front = tail.seam + others
        while let name = front.popLast() {
            guard let number = editor.producers[name], needed.insert(number).inserted else { continue }
            front += graph.nodes[number].inputs + graph.nodes[number].captures
        }
        let cut = ModelCut(seam: tail.seam, output: output, hop: tail.hop, overlap: tail.overlap)
        return (
            cut,
            graph.part(needed.sorted().map { graph.nodes[$0] }, inputs: nil, outputs: others + tail.seam),
            graph.part(tail.nodes.sorted().map { graph.nodes[$0] }, inputs: tail.seam, outputs: [output])
        )
    }

    /// For the cache's record; one line.
    var text: String { "\(hop) \(overlap) \(output) \(seam.joined(separator: " "))" }
}

extension ModelCut {
    init?(text: some StringProtocol) {
        let words: [String] = text.split(separator: " ").map { String($0) }
        guard words.count > 3, let hop = Int(words[0]), let overlap = Int(words[1]), hop > 0, overlap >= 0 else {
            return nil
        }
        self.init(seam: Array(words[3...]), output: words[2], hop: hop, overlap: overlap)
    }
}
