// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

/// What every target is compiled with: Swift 6 mode comes with the tools version.
var settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
// CI sets this; a user's newer compiler must not turn a new warning into a broken build.
if Context.environment["CROFT_WARNINGS_AS_ERRORS"] != nil {
  settings.append(.treatAllWarnings(as: .error))
}

/// For the modules that hold raw memory: every unsafe expression is marked, and spans carry lifetimes.
let memorySafe: [SwiftSetting] =
  settings + [
    .strictMemorySafety(),
    .treatWarning("StrictMemorySafety", as: .error),
    .enableExperimentalFeature("Lifetimes"),
  ]

/// For tests that look at borrowed bytes.
let testing: [SwiftSetting] = settings + [.enableExperimentalFeature("Lifetimes")]

let package = Package(
  name: "croft",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Croft", targets: ["Croft"]),
    .library(name: "CroftReactive", targets: ["CroftReactive"]),
    .library(name: "CroftSync", targets: ["CroftSync"]),
    .library(name: "LMDB", targets: ["LMDB"]),
    .library(name: "Reactive", targets: ["Reactive"]),
    .library(name: "ReactiveTesting", targets: ["ReactiveTesting"]),
    .library(name: "Presentation", targets: ["Presentation"]),
    .library(name: "CroftPresentation", targets: ["CroftPresentation"]),
    .library(name: "TodoKit", targets: ["TodoKit"]),
    .library(name: "TodoScreens", targets: ["TodoScreens"]),
    .library(name: "TodoImages", targets: ["TodoImages"]),
    .library(name: "TodoPrompt", targets: ["TodoPrompt"]),
    .library(name: "TerminalText", targets: ["TerminalText"]),
    .library(name: "LineEditing", targets: ["LineEditing"]),
    .executable(name: "todo", targets: ["todo"]),
  ],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1")
  ],
  targets: [
    // The C library: a module map and a header, no code.
    .systemLibrary(
      name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    // The same of zlib, which comes with Apple's SDK.
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // What differs between platforms: the name of the C library, and how Foundation is divided.
    .target(name: "CroftLibc", swiftSettings: settings),
    .target(name: "CroftFoundation", swiftSettings: settings),
    // Bytes in, bytes out: the safe wrapper over liblmdb.
    .target(name: "LMDB", dependencies: ["CLMDB", "CroftLibc"], swiftSettings: memorySafe),
    // The compiler plugin behind @Model and its companions.
    .macro(
      name: "CroftMacros",
      dependencies: [
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
      ], swiftSettings: settings),
    // The object store: models, keys, records, indexes, queries.
    .target(
      name: "Croft", dependencies: ["LMDB", "CroftMacros", "CroftFoundation", "CroftLibc"],
      swiftSettings: memorySafe),
    // Stores that are kept the same by way of a server: what is pushed, pulled and repaired.
    // Its transport to PostgreSQL is in the package Postgres.
    .target(
      name: "CroftSync", dependencies: ["Croft", "CroftFoundation"], swiftSettings: settings),
    // Observables, subjects, operators, disposables.
    .target(name: "Reactive", dependencies: ["CroftLibc"], swiftSettings: settings),
    // Virtual time and recorded events, for tests of what is built on Reactive.
    .target(name: "ReactiveTesting", dependencies: ["Reactive"], swiftSettings: settings),
    // A store's results as observables.
    .target(name: "CroftReactive", dependencies: ["Croft", "Reactive"], swiftSettings: settings),
    // Validation and view models, free of UI and storage.
    .target(
      name: "Presentation", dependencies: ["Reactive", "CroftFoundation"], swiftSettings: settings),
    // What a store refuses, at the fields of a form.
    .target(
      name: "CroftPresentation", dependencies: ["Croft", "Presentation"], swiftSettings: settings),
    // The to-do domain: models, rules, commands, repository, and its MVVM view models.
    .target(
      name: "TodoKit",
      dependencies: [
        "Croft", "CroftReactive", "Reactive", "Presentation", "CroftFoundation", "CZlib",
      ], swiftSettings: settings),
    // To-do screens in MVC, MVI and MVP, for interfaces that have windows.
    .target(
      name: "TodoScreens",
      dependencies: ["TodoKit", "Presentation", "Reactive", "CroftFoundation"],
      swiftSettings: settings),
    // Pictures from the web. Apart: a program that links Foundation's network starts 40 ms later.
    .target(
      name: "TodoImages", dependencies: ["TodoKit", "Presentation", "CroftFoundation"],
      swiftSettings: settings),
    // Texts on a terminal: how wide they are, and what it would act on.
    .target(name: "TerminalText", swiftSettings: settings),
    // Lines that are edited on a terminal: keys, completion, history, signals.
    .target(
      name: "LineEditing", dependencies: ["TerminalText", "CroftFoundation", "CroftLibc"],
      swiftSettings: settings),
    // Files of other to-do programs, as values that know no store.
    .target(name: "TodoFormats", dependencies: ["TerminalText"], swiftSettings: settings),
    // The to-do prompt. A library, because a test target does not wait for an executable's module.
    .target(
      name: "TodoPrompt",
      dependencies: [
        "TodoKit", "TodoFormats", "TerminalText", "LineEditing", "Presentation", "Reactive",
        "CroftFoundation", "CroftLibc",
      ], swiftSettings: settings),
    // The executable: it calls the prompt.
    .executableTarget(name: "todo", dependencies: ["TodoPrompt"], swiftSettings: settings),

    // What tests share: random numbers with a seed, temporary folders, the long forms.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
    // What tests of observables share: a recorder, and an account of what outlives a test.
    .target(
      name: "ReactiveTestSupport", dependencies: ["Reactive"], path: "Tests/ReactiveTestSupport",
      swiftSettings: settings),
    .testTarget(
      name: "LMDBTests", dependencies: ["LMDB", "TestSupport"], swiftSettings: testing),
    .testTarget(
      name: "CroftMacrosTests",
      dependencies: [
        "CroftMacros",
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
      ], swiftSettings: settings),
    .testTarget(
      name: "CroftTests", dependencies: ["Croft", "LMDB", "TestSupport"], exclude: ["Fixtures"],
      swiftSettings: testing),
    .testTarget(
      name: "CroftSyncTests", dependencies: ["CroftSync", "Croft", "LMDB", "TestSupport"],
      swiftSettings: settings),
    // Random programs against a plain twin, and the process that they run in.
    .target(
      name: "Swarm", dependencies: ["Croft", "CroftSync", "LMDB", "TestSupport"],
      path: "Tests/Swarm",
      swiftSettings: settings),
    .executableTarget(
      name: "SwarmRunner", dependencies: ["Swarm"], path: "Tests/SwarmRunner",
      swiftSettings: settings),
    .testTarget(
      name: "SwarmTests", dependencies: ["Swarm", "SwarmRunner", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ReactiveTests", dependencies: ["Reactive", "ReactiveTestSupport", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ReactiveTestingTests", dependencies: ["ReactiveTesting", "Reactive"],
      swiftSettings: settings),
    .testTarget(
      name: "CroftReactiveTests",
      dependencies: ["CroftReactive", "Croft", "Reactive", "ReactiveTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "CroftPresentationTests",
      dependencies: [
        "CroftPresentation", "CroftReactive", "Croft", "Presentation", "Reactive",
        "ReactiveTesting",
      ], swiftSettings: settings),
    .testTarget(
      name: "PresentationTests",
      dependencies: [
        "Presentation", "Reactive", "ReactiveTesting", "ReactiveTestSupport", "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "TodoKitTests",
      dependencies: [
        "TodoKit", "TodoTestSupport", "ReactiveTestSupport", "TestSupport", "Presentation",
        "Reactive", "CroftReactive", "Croft", "LMDB",
      ],
      exclude: ["Fixtures"], swiftSettings: settings),
    // What the tests of to-dos share: a plain twin of the repository, random commands, fixtures.
    .target(
      name: "TodoTestSupport",
      dependencies: [
        "TodoKit", "ReactiveTestSupport", "TestSupport", "Presentation", "Reactive", "Croft",
      ],
      path: "Tests/TodoTestSupport", swiftSettings: settings),
    .testTarget(
      name: "TodoScreensTests",
      dependencies: [
        "TodoScreens", "TodoKit", "TodoTestSupport", "ReactiveTestSupport", "TestSupport",
        "Presentation", "Reactive", "Croft", "LMDB",
      ], swiftSettings: settings),
    .testTarget(
      name: "TodoImagesTests", dependencies: ["TodoImages", "TodoKit", "TodoTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "TodoFormatsTests", dependencies: ["TodoFormats", "TerminalText", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "LineEditingTests", dependencies: ["LineEditing", "TerminalText", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "TodoPromptTests",
      dependencies: [
        "TodoPrompt", "todo", "TodoKit", "TodoFormats", "TerminalText", "LineEditing", "Croft",
        "Presentation", "Reactive", "TestSupport", "TodoTestSupport",
      ],
      exclude: ["Golden", "Fixtures"], swiftSettings: settings),
    // A simulation of power cuts; Tests/PowerCut/README.md tells what each part does.
    .target(name: "CPowerCut", path: "Tests/PowerCut/Recorder"),
    .target(
      name: "PowerCut", dependencies: ["TestSupport"], path: "Tests/PowerCut/Images",
      swiftSettings: settings),
    .executableTarget(
      name: "PowerCutWorkloads",
      dependencies: ["CPowerCut", "PowerCut", "Croft", "LMDB", "TestSupport"],
      path: "Tests/PowerCut/Workloads", swiftSettings: settings),
    .testTarget(
      name: "PowerCutTests", dependencies: ["PowerCutWorkloads", "PowerCut", "TestSupport"],
      swiftSettings: settings),
    // The rules of the source tree: imports, words, documentation, paths.
    .testTarget(name: "ArchitectureTests", swiftSettings: settings),
    // The examples of the README, the tutorial and the doc comments, compiled; the first two are run.
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "Croft", "CroftReactive", "CroftPresentation", "CroftSync", "Presentation", "Reactive",
        "ReactiveTesting", "TodoImages", "TodoScreens",
      ],
      exclude: ["Contexts", "Reads"], swiftSettings: settings),
    // An application as an example: models, an import, queries, live values, a form, a migration.
    .testTarget(
      name: "ReadsTests",
      dependencies: [
        "Croft", "CroftReactive", "CroftPresentation", "Presentation", "Reactive",
        "ReactiveTesting",
      ],
      path: "Tests/ExampleTests/Reads", swiftSettings: settings),
  ]
)

// The scripts build the compiler plugin once for a clone, for debugging, and name it here, so that no
// other build needs swift-syntax, which takes minutes. Everybody else builds the ordinary target.
if let plugin = Context.environment["CROFT_MACRO_PLUGIN"] {
  keep(where: { !$0.name.hasPrefix("CroftMacros") })
  for target in package.targets {
    target.dependencies.removeAll {
      if case .byNameItem("CroftMacros", _) = $0 { true } else { false }
    }
    target.swiftSettings?.append(
      .unsafeFlags(["-load-plugin-executable", "\(plugin)#CroftMacros"]))
  }
}

// A build of some targets and what they need only; their names are listed with blanks between them.
if let names = Context.environment["CROFT_ONLY"]?.split(separator: " ").map(String.init) {
  var needed = Set(names)
  for _ in package.targets {
    for target in package.targets where needed.contains(target.name) {
      for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
  }
  keep(where: { needed.contains($0.name) })
  package.products = []
}

/// Removes targets, and the packages that only they need.
@MainActor func keep(where isKept: (Target) -> Bool) {
  package.targets.removeAll { !isKept($0) }
  let needed = package.targets.flatMap(\.dependencies).compactMap { dependency in
    if case .productItem(_, let name?, _, _) = dependency { name } else { nil }
  }
  package.dependencies.removeAll { dependency in
    guard case .sourceControl(_, let location, _) = dependency.kind else { return false }
    return !needed.contains { location.hasSuffix("/\($0)") }
  }
}
