import Glibc
import SynthGraphRewriting
import SynthGraphs
import SynthONNXRuntime

/// Replaces the graph of a new cache entry with a faster graph that produces the same result.
struct GraphRewriter {
    let kind: RewriteKind
    let precision: ModelPrecision
    let runtime: InferenceRuntime
    let comparison: SoundComparison
    /// The outcome of the conversion to floats; `nil` if the model contains only floats.
    let floats: FloatForm.Outcome?

    /// Whether the user has turned rewrites off.
    static var isOff: Bool { getenv(ModelForm.switchName).map { String(cString: $0) } == "1" }

    /// Identifies the cached variant of a recognizer's part. Without rewrites, it is only optimized.
    static func key(_ part: RecognizerPart) -> String? {
        guard isOff else { return part.key }
        return part == .decoder ? "unfolded" : nil
    }

    /// A variant that has been built.
    private struct Attempt {
        var description: String
        var parts: ModelParts
        var finding: SoundComparison.Finding
        var weights: [CheckedFile]
        /// The ranges of ONNX Runtime's weights file that the variant reads.
        var read: [Range<UInt64>]
    }

    private typealias Written = (
        description: String, parts: ModelParts,
        /// The number of additional weights files.
        added: Int,
        /// The ranges of ONNX Runtime's weights file that the graphs read.
        read: [Range<UInt64>]
    )

    /// Rewrites an entry's graph. Unless the outcome is `rewritten`, the entry still contains the original.
    ///
    /// - Throws: An error if a write to disk fails; a model that cannot be rewritten is not an error.
    func rewrite(_ entry: GraphCache.Entry) throws -> GraphCache.Rewritten {
        var failure: String?
        let read: String?
        var refusals: [String]
        (read, refusals) =
            switch floats {
            case .read(let what)?: (what, [])
            case .refused(let reason)?: (nil, ["the model's weights cannot be converted to floats: \(reason)"])
            case nil: (nil, [])
            }
        // Rewriting leaves a processor idle, so compute the original's audio in parallel.
        comparison.begin()
        defer { comparison.end() }
        var forms = precision == .fast ? self.forms(hasIntegers: true) : []
        forms += self.forms(hasIntegers: false)
        var limit = precision == .automatic && BlockedConvolution.multipliesIntegers ? Self.slowest : nil
        var slowness: String?
        while !forms.isEmpty {
            let form = forms.removeFirst()
            do {
                let attempt = try attempt(form, entry, computingBelow: limit)
                let finding = attempt.finding
                if !form.allows(finding.difference) {
                    failure = failure ?? "\(attempt.description) changes samples by up to \(finding.difference.largest)"
                } else if let slowest = limit, finding.computing >= slowest {
                    // If no other variant succeeds, this variant is built again.
                    forms = self.forms(hasIntegers: true) + [form] + forms
                    limit = nil
                    let seconds = (finding.computing * 10).rounded() / 10
                    slowness = "because computing a second of audio with floats takes \(seconds) s on this machine"
                } else {
                    let notes = [read, attempt.description, form.hasIntegers ? slowness : nil].compactMap(\.self)
                    return try keep(attempt, in: entry, notes)
                }
            } catch let error as InferenceError where error.reason == .refused {
                if !refusals.contains(error.description) { refusals.append(error.description) }
            } catch let error as InferenceError where error.reason == .file {
                restore(entry)
                throw error
            } catch {
                failure = failure ?? "the rewritten model cannot be tested: \(error)"
            }
            restore(entry)
        }
        if let failure {
            return GraphCache.Rewritten(
                outcome: RewriteOutcome(.failed, ([failure] + refusals).joined(separator: "; ")))
        }
        let reasons = refusals.isEmpty ? "no rewrite applies" : refusals.joined(separator: "; ")
        if let read {
            return GraphCache.Rewritten(
                outcome: RewriteOutcome(.rewritten, "\(read), but not otherwise rewritten, because \(reasons)"))
        }
        return GraphCache.Rewritten(outcome: RewriteOutcome(.unknown, reasons))
    }

    private func keep(
        _ attempt: Attempt, in entry: GraphCache.Entry, _ notes: [String]
    ) throws -> GraphCache.Rewritten {
        try replace(entry, attempt.parts)
        var weights = attempt.weights
        if try DiskFile.punchHoles(all: entry.weights(0), but: attempt.read) {
            weights[0] = try CheckedFile(entry.weights(0))
        }
        return GraphCache.Rewritten(
            outcome: RewriteOutcome(.rewritten, notes.joined(separator: ", ")), parts: attempt.parts, weights: weights)
    }

    /// If it takes at least `slowest` seconds to compute one second of audio with floats, integers are tried. The value
    /// is slightly below 1 so that playback does not stall when another program also needs the processor.
    private static let slowest = 0.9

    private func forms(hasIntegers: Bool) -> [RewriteForm] {
        RewriteForm.forms(kind, hasIntegers: hasIntegers, blockSize: { BlockSize.found(runtime) })
    }

    private func attempt(
        _ form: RewriteForm, _ entry: GraphCache.Entry, computingBelow limit: Double?
    ) throws -> Attempt {
        let (description, parts, added, read) = try write(form, entry)
        // Opening the variant leaves a processor idle, so hash the files in parallel.
        let weights = (0...added).map { number in
            WorkResult { Result { try CheckedFile(entry.weights(number)) } }
        }
        defer { for file in weights { _ = file.value } }
        let finding = try comparison.find(parts, in: entry, computingBelow: limit)
        return Attempt(
            description: description, parts: parts, finding: finding,
            weights: try weights.map { try $0.value.get() }, read: read)
    }

