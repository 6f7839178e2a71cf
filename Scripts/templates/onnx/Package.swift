// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "@TYPE@",
    products: [.library(name: "@TYPE@", type: .dynamic, targets: ["@TYPE@"])],
    dependencies: [.package(name: "synthhost", path: "@CHECKOUT@")],
    targets: [
        .target(
            name: "@TYPE@",
            dependencies: [
                .product(name: "EngineKit", package: "synthhost"), .product(name: "ONNXInference", package: "synthhost"),
            ], path: "Sources")
    ],
    swiftLanguageModes: [.v6]
)
