/// One operation of a graph.
package struct GraphNode {
    package var operation: String
    /// Empty for the operators of ONNX itself.
    package var domain: String
    /// An empty name is an input that is left out.
    package var inputs: [String]
    package var outputs: [String]
    package var attributes: [GraphAttribute]
    /// Names of the surrounding graphs, and others, that graphs in its attributes read.
    private(set) var captures: [String] = []
    /// The other fields, as they stand in the file.
    private var rest: [Range<Int>] = []

    package init(
        _ operation: String, domain: String = "", inputs: [String], outputs: [String],
        attributes: [GraphAttribute] = []
    ) {
        self.operation = operation
        self.domain = domain
        self.inputs = inputs
        self.outputs = outputs
        self.attributes = attributes
    }

    /// - Parameter depth: 1 for a node of the model's own graph, one more for each node around it.
    init(_ message: ProtobufMessage, depth: Int = 1) throws(ProtobufError) {
        self.init("", inputs: [], outputs: [])
        var parts = (inputs, outputs, attributes, captures, rest)
        var (operation, domain) = ("", "")
        try message.forEach { (field) throws(ProtobufError) in
            switch (field.number, field.bytes) {
            case (ONNXField.Node.input, let range?): parts.0.append(message.text(range))
            case (ONNXField.Node.output, let range?): parts.1.append(message.text(range))
            case (ONNXField.Node.operation, let range?): operation = message.text(range)
            case (ONNXField.Node.domain, let range?): domain = message.text(range)
            case (ONNXField.Node.attribute, let range?):
                parts.2.append(try GraphAttribute(message.message(range), depth: depth, captures: &parts.3))
            default: parts.4.append(field.whole)
            }
        }
        (inputs, outputs, attributes, captures, rest) = parts
        self.operation = operation
        // The two names of the same domain.
        self.domain = domain == "ai.onnx" ? "" : domain
    }

    subscript(_ name: String) -> GraphAttribute.Value? {
        attributes.first { $0.name == name }?.value
    }

    /// - Parameter memory: The file that the node was read from.
    package func bytes(_ memory: UnsafeRawBufferPointer) -> [UInt8] {
        var writer = ProtobufWriter()
        for name in inputs { writer.append(ONNXField.Node.input, name) }
        for name in outputs { writer.append(ONNXField.Node.output, name) }
        if !operation.isEmpty { writer.append(ONNXField.Node.operation, operation) }
        for attribute in attributes { writer.append(ONNXField.Node.attribute, attribute.bytes) }
        if !domain.isEmpty { writer.append(ONNXField.Node.domain, domain) }
        for range in rest { writer.append(whole: memory[range]) }
        return writer.bytes
    }
}
