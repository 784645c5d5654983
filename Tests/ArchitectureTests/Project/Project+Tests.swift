extension Project {
  /// The tests below `Tests`, each as its suite and its function: `StoreTests.reopens`.
  ///
  /// A file with several suites gives each of them all of its functions.
  var testNames: Set<String> {
    Set(swiftFiles(in: "Tests").flatMap(Project.testNames(in:)))
  }

  /// The functions of a file under `@Test`, each behind each type that it declares or extends.
  private static func testNames(in file: SourceFile) -> [String] {
    var types: Set<String> = []
    var functions: Set<String> = []
    var isTest = false
    for (word, next) in zip(file.words, file.words.dropFirst()) {
      switch word.text {
      case "struct", "extension": types.insert(next.text)
      case "Test" where word.before == "@": isTest = true
      case "func" where isTest:
        functions.insert(next.text)
        isTest = false
      default: break
      }
    }
    return types.flatMap { type in functions.map { "\(type).\($0)" } }
  }
}
