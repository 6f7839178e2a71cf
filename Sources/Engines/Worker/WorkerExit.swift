/// How a worker process ended.
package struct WorkerExit: Equatable, Sendable {
    /// Its exit status, if it was not ended by a signal.
    package var code: Int32
    /// 0 = none.
    package var signal: Int32
}
