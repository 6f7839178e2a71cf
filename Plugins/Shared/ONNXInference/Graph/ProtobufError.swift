/// Bytes that are no protobuf message, and where that shows.
struct ProtobufError: Error, Equatable {
    var offset: Int
}
