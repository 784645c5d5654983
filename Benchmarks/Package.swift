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
  name: "croft-benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "bench", targets: ["bench"])
  ],
  dependencies: [
    .package(name: "croft", path: ".."),
    // Exact: a report names the version, and figures of two versions are not compared.
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // The C library: a module map and a header, no code.
    .systemLibrary(
      name: "CLibLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    // The ceiling: the same work in C on raw liblmdb.
    .target(name: "CPeerLMDB", dependencies: ["CLibLMDB"]),
    // The same for SQLite, on which GRDB is built.
    .systemLibrary(
      name: "CLibSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    // The same work in C on SQLite's own interface.
    .target(name: "CPeerSQLite", dependencies: ["CLibSQLite", "CPeerLMDB"]),
    // Data, workloads, rounds, statistics, reports. Knows no engine.
    .target(name: "Harness", swiftSettings: settings),
    // One file an engine: Croft and those it is measured against.
    .target(
      name: "Engines",
      dependencies: [
        "Harness", "CPeerLMDB", "CPeerSQLite",
        .product(name: "Croft", package: "croft"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: settings),
    // Counts allocations by standing in front of the C library's allocator.
    .target(name: "CAllocations"),
    // Chains of events: Reactive, what it is measured against, rows, rounds, reports.
    .target(
      name: "Streams",
      dependencies: [
        "Harness", "CAllocations",
        .product(name: "Reactive", package: "croft"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ], swiftSettings: settings),
    // The command: parses its arguments, runs engines in child processes, prints the report.
    .executableTarget(
      name: "bench",
      dependencies: [
        "Engines", "Streams", "Harness",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: settings),
    .testTarget(name: "HarnessTests", dependencies: ["Harness"], swiftSettings: settings),
    .testTarget(
      name: "StreamsTests", dependencies: ["Streams", "Harness"], swiftSettings: settings),
    .testTarget(
      name: "BenchTests",
      dependencies: ["Engines", "Harness", "bench", .product(name: "Croft", package: "croft")],
      swiftSettings: settings),
    // The application of Tests/ExampleTests/Reads in GRDB, for a comparison of the code.
    .testTarget(
      name: "ReadsGRDBTests", dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: settings),
  ]
)
