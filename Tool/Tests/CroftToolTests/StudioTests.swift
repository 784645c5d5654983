#if os(Linux)
  import Foundation
  import Testing

  /// The word that starts another program.
  @Suite struct StudioTests {
    private let store: BookStore
    private let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "croft")

    init() throws { store = try BookStore() }

    private func run(
      _ program: URL, _ words: [String], path: String
    ) throws -> (code: Int32, output: String, message: String) {
      let process = Process()
      let (output, message) = (Pipe(), Pipe())
      process.executableURL = program
      process.arguments = words
      process.environment = ["PATH": path]
      process.standardInput = FileHandle.nullDevice
      (process.standardOutput, process.standardError) = (output, message)
      try process.run()
      let texts = try [output, message].map {
        String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      }
      process.waitUntilExit()
      return (process.terminationStatus, texts[0], texts[1])
    }

    /// A program that writes its arguments, and ends with 7.
    private func makeStub(in folder: URL) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let stub = folder.appending(path: "croft-studio")
      let text = "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 7\n"
      try make("printf %s \"$1\" >\"$2\"; chmod 755 \"$2\"", text, stub.path)
    }

    /// Makes a program by a process of its own.
    ///
    /// While this one has a file open for writing, what another test starts inherits that for a moment, and the file
    /// cannot be run meanwhile (`ETXTBSY`).
    private func make(_ script: String, _ words: String...) throws {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      let shell = URL(filePath: "/bin/sh")
      #expect(try run(shell, ["-c", script, "sh"] + words, path: path).code == 0)
    }

    @Test func theStudioIsFoundInThePath() throws {
      let folder = store.folder.appending(path: "programs")
      try makeStub(in: folder)
      let found = try run(
        program, ["studio", "--write", "a b.croft"], path: "/none:\(folder.path)")
      #expect(found.code == 7 && found.output == "<--write><a b.croft>" && found.message == "")
    }

    @Test func theStudioIsFoundBesideTheProgram() throws {
      let folder = store.folder.appending(path: "own")
      try makeStub(in: folder)
      let copy = folder.appending(path: "croft")
      try make("cp \"$1\" \"$2\"", program.path, copy.path)
      #expect(try run(copy, ["studio"], path: "/none").code == 7)
      // Another word is a file.
      #expect(try run(copy, ["studios"], path: "/none").code == 66)
    }

    /// The word was taken for the name of a file.
    @Test func withoutTheStudioItIsSaidHowToGetIt() throws {
      let none = try run(program, ["studio", store.file], path: "/none")
      #expect(none.code == 69 && none.output == "")
      #expect(
        none.message.contains("croft-studio") && none.message.contains("Scripts/croft studio"))
    }
  }
#endif