    /// Writes the rewritten graphs and their weights next to the originals.
    private func write(
        _ form: RewriteForm, _ entry: GraphCache.Entry
    ) throws -> Written {
        let graph = try MappedFile(entry.whole)
        guard let size = FileState(path: entry.weights(0))?.size, size > 0 else {
            return try write(form, ModelGraph(graph.bytes), UnsafeRawBufferPointer(start: nil, count: 0), entry)
        }
        let weights = try MappedFile(entry.weights(0))
        return try write(form, ModelGraph(graph.bytes), weights.bytes, entry)
    }

    private func write(
        _ form: RewriteForm, _ graph: ModelGraph, _ weights: UnsafeRawBufferPointer, _ entry: GraphCache.Entry
    ) throws -> Written {
        var added = AddedWeights(locations: (1...GraphCache.Entry.maximumAddedFiles).map(GraphCache.Entry.weightsName))
        var editor = GraphEditor(graph, weights: weights)
        var cuts: [ModelCut] = []
        var descriptions: [String] = []
        var graphs: [ModelGraph] = []
        if form.isCut {
            (cuts, graphs) = try ModelCut.parts(of: editor, output: comparison.output)
            editor = GraphEditor(graphs.removeLast(), weights: weights)
            if let middle = graphs.indices.dropFirst().last {
                var part = GraphEditor(graphs[middle], weights: weights)
                if let done = try? form.rewriteMiddle?(&part) { descriptions.append(done) }
                graphs[middle] = part.graph
            }
        }
        if let done = try form.rewrite?(&editor) { descriptions.append(done) }
        graphs.append(editor.graph)
        let stages = GraphStages(graphs[0])
        graphs.replaceSubrange(0..<1, with: stages.graphs)
        for (number, graph) in graphs.enumerated() {
            try DiskFile(writing: entry.rewritten(number)).write(try graph.bytes(&added))
        }
        try added.write { entry.weights(1 + $0) }
        let parts = ModelParts(split: stages.split, cuts: cuts)
        if let note = parts.note { descriptions.insert(note, at: 0) }
        return (descriptions.joined(separator: ", "), parts, added.fileCount, graphs.flatMap(\.externalRanges))
    }

    private func replace(_ entry: GraphCache.Entry, _ parts: ModelParts) throws {
        // The first graph's file already exists, so replace it last to keep it intact until then.
        for number in (0..<parts.graphCount).reversed() {
            guard rename(entry.rewritten(number), entry.graph(number)) == 0 else {
                throw InferenceError.file(code: errno)
            }
        }
    }

    private func restore(_ entry: GraphCache.Entry) {
        for number in 0..<ModelParts.maximumGraphs {
            unlink(entry.rewritten(number))
            if number > 0 { unlink(entry.graph(number)) }
        }
        for number in 1...GraphCache.Entry.maximumAddedFiles { unlink(entry.weights(number)) }
    }
}

/// The model with its quantized weights and half-precision numbers converted to floats. On processors without fast
/// units for the smaller formats, computing with floats takes a third of the time. All other rewrites require floats.
struct FloatForm {
    /// The path of the model file. Its weights are in a separate file.
    let path: String
    private let weights: String
    /// A phrase for the log.
    let description: String

    /// Writes the float model next to the entry's other files. Returns `nil` if the model already uses floats.
    ///
    /// - Parameter outputs: Intermediate tensors that the float model also returns.
    /// - Throws: An error if any of the numbers cannot be read or a write to disk fails.
    init?(of model: String, exposing outputs: [String], in entry: GraphCache.Entry) throws {
        let file = try MappedFile(model)
        var graph = try ModelGraph(file.bytes)
        guard HalfPrecision.isUsed(in: graph) || DequantizedWeights.areUsed(in: graph) else { return nil }
        var descriptions: [String] = []
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        if DequantizedWeights.areUsed(in: graph) {
            var editor = GraphEditor(graph, weights: none)
            descriptions.append("\(try DequantizedWeights.apply(to: &editor)) quantized nodes converted to floats")
            graph = editor.graph
        }
        if HalfPrecision.isUsed(in: graph) {
            try HalfPrecision.remove(from: &graph)
            RoundedInverses.restore(in: &graph)
            descriptions.append("half-precision values converted to floats")
        }
        description = descriptions.joined(separator: ", ")
        path = entry.floats
        weights = entry.folder + "/" + GraphCache.Entry.floatWeights
        var added = AddedWeights(locations: [GraphCache.Entry.floatWeights])
        let exposed = outputs.flatMap { ModelGraph.appendix(exposing: $0) }
        do {
            try DiskFile(writing: path).write(try graph.bytes(&added) + exposed)
            try added.write { [weights] _ in weights }
        } catch {
            remove()
            throw error
        }
    }

    enum Outcome: Sendable {
        /// The model was converted. The value is a phrase for the log.
        case read(String)
        /// The model was not converted. The value is the reason.
        case refused(String)
    }

    /// Removes the files. A session created from them no longer needs them.
    func remove() {
        unlink(path)
        unlink(weights)
    }
}
