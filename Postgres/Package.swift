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
  name: "croft-postgres",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "CroftPostgres", targets: ["CroftPostgres"]),
    .executable(name: "todo-sync", targets: ["todo-sync"]),
  ],
  dependencies: [.package(name: "croft", path: "..")],
  targets: [
    // PostgreSQL's client library: a module map and a header, no code.
    .systemLibrary(
      name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    // The schema of a database that replicas share, and connections to it.
    .target(
      name: "CroftPostgres",
      dependencies: ["CPostgres", .product(name: "CroftSync", package: "croft")],
      resources: [
        .embedInCode("Schema/schema.sql"), .embedInCode("Schema/functions.sql"),
      ], swiftSettings: settings),
    // The program beside the prompt that shares its list, as a library that tests can call.
    .target(
      name: "TodoSync",
      dependencies: [
        "CroftPostgres",
        .product(name: "Croft", package: "croft"),
        .product(name: "CroftSync", package: "croft"),
        .product(name: "TodoKit", package: "croft"),
        .product(name: "TodoPrompt", package: "croft"),
        .product(name: "Presentation", package: "croft"),
      ], swiftSettings: settings),
    .executableTarget(name: "todo-sync", dependencies: ["TodoSync"], swiftSettings: settings),
    // What replication costs, beside plain calls of libpq.
    .executableTarget(
      name: "sync-bench",
      dependencies: [
        "CPostgres", "CroftPostgres",
        .product(name: "Croft", package: "croft"),
        .product(name: "CroftSync", package: "croft"),
      ], swiftSettings: settings),
    .testTarget(
      name: "CroftPostgresTests",
      dependencies: [
        "CroftPostgres", "TodoSync", "todo-sync",
        .product(name: "Croft", package: "croft"),
        .product(name: "CroftSync", package: "croft"),
        .product(name: "TodoKit", package: "croft"),
        .product(name: "todo", package: "croft"),
        .product(name: "Presentation", package: "croft"),
      ], swiftSettings: settings),
  ]
)
