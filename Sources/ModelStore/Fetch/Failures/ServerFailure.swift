/// Why one address did not give the file.
package struct ServerFailure: Sendable, Hashable, Codable {
    package let url: String
    package let host: String
    package let problem: ServerProblem
    /// Whether another try later may succeed.
    package let mayPass: Bool

    package init(url: String, host: String, _ problem: ServerProblem, mayPass: Bool) {
        self.url = url
        self.host = host
        self.problem = problem
        self.mayPass = mayPass
    }
}
