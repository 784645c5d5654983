import Foundation
import Testing

/// The commands in `Scripts`, run in a made-up clone on a made-up machine: no test here builds or
/// installs anything.
@Suite("Scripts")
struct ScriptsTests {
  /// What each bundle of tests is run with.
  private static let bundle =
    "--testing-library swift-testing --experimental-maximum-parallelization-width 4"

  @Test func theFirstRunBuildsAndTheSecondCallsNobody() throws {
    let clone = try ScriptClone()
    let first = try clone.run("todo", "ls")
    #expect(first.status == 0)
    #expect(first.output == "todo ls\n")
    #expect(first.errors.contains("building todo; the first time takes about"))
    #expect(clone.calls.contains { $0.hasPrefix("swift build") && $0.contains("--product todo") })

    clone.forgetCalls()
    let second = try clone.run("todo", "add", "buy  milk")
    #expect(second.output == "todo add buy  milk\n")
    #expect(second.errors.isEmpty)
    #expect(clone.calls == [])
  }

  @Test func thePageIsBuiltOnceAndStandsBesideThePrompt() throws {
    let clone = try ScriptClone()
    let first = try clone.run("web", "--no-open", "--db", "my list.croft")
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output == "todo-web --no-open --db my list.croft\n")
    #expect(first.errors.contains("building todo-web; the first time takes about five minutes"))
    let builds = clone.calls.filter { $0.hasPrefix("swift build") && $0.contains("todo-web") }
    #expect(builds.count == 1)
    #expect(builds.allSatisfy { $0.contains("/Web/.build-release -c release") })
    // `todo web` starts it from there.
    try clone.link(".build-release/release/todo-web", as: "page")
    #expect(try clone.run(link: "page").output == "page\n")

