/// Bytes that are no protobuf message, with the offset at which that was found.
struct ProtobufError: Error, Equatable {
    var offset: Int
}
