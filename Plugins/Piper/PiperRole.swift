/// The names of the files that a Piper voice needs, as the host knows them.
enum PiperRole {
    static let model = "model"
    static let config = "config"
}