    clone.forgetCalls()
    #expect(try clone.run("web", "--link").output == "todo-web --link\n")
    #expect(clone.calls == [])
    try clone.add("// changed", as: "Web/Sources/a.swift")
    #expect(try clone.run("web", "--link").output == "todo-web --link\n")
    #expect(clone.calls.contains { $0.contains("--product todo-web") })
  }

  @Test func anInstallationHasTheProgramItsPageAndItsCompletions() throws {
    let clone = try ScriptClone()
    let prefix = clone.callerFolder + "/a prefix"
    for _ in 0..<2 {
      let run = try clone.run("install", prefix)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.errors.contains("installed \(prefix)/bin/todo"))
      #expect(run.errors.contains("export PATH=\"\(prefix)/bin:$PATH\""))
    }
    #expect(clone.calls.contains { $0.contains("--static-swift-stdlib --product todo") })
    #expect(FileManager.default.isExecutableFile(atPath: prefix + "/bin/todo"))
    for (path, words) in [
      ("man/man1/todo.1", "--generate-manual-page"),
      ("bash-completion/completions/todo", "--generate-completion-script bash"),
      ("zsh/site-functions/_todo", "--generate-completion-script zsh"),
      ("fish/vendor_completions.d/todo.fish", "--generate-completion-script fish"),
    ] {
      let text = try String(contentsOfFile: "\(prefix)/share/\(path)", encoding: .utf8)
      #expect(text == "todo \(words)\n")
    }
  }

  @Test(arguments: ["changed", "added", "removed", "renamed"])
  func aSourceThatIs(_ what: String) throws {
    let clone = try ScriptClone()
    _ = try clone.run("todo")
    try clone.change(what)
    clone.forgetCalls()
    _ = try clone.run("todo")
    #expect(clone.calls.contains { $0.hasPrefix("swift build") })
    clone.forgetCalls()
    _ = try clone.run("todo")
    #expect(clone.calls == [])
  }

  /// Each script once built swift-syntax for itself, for release too: the first `Scripts/todo` took
  /// a quarter of an hour.
  @Test func theCompilerPluginIsBuiltOncePerCloneForAllScripts() throws {
    let clone = try ScriptClone()
    try clone.fakeProgram("echo $CROFT_MACRO_PLUGIN")
    let first = try clone.run("todo")
    #expect(first.errors.contains("building the compiler plugin of @Model; once for a clone"))
    let plugins = clone.calls.filter { $0.contains("--product CroftMacros") }
    #expect(plugins.count == 1)
    #expect(plugins.allSatisfy { $0.contains("-c debug") && $0.contains(".build-macros") })
    #expect(first.output.contains("/.build-macros/CroftMacros-"))

    clone.forgetCalls()
    for script in ["bench", "torture", "test"] { _ = try clone.run(script, "--filter", "x") }
    _ = try clone.run("test", "--benchmarks", "--filter", "x")
    #expect(!clone.calls.contains { $0.contains("--product CroftMacros") })
    #expect(clone.calls.count { $0.hasPrefix("swift build") } == 5)

    clone.forgetCalls()
    try clone.add("// other macros", as: "Sources/CroftMacros/a.swift")
    let other = try clone.run("todo")
    #expect(clone.calls.contains { $0.contains("--product CroftMacros") })
    #expect(other.output != first.output)
  }

  @Test func aPluginThatFailsToBuildEndsTheCommand() throws {
    let clone = try ScriptClone()
    try clone.fake("swift", "case $1 in build) exit 3 ;; *) echo Swift version 6.2.1 ;; esac")
    #expect(try clone.run("todo").status == 3)
    #expect(clone.calls.count { $0.hasPrefix("swift build") } == 1)
  }

  @Test func aFailedBuildIsTriedAgain() throws {
    let clone = try ScriptClone()
    try clone.fake("swift", "case $1 in build) exit 3 ;; *) echo Swift version 6.2.1 ;; esac")
    #expect(try clone.run("todo").status == 3)
    clone.forgetCalls()
    #expect(try clone.run("todo").status == 3)
    #expect(clone.calls.contains { $0.hasPrefix("swift build") })
  }

  @Test func thePromptGetsItsInputAndGivesItsExitCode() throws {
    let clone = try ScriptClone()
    try clone.fakeProgram("cat; exit 7")
    try clone.remove("pkg-config")
    let run = try clone.run("todo", input: "add milk\n")
    #expect(run.output == "add milk\n")
    #expect(run.status == 7)
  }

  @Test func thePromptRunsInTheFolderOfTheCaller() throws {
    let clone = try ScriptClone()
    try clone.fakeProgram("pwd -P")
    #expect(try clone.run("todo").output == clone.callerFolder + "\n")
  }

  @Test func aLinkToAScriptIsTheScript() throws {
    let clone = try ScriptClone()
    try clone.link("Scripts/todo", as: "my todo")
    #expect(try clone.run(link: "my todo").output == "todo\n")
  }

  @Test(arguments: [
    ("6.2", true), ("6.10", true), ("7.0", true), ("6.1.3", false), ("5.10", false), ("", false),
  ])
  func swiftMustBeNewEnough(version: String, isEnough: Bool) throws {
    let clone = try ScriptClone()
    try clone.fakeSwift(version: version)
    let run = try clone.run("todo")
    #expect(run.status == (isEnough ? 0 : 69))
    #expect(run.errors.contains("Swift 6.2 or newer is needed") == !isEnough)
    #expect(run.output == (isEnough ? "todo\n" : ""))
  }

  @Test func withoutSwiftItSaysHowToGetIt() throws {
    let clone = try ScriptClone()
    try clone.remove("swift")
    for script in ["todo", "test", "torture", "bench", "lint"] {
      let run = try clone.run(script)
      #expect(run.status == 69)
      #expect(run.errors.contains("swiftly"))
      #expect(run.output.isEmpty)
    }
    #expect(!clone.calls.contains { $0.hasPrefix("apt-get") })
  }

  @Test func whatIsMissingIsNamedAndThenInstalled() throws {
    let clone = try ScriptClone()
    try clone.fake("pkg-config", "[ \"$2\" != lmdb ]")
    let run = try clone.run("todo")
    #expect(run.errors.contains("installing with apt-get: liblmdb-dev\n"))
    #expect(clone.calls.contains { $0.hasPrefix("apt-get") && $0.hasSuffix("install liblmdb-dev") })
    #expect(!clone.calls.contains { $0.hasPrefix("sudo") })
    #expect(run.status == 0)
  }

  @Test func onlyBenchmarksNeedSQLite() throws {
    let clone = try ScriptClone()
    try clone.fake("pkg-config", "[ \"$2\" != sqlite3 ]")
    #expect(try clone.run("todo").errors.contains("installing") == false)
    #expect(try clone.run("test").errors.contains("installing") == false)
    for arguments in [["bench"], ["test", "--benchmarks"]] {
      let run = try clone.run(arguments[0], arguments.dropFirst().joined())
      #expect(run.errors.contains("installing with apt-get: libsqlite3-dev\n"))
    }
  }

  @Test func emptyPackageListsAreFetched() throws {
    let clone = try ScriptClone()
    try clone.remove("pkg-config")
    try clone.fake("apt-get", "case $* in *update) touch lists ;; *) [ -f lists ] ;; esac")
    #expect(try clone.run("todo").status == 0)
    #expect(clone.calls.contains { $0.hasPrefix("apt-get") && $0.hasSuffix("update") })
  }

  @Test func anOrdinaryUserInstallsThroughSudoWithoutAPassword() throws {
    let clone = try ScriptClone()
    try clone.fake("id", "echo 1000")
    try clone.fake("pkg-config", "exit 1")
    #expect(try clone.run("todo").status == 0)
    #expect(clone.calls.contains { $0.hasPrefix("sudo -n") && $0.contains("apt-get") })
  }

  @Test func wherePasswordsAreAskedItSaysWhatToRun() throws {
    let clone = try ScriptClone()
    try clone.fake("id", "echo 1000")
    try clone.fake("sudo", "exit 1")
    try clone.fake("pkg-config", "[ \"$2\" != lmdb ]")
    let run = try clone.run("todo")
    #expect(run.status == 69)
    #expect(run.errors.contains("  sudo apt-get install liblmdb-dev\n"))
    #expect(run.output.isEmpty)
    #expect(!clone.calls.contains { $0.hasPrefix("swift build") })
  }

  @Test func withoutSudoItSaysHowToBecomeRoot() throws {
    let clone = try ScriptClone()
    try clone.fake("id", "echo 1000")
    try clone.remove("sudo")
    try clone.fake("pkg-config", "[ \"$2\" != lmdb ]")
    let run = try clone.run("todo")
    #expect(run.status == 69)
    #expect(run.errors.contains("  su -c 'apt-get install liblmdb-dev'\n"))
  }

  @Test func whereInstallingFailsItSaysWhatToRun() throws {
    let clone = try ScriptClone()
    try clone.fake("apt-get", "exit 100")
    try clone.fake("pkg-config", "[ \"$2\" != lmdb ]")
    let run = try clone.run("todo")
    #expect(run.status == 69)
    #expect(run.errors.contains("  apt-get install liblmdb-dev\n"))
  }

  @Test func aMacInstallsWithBrew() throws {
    let clone = try ScriptClone()
    try clone.remove("apt-get")
    try clone.fake("pkg-config", "exit 1")
    try clone.fake("brew", "")
    #expect(try clone.run("todo").status == 0)
    #expect(clone.calls.contains("brew install lmdb"))
  }

  @Test func theTestsOfBenchmarksAreBuiltForReleaseBesideTheBenchmarks() throws {
    let clone = try ScriptClone()
    try clone.fakeProgram("echo $0 $*")
    let run = try clone.run("test", "--benchmarks", "--filter", "x")
    #expect(run.status == 0)
    #expect(run.output.split(separator: "\n").count == 1)
    #expect(run.output.contains("Benchmarks/.build-release/release/croft-benchmarksPackageTests"))
    #expect(run.output.hasSuffix(" \(Self.bundle) --filter x\n"))
    #expect(clone.calls.contains { $0.contains("-c release") && $0.contains("--build-tests") })
  }

  @Test func everyPackageIsTestedWhateverTheFirstOneSays() throws {
    let clone = try ScriptClone()
    try clone.fakeProgram(
      "case $0 in */.build-test/*) exit 1 ;; *) echo ran $CROFT_ONLY $* ;; esac")
    let run = try clone.run("test", "--filter", "x")
    #expect(run.status == 1)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("ran CroftMacrosTests --testing-library") == true)
  }

  @Test func aFilterMustFindATestInOneOfThePackages() throws {
    let clone = try ScriptClone()
    try clone.fakeProgram("case $0 in */.build-test/*) exit 69 ;; esac")
    #expect(try clone.run("test", "--filter", "x").status == 0)
    let other = try ScriptClone()
    try other.fakeProgram("exit 69")
    let run = try other.run("test", "--filter", "x")
    #expect(run.status == 1)
    #expect(run.errors.contains("no test matches: --filter x"))
  }

  @Test func whatFailedIsSaidOnceMoreAtTheVeryEnd() throws {
    let clone = try ScriptClone()
    try clone.fakeProgram(
      """
      case $0 in */.build-macros/*) echo "the macros' tests run" >&2; exit ;; esac
      esc=$(printf '\\033')
      cat >&2 <<LINES
      ◇ Test sum() started.
      ✘ Test sum() recorded an issue at Sum.swift:7:23: Expectation failed: 1 == 2
      $esc[90m↳$esc[0m seed 42
        and a second line
      ✘ Test sum() failed after 0.002 seconds with 1 issue.
      ◇ Test product() started.
      ✔ Test product() passed after 0.002 seconds.
      ✘ Test run with 2 tests in 1 suite failed after 0.011 seconds with 1 issue.
      LINES
      exit 1
      """)
    let run = try clone.run("test")
    #expect(run.status == 1)
    let end = try #require(run.errors.range(of: "the macros' tests run\n"))
    let lines = run.errors[end.upperBound...].split(separator: "\n")
    #expect(lines.first?.hasPrefix("The tests of croft failed with exit code 1; ") == true)
    #expect(
      lines.dropFirst() == [
        "✘ Test sum() recorded an issue at Sum.swift:7:23: Expectation failed: 1 == 2",
        "↳ seed 42",
        "  and a second line",
      ])
  }

  @Test func theTestThatACrashStoppedIsNamedAtTheEnd() throws {
    let clone = try ScriptClone()
    try clone.fakeProgram(
      """
      cat >&2 <<'LINES'
      ◇ Test run started.
      ◇ Test sum() started.
      ◇ Test product(of:) started.
      ◇ Test case passing 1 argument of → 1 to product(of:) started.
      ✔ Test product(of:) with 1 test case passed after 0.002 seconds.
      Croft/Sum.swift:3: Fatal error: too much
      LINES
      exit 132
      """)
    let run = try clone.run("test")
    #expect(run.status == 132)
    let end = ":\nCroft/Sum.swift:3: Fatal error: too much\nsum() did not end\n"
    #expect(run.errors.hasSuffix(end))
    #expect(run.errors.contains("The tests of croft failed with exit code 132; "))
  }

  @Test func aBuildThatFailsEndsWithItsErrors() throws {
    let clone = try ScriptClone()
    try clone.fake(
      "swift",
      """
      if [ "$1" = --version ]; then echo "Swift version 6.3.1 (swift-RELEASE)"; exit; fi
      echo "/a/Sum.swift:3:4: error: no such thing"
      echo "more of it"
      exit 1
      """)
    let run = try clone.run("test")
    #expect(run.status == 1)
    #expect(run.errors.hasSuffix(":\n/a/Sum.swift:3:4: error: no such thing\n"))
    #expect(run.errors.contains("The build of croft failed with exit code 1; "))
  }

  @Test func theSanitizerGetsReactiveAloneInAPackageOfItsOwn() throws {
    let clone = try ScriptClone()
    try clone.fakeProgram("echo $CROFT_ONLY $CROFT_MACRO_PLUGIN $*; exit 66")
    let run = try clone.run("test", "--sanitize=thread", "--filter", "x")
    #expect(run.status == 66)
    #expect(
      run.output == """
        ReactiveTests ReactiveTestingTests \(Self.bundle) --filter x

        """)
    let builds = clone.calls.filter { $0.hasPrefix("swift build") }
    #expect(builds.count == 1)
    #expect(builds.allSatisfy { $0.contains(".build-tsan") && $0.contains("-DTHREAD_SANITIZER") })
  }

  @Test func theSanitizerGetsTheStoresSuitesThatHaveThreadsInAnother() throws {
    let clone = try ScriptClone()
    for (path, code) in [
      ("CroftTests/Live/Matching/LiveHubTests", ""), ("CroftTests/Live/Matching/RowTreeTests", ""),
      ("CroftTests/Live/Changes/CommitLogTests", ""), ("CroftTests/Live/Diff/ResultDiffTests", ""),
      ("CroftTests/Live/API/DeliveryTests", ""),
      ("CroftReactiveTests/RxTests", ""), ("LMDBTests/WriterTests", "let other = OtherThread {}"),
      ("CroftTests/Store/StoreTests", "let a = 1"), ("TodoKitTests/TallyTests", "let b = Task {}"),
    ] {
      let name = path.split(separator: "/").last ?? ""
      try clone.add("@Suite struct \(name) { \(code) }\n", as: "Tests/\(path).swift")
    }
    try clone.fakeProgram("echo ${CROFT_ONLY%% *} $*")
    let run = try clone.run("test", "--sanitize=thread", "--store")
    #expect(run.status == 0)
    let words = run.output.split { " |\n".contains($0) }
    #expect(words.prefix(6).joined(separator: " ") == "LMDBTests \(Self.bundle) --filter")
    #expect(
      words.dropFirst(6).sorted() == [
        "CommitLogTests/", "DeliveryTests/", "LiveHubTests/", "RxTests/", "TallyTests/",
        "WriterTests/",
      ])
    #expect(clone.calls.contains { $0.contains(".build-tsan-store") && $0.contains("THREAD_SAN") })
    let some = try clone.run("test", "--sanitize=thread", "--store", "--filter", "x")
    #expect(some.output == "LMDBTests \(Self.bundle) --filter x\n")
  }

  @Test func theOtherSanitizerGetsTheTestsThatDamageBytes() throws {
    let clone = try ScriptClone()
    try clone.fakeProgram("echo ${CROFT_ONLY%% *} $*")
    let run = try clone.run("test", "--sanitize=address")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("LMDBTests \(Self.bundle) --filter Hostile"))
    #expect(clone.calls.contains { $0.contains(".build-asan") && $0.contains("sanitize=address") })
    #expect(!clone.calls.contains { $0.contains("THREAD_SAN") })
  }

  @Test func tortureRunsTheSuitesThatHaveALongForm() throws {
    let clone = try ScriptClone()
    for (name, call) in [
      ("Long", "Torture.steps"), ("Larger", "Torture.isAskedFor"), ("Short", "steps"),
    ] {
      try clone.add(
        "@Suite(.serialized)\nstruct \(name)Tests { let a = \(call)(short: 1) }\n",
        as: "Tests/\(name)Tests.swift")
    }
    try clone.fakeProgram("echo $CROFT_TORTURE $CROFT_SEED $*")
    let run = try clone.run("torture")
    #expect(run.status == 0)
    let filters = ["LongTests/|LargerTests/", "LargerTests/|LongTests/"]
    #expect(filters.contains { run.output == "1 \(Self.bundle) --filter \($0)\n" })
    #expect(clone.calls.contains { $0.contains("-c release") && $0.contains(".build-torture") })

    let replay = try clone.run("torture", "--seed", "42", "--filter", "x")
    #expect(replay.output == "1 42 \(Self.bundle) --filter x\n")

    try clone.fakeProgram("echo $CROFT_MINUTES $CROFT_TORTURE $CROFT_SEED")
    try clone.change("changed")
    let timed = try clone.run("torture", "--minutes", "60", "--seed", "42", "--filter", "x")
    #expect(timed.output == "60 0.25 42\n")
    #expect(try clone.run("torture", "--minutes", "600", "--filter", "x").output == "600 1\n")
  }

  /// A target of tests that was missing had no long form, and nobody noticed.
  @Test func tortureBuildsAllTargetsThatHaveALongForm() throws {
    let script = try String(
      contentsOf: Project.root.appending(path: "Scripts/torture"), encoding: .utf8)
    let line = try #require(
      script.split(separator: "\n").first { $0.hasPrefix("export CROFT_ONLY=") })
    let built = Set(line.split { !$0.isLetter }.map(String.init))
    let tests = Project.root.appending(path: "Tests")
    let files = try #require(FileManager.default.enumerator(atPath: tests.path))
    var targets: Set<String> = []
    for case let path as String in files where path.hasSuffix("Tests.swift") {
      guard let target = path.split(separator: "/").first.map(String.init) else { continue }
      let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
      if text.contains("Torture.steps(") || text.contains("Torture.isAskedFor") {
        targets.insert(target)
      }
    }
    targets.remove("ArchitectureTests")
    #expect(targets.count > 3 && targets.isSubset(of: built), "\(targets.subtracting(built))")
  }

  @Test func tortureEndsWithATableOfWhatWasCounted() throws {
    let clone = try ScriptClone()
    try clone.fakeProgram(
      """
      echo "counts: programs of the swarm 40, wrong 0"
      echo "a seed"
      echo "counts: kills survived 2000, lost 0, wrong 1" >&2
      exit 3
      """)
    let run = try clone.run("torture", "--filter", "x")
    #expect(run.status == 3)
    let rows = run.output.split(separator: "\n").suffix(4).map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(rows == ["programs of the swarm 40", "wrong 1", "kills survived 2000", "lost 0"])
  }
}
