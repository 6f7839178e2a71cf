/// The end of a voice's model in which a moment of the sound depends on nearby moments only: of a VITS voice the flow and
/// the vocoder.
///
/// So it can be run for a part of the time. With `overlap` frames more on both sides, which are thrown away afterwards,
/// its samples are those of the whole.
struct LocalTail {
    let nodes: Set<Int>
    /// Tensors that the rest of the model computes and the tail reads.
    let seam: [String]
    /// Samples for each frame, which is one moment of the seam.
    let hop: Int
    /// How many frames before and after a frame its sound depends on.
    let overlap: Int

    /// Throws if the sound does not come from such a part, or if that part has no convolution.
    init(_ editor: GraphEditor, output: String) throws(RewriteRefusal) {
        guard editor.graph.outputs.contains(where: { $0.name == output }) else {
            throw RewriteRefusal("the model does not return “\(output)”")
        }
        var tail = try TailSearch(editor, output: output)
        try tail.trim()
        try self.init(tail, output)
    }

    /// The vocoder alone, of the tail of a model: it depends on fewer frames, so that parts of the sound cost less.
    ///
    /// Throws if there is nothing else in it, or if the other part depends on more frames than the whole tail says.
    init(vocoderOf editor: GraphEditor, _ cut: ModelCut) throws(RewriteRefusal) {
        var tail = try TailSearch(editor, output: cut.output)
        let reaches = try tail.reach().reaches
        try tail.keepVocoder()
        try self.init(tail, cut.output)
        let before = seam.map { Self.frames(reaches[$0] ?? 0, hop) }.max() ?? 0
        guard hop == cut.hop, before + overlap == cut.overlap else {
            throw RewriteRefusal("the parts before and after the vocoder's beginning do not add up")
        }
        // Another session would cost more than a few frames.
        guard before > overlap else { throw RewriteRefusal("hardly anything stands before the vocoder") }
    }

    private init(_ tail: TailSearch, _ output: String) throws(RewriteRefusal) {
        let (hop, reaches) = try tail.reach()
        guard hop > 1 else { throw RewriteRefusal("nothing at the model's end depends on nearby moments only") }
        nodes = Set(tail.operations.keys)
        seam = tail.seam
        self.hop = hop
        overlap = Self.frames(reaches[output] ?? 0, hop)
    }

    private static func frames(_ samples: Int, _ hop: Int) -> Int { (samples + hop - 1) / hop }
}
