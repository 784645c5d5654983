// swift-tools-version: 6.2
import PackageDescription

/// What every target is compiled with, as in the package above this one.
var settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
// CI sets this; a user's newer compiler must not turn a new warning into a broken build.
if Context.environment["CROFT_WARNINGS_AS_ERRORS"] != nil {
  settings.append(.treatAllWarnings(as: .error))
}
// The scripts build the compiler plugin once for a clone; the package above says more.
if let plugin = Context.environment["CROFT_MACRO_PLUGIN"] {
  settings.append(.unsafeFlags(["-load-plugin-executable", "\(plugin)#CroftMacros"]))
}

let package = Package(
  name: "croft-tool",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "croft", targets: ["croft"]),
    .library(name: "CroftTool", targets: ["CroftTool"]),
    .library(name: "CroftMetrics", targets: ["CroftMetrics"]),
  ],
  dependencies: [
    .package(name: "croft", path: ".."),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  ],
  targets: [
    // The shell for any store. A library, because a test target does not wait for an executable's module.
    .target(
      name: "CroftTool",
      dependencies: [
        .product(name: "Croft", package: "croft"),
        .product(name: "TerminalText", package: "croft"),
        .product(name: "LineEditing", package: "croft"),
      ], swiftSettings: settings),
    // The figures of a store for swift-metrics, and what is slow for swift-log.
    .target(
      name: "CroftMetrics",
      dependencies: [
        .product(name: "Croft", package: "croft"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: settings),
    // The executable: it calls the shell.
    .executableTarget(name: "croft", dependencies: ["CroftTool"], swiftSettings: settings),
    .testTarget(
      name: "CroftToolTests",
      dependencies: [
        "CroftTool", .product(name: "Croft", package: "croft"),
        .product(name: "LineEditing", package: "croft"),
        .product(name: "TodoKit", package: "croft"),
      ],
      exclude: ["Golden"], swiftSettings: settings),
    .testTarget(
      name: "CroftMetricsTests",
      dependencies: [
        "CroftMetrics", .product(name: "Croft", package: "croft"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: settings),
  ]
)
