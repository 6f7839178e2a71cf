package import SynthGraphs

/// A cut that divides a model into two parts: the head, which reads the text, and the tail (see `LocalTail`), which
/// produces the audio. The tail may be cut again, directly before its vocoder.
package struct ModelCut: Equatable, Sendable {
    /// The maximum number of cuts in a model.
    package static let most = 2
    /// Limits that no real voice reaches. They prevent integer overflow when sizes are computed.
    private static let longestHop = 1 << 16
    private static let longestOverlap = 1 << 16
    private static let longestNames = 1 << 12

    /// Tensors that the head returns and the tail reads.
    package var seam: [String]
    /// The tail's output, which is the audio.
    package var output: String
    /// The index of `output` among the outputs of the entire model.
    package var place: Int
    /// The number of samples per frame of the seam.
    package var hop: Int
    /// The number of frames on either side that affect a frame's audio.
    package var overlap: Int
    /// The stages of the part after the cut.
    package var stages: [PartStage]

    init(seam: [String], output: String, place: Int, hop: Int, overlap: Int, stages: [PartStage]? = nil) {
        (self.seam, self.output, self.place, self.hop, self.overlap) = (seam, output, place, hop, overlap)
        self.stages = stages ?? [PartStage(stride: hop, reach: overlap)]
    }

    /// Splits the graph into two or three parts. All parts except the first are divided into stages. Throws if the graph
    /// cannot be cut.
    package static func parts(
        of editor: GraphEditor, output: String
    ) throws -> (cuts: [ModelCut], graphs: [ModelGraph]) {
        let halves = try halves(of: editor, output: output)
        var cuts = [halves.cut]
        var graphs = [halves.head, halves.tail]
        if let parts = try? vocoder(of: GraphEditor(halves.tail, weights: editor.weights), halves.cut) {
            cuts.append(parts.cut)
            graphs.replaceSubrange(1..., with: [parts.head, parts.tail])
            cuts[0].stages = [PartStage(stride: 1, reach: cuts[0].overlap - cuts[1].overlap)]
        }
        for number in cuts.indices {
            cuts[number].stages = PartStage.divide(
                &graphs[number + 1], weights: editor.weights, whole: cuts[number].stages[0], hop: cuts[number].hop)
        }
        return (cuts, graphs)
    }

    /// Splits the graph into two parts. Throws if it cannot be cut.
    package static func halves(
        of editor: GraphEditor, output: String
    ) throws -> (cut: ModelCut, head: ModelGraph, tail: ModelGraph) {
        let graph = editor.graph
        let tail = try LocalTail(editor, output: output)
        let outputs = graph.outputs.map(\.name)
        let others = outputs.filter { $0 != output }
        guard let place = outputs.firstIndex(of: output), others.count == outputs.count - 1,
            tail.hop <= longestHop, tail.overlap <= longestOverlap,
            tail.seam.joined().utf8.count + output.utf8.count <= longestNames
        else { throw InferenceError.refused("the model's final part is larger than in any known voice") }
        guard output.isRecordable, Set(others).isDisjoint(with: tail.seam) else {
            throw InferenceError.refused("an output of the model is also an input of its final part")
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

    /// Splits the tail into two parts, the second of which is the vocoder. Throws if the tail cannot be cut.
    ///
    /// - Parameters:
    ///   - editor: The tail.
    ///   - cut: The cut between head and tail.
    package static func vocoder(
        of editor: GraphEditor, _ cut: ModelCut
    ) throws -> (cut: ModelCut, head: ModelGraph, tail: ModelGraph) {
        let graph = editor.graph
        let tail = try LocalTail(vocoderOf: editor, cut)
        guard tail.seam.allSatisfy(\.isRecordable), tail.seam.joined().utf8.count <= longestNames else {
            throw InferenceError.refused("the names of the vocoder's input tensors cannot be stored in the cache")
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

    /// The inputs of the part after the cut.
    package var inputs: Set<String> {
        var names = Set(seam)
        for (number, stage) in stages.enumerated().dropFirst() {
            names.insert(PartStage.placesInput(number))
            for tensor in 0..<stage.tensors { names.insert(PartStage.keptInput(number, tensor)) }
        }
        return names
    }

    /// Whether the strides of all stages match the cuts.
    package static func fit(_ cuts: [ModelCut]) -> Bool {
        cuts.enumerated().allSatisfy { number, cut in
            var stride = 1
            for stage in cut.stages where stride <= longestHop { stride *= stage.stride }
            return stride == (number + 1 == cuts.count ? cut.hop : 1)
        }
    }

    /// The cut as one line of the cache record.
    package var text: String {
        "\(place) \(hop) \(overlap) \(PartStage.text(stages)) \(output) \(seam.joined(separator: " "))"
    }
}

extension ModelCut {
    package init?(text: some StringProtocol) {
        let words: [String] = text.split(separator: " ").map { String($0) }
        guard words.count > 5, let place = Int(words[0]), let hop = Int(words[1]), let overlap = Int(words[2]),
            place >= 0, (1...Self.longestHop).contains(hop), (0...Self.longestOverlap).contains(overlap),
            let stages = PartStage.stages(words[3])
        else { return nil }
        self.init(
            seam: Array(words[5...]), output: words[4], place: place, hop: hop, overlap: overlap, stages: stages)
    }
}

/// The last section of a voice's model, in which each output sample depends only on nearby time steps. In a VITS voice,
/// this section consists of the flow and the vocoder.
///
/// The tail can therefore run on a range of time steps. It produces the same samples as a complete run if the range is
/// extended by `overlap` frames on both sides and their output is discarded.
struct LocalTail {
    let nodes: Set<Int>
    /// Tensors that the head computes and the tail reads.
    let seam: [String]
    /// The number of samples per frame. A frame is one time step of the seam.
    let hop: Int
    /// The number of frames on either side that affect a frame's audio.
    let overlap: Int

    /// Throws if the model does not end with a tail that computes the audio, or if the tail has no convolution.
    init(_ editor: GraphEditor, output: String) throws {
        guard editor.graph.outputs.contains(where: { $0.name == output }) else {
            throw InferenceError.refused("the model does not return \"\(output)\"")
        }
        var tail = try TailSearch(editor, output: output)
        try tail.trim()
        try self.init(tail, output)
    }

    /// Extracts the vocoder from a model's tail. The vocoder depends on fewer frames than the complete tail, so a range
    /// of audio takes less time to compute.
    ///
    /// Throws if the tail consists only of a vocoder, or if the tail without the vocoder depends on more frames than
    /// `cut` specifies.
    init(vocoderOf editor: GraphEditor, _ cut: ModelCut) throws {
        var tail = try TailSearch(editor, output: cut.output)
        let reaches = try tail.reach().reaches
        try tail.keepVocoder()
        try self.init(tail, cut.output)
        let before = seam.map { Self.frames(reaches[$0] ?? 0, hop) }.max() ?? 0
        guard hop == cut.hop, before + overlap == cut.overlap else {
            throw InferenceError.refused(
                "the receptive fields of the vocoder and of the part before it do not add up to the expected total")
        }
        // A separate session would take more time than it saves.
        guard before > overlap else { throw InferenceError.refused("there are too few nodes before the vocoder") }
    }

    private init(_ tail: TailSearch, _ output: String) throws {
        let (hop, reaches) = try tail.reach()
        guard hop > 1 else {
            throw InferenceError.refused("no section of the model's final part has a bounded receptive field")
        }
        nodes = Set(tail.operations.keys)
        seam = tail.seam
        self.hop = hop
        overlap = Self.frames(reaches[output] ?? 0, hop)
    }

    private static func frames(_ samples: Int, _ hop: Int) -> Int { (samples + hop - 1) / hop }
}
