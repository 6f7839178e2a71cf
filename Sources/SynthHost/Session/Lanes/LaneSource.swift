/// Where the lanes of models come from. Any thread may use it.
package protocol LaneSource: Sendable {
    /// - Parameters:
    ///   - limit: how many lanes there can be at once.
    ///   - open: opens one on the engine itself.
    func lanes(of model: ModelKey, limit: Int, open: @escaping LanePool.Open) -> LanePool
}

/// Lanes of one session alone.
package struct OwnLanes: LaneSource {
    package init() {}

    package func lanes(of model: ModelKey, limit: Int, open: @escaping LanePool.Open) -> LanePool {
        LanePool(limit: limit, open: open)
    }
}
