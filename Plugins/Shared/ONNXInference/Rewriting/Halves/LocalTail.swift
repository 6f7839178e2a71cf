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
        let (hop, reach) = try tail.reach()
        guard hop > 1 else { throw RewriteRefusal("nothing at the model's end depends on nearby moments only") }
        nodes = Set(tail.operations.keys)
        seam = tail.seam
        self.hop = hop
        overlap = (reach + hop - 1) / hop
    }
}
