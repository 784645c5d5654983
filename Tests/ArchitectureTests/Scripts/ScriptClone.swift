import Foundation

/// A clone with the project's scripts and nothing else, on a machine of fakes.
///
/// Its programs are the ones the test fakes, which note each call, and a few of the
/// system's own. The folders have spaces in their names. All of it is deleted with
/// the object.
final class ScriptClone {
  struct Run {
    let status: Int32
    let output: String
    let errors: String
  }

  /// What the scripts may use without asking: every system has it.
  private static let tools = [
    "sh", "awk", "cat", "chmod", "cksum", "cp", "date", "dirname", "env", "find", "flock", "grep",
    "ln", "mkdir", "mv", "readlink", "sed", "sort", "stat", "tee", "timeout", "touch", "tr", "true",
    "uname",
  ]

  private let base: URL
  private var clone: URL { base.appending(path: "a clone") }
  private var programs: URL { base.appending(path: "programs") }
  private var callsFile: URL { base.appending(path: "calls") }

  /// Where the commands are called from.
  var callerFolder: String { base.appending(path: "a caller").path }

  init() throws {
    base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "croft scripts \(UUID().uuidString)")
    for folder in ["a caller", "tools", "programs"] { try makeFolder(folder) }
    for folder in [
      "Sources/CroftMacros", "Tests/CroftMacrosTests", "Benchmarks/Sources", "Benchmarks/Tests",
      "Web/Sources",
    ] {
      try makeFolder("a clone/\(folder)")
    }
    for file in [
      "Package.swift", "Sources/a.swift", "Sources/CroftMacros/a.swift", "Benchmarks/Package.swift",
      "Web/Package.swift", "Web/Sources/a.swift",
    ] {
      try Data("// \(file)\n".utf8).write(to: clone.appending(path: file))
    }
    let scripts = [Project.root, clone].map { $0.appending(path: "Scripts").path }
    try make("cp -R \"$1\" \"$2\"", scripts[0], scripts[1])
    try linkTools()
    try fakeSwift(version: "6.3.1")
    try fakeProgram("echo ${0##*/} \"$@\"")
    try fake("pkg-config", "")
    try fake("apt-get", "cat >/dev/null")
    try fake("id", "echo 0")
    try fake("sudo", "shift; exec \"$@\"")
    forgetCalls()
  }

  deinit {
    // Losing this error leaves a small folder in the temporary one, which the system empties.
    try? FileManager.default.removeItem(at: base)
  }

  /// What the fakes were called with, oldest first.
  var calls: [String] {
    let text = (try? String(contentsOf: callsFile, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  func forgetCalls() {
    // There is no file before the first call.
    try? FileManager.default.removeItem(at: callsFile)
  }
}

extension ScriptClone {
  /// Makes a program that notes its call and then does as the shell lines say.
  func fake(_ name: String, _ body: String) throws {
    try write("echo \(name) \"$*\" >>'\(callsFile.path)'\n\(body)", to: programs, as: name)
  }

  /// Makes a compiler whose builds produce what `fakeProgram` made last.
  func fakeSwift(version: String) throws {
    try fake(
      "swift",
      """
      if [ "$1" = --version ]; then echo "Swift version \(version) (swift-RELEASE)"; fi
      if [ "$1" != build ]; then exit; fi
      while [ $# -gt 0 ]; do
        case $1 in
          --scratch-path) scratch=$2 ;;
          -c) folder=$scratch/$2 ;;
          --product)
            product=$2
            if [ "$2" = CroftMacros ]; then product=CroftMacros-tool; fi ;;
          --build-tests)
            product=croftPackageTests.xctest
            case $scratch in */Benchmarks/*) product=croft-benchmarksPackageTests.xctest ;; esac ;;
        esac
        shift
      done
      # What reads its input here would eat the program's.
      cat >/dev/null
      echo building
      mkdir -p "$folder"
      cp '\(base.path)/program' "$folder/$product"
      """)
  }

  /// Makes what the next build produces.
  func fakeProgram(_ body: String) throws {
    try write(body, to: base, as: "program")
  }

  func remove(_ program: String) throws {
    try FileManager.default.removeItem(at: programs.appending(path: program))
  }

  /// Adds a file to the clone.
  func add(_ text: String, as path: String) throws {
    let file = clone.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Does to a source what the word says.
  func change(_ what: String) throws {
    let source = clone.appending(path: "Sources/a.swift")
    let other = clone.appending(path: "Sources/\(UUID().uuidString).swift")
    switch what {
    case "changed": try Data("// changed to \(other.lastPathComponent)".utf8).write(to: source)
    case "added": try Data().write(to: other)
    case "removed": try FileManager.default.removeItem(at: source)
    default: try FileManager.default.moveItem(at: source, to: other)
    }
  }

  func link(_ path: String, as name: String) throws {
    try FileManager.default.createSymbolicLink(
      at: base.appending(path: name), withDestinationURL: clone.appending(path: path))
  }

  func run(_ script: String, _ arguments: String..., input: String = "") throws -> Run {
    try run(clone.appending(path: "Scripts/\(script)"), arguments, input: input)
  }

  func run(link: String) throws -> Run {
    try run(base.appending(path: link), [], input: "")
  }

  private func run(_ program: URL, _ arguments: [String], input: String) throws -> Run {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: callerFolder)
    process.environment = ["PATH": "\(programs.path):\(base.path)/tools", "HOME": base.path]
    // Files, not pipes: a pipe that nobody empties would stop the script.
    let (inputFile, outputFile, errorFile) = (file("input"), file("output"), file("errors"))
    try Data(input.utf8).write(to: inputFile)
    for file in [outputFile, errorFile] { try Data().write(to: file) }
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
    process.waitUntilExit()
    return Run(
      status: process.terminationStatus,
      output: try String(contentsOf: outputFile, encoding: .utf8),
      errors: try String(contentsOf: errorFile, encoding: .utf8))
  }

  private func file(_ name: String) -> URL { base.appending(path: name) }

  private func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(
      at: base.appending(path: path), withIntermediateDirectories: true)
  }

  private func linkTools() throws {
    for tool in ScriptClone.tools {
      let places = ["/usr/bin/\(tool)", "/bin/\(tool)"]
      // macOS has no flock; the scripts do without.
      guard let place = places.first(where: FileManager.default.fileExists) else { continue }
      try FileManager.default.createSymbolicLink(
        atPath: base.appending(path: "tools/\(tool)").path, withDestinationPath: place)
    }
  }

  private func write(_ body: String, to folder: URL, as name: String) throws {
    let file = folder.appending(path: name).path
    try make("printf %s \"$1\" >\"$2\"; chmod 755 \"$2\"", "#!/bin/sh\n\(body)\n", file)
  }

  /// Makes programs by a process of its own.
  ///
  /// While this one has a file open for writing, what another test starts inherits that for a moment, and the file
  /// cannot be run meanwhile (`ETXTBSY`).
  private func make(_ script: String, _ words: String...) throws {
    let process = try Process.run(
      URL(filePath: "/bin/sh"), arguments: ["-ec", script, "sh"] + words)
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw CocoaError(.fileWriteUnknown) }
  }
}
