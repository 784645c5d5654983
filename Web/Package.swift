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
  name: "croft-web",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "todo-web", targets: ["todo-web"]),
    .executable(name: "croft-studio", targets: ["croft-studio"]),
  ],
  dependencies: [
    .package(name: "croft", path: ".."),
    .package(name: "croft-tool", path: "../Tool"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // The server below any page: who is let in, and what is bounded. It knows nothing of what pages show.
    .target(
      name: "PageServer",
      dependencies: [
        .product(name: "Presentation", package: "croft"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Mustache", package: "swift-mustache"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ], swiftSettings: settings),
    // The pages of to-dos and their events, as a library that tests can start.
    .target(
      name: "TodoWeb",
      dependencies: [
        "PageServer",
        .product(name: "TodoKit", package: "croft"),
        .product(name: "TodoScreens", package: "croft"),
        .product(name: "TodoImages", package: "croft"),
        .product(name: "TodoPrompt", package: "croft"),
        .product(name: "Presentation", package: "croft"),
        .product(name: "Reactive", package: "croft"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Mustache", package: "swift-mustache"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      resources: [.embedInCode("Assets")], swiftSettings: settings),
    // The executable: arguments in, a server that runs until ^C.
    .executableTarget(
      name: "todo-web",
      dependencies: [
        "PageServer", "TodoWeb",
        .product(name: "Presentation", package: "croft"),
        .product(name: "TodoPrompt", package: "croft"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: settings),
    // The pages over the file of any store, as a library.
    .target(
      name: "CroftStudio",
      dependencies: [
        "PageServer",
        .product(name: "Croft", package: "croft"),
        // Exports are written as the shell writes results.
        .product(name: "CroftTool", package: "croft-tool"),
        .product(name: "TerminalText", package: "croft"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Mustache", package: "swift-mustache"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      resources: [.embedInCode("Assets")], swiftSettings: settings),
    // The executable: a file in, a server that runs until ^C.
    .executableTarget(
      name: "croft-studio",
      dependencies: [
        "CroftStudio", "PageServer",
        .product(name: "Croft", package: "croft"),
        .product(name: "Presentation", package: "croft"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: settings),
    // What tests of servers share: a program that is started, and connections to it.
    .target(name: "PageServerTesting", path: "Tests/PageServerTesting", swiftSettings: settings),
    .testTarget(
      name: "CroftStudioTests",
      dependencies: [
        "CroftStudio", "PageServerTesting",
        .product(name: "Croft", package: "croft"),
      ], swiftSettings: settings),
    .testTarget(
      name: "TodoWebTests",
      dependencies: [
        "PageServer", "PageServerTesting", "TodoWeb",
        .product(name: "Croft", package: "croft"),
        .product(name: "TodoKit", package: "croft"),
        .product(name: "Presentation", package: "croft"),
        .product(name: "Reactive", package: "croft"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        // The tests in a browser run the prompt beside the server, for what is built here anyway.
        .product(name: "todo", package: "croft"),
      ], swiftSettings: settings),
  ]
)
