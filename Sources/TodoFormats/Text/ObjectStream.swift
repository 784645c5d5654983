/// The objects of a JSON file: in an array, or one after another.
///
/// Malformed JSON is reported, and reading continues at the next line that begins with an object.
struct ObjectStream {
  private var scanner: JSONScanner
  private var openArrays = 0
  private var isAtEnd = false

  init(_ bytes: ArraySlice<UInt8>) { scanner = JSONScanner(bytes) }

  /// The next object with the line at which it begins; nil at the end.
  ///
  /// - Throws: `TaskIssue` for anything but an object; `UndecodableLine` for bytes that are not UTF-8.
  mutating func next() throws -> (members: [JSONScanner.Member], line: Int)? {
    while !isAtEnd {
      guard let byte = scanner.peek() else { break }
      let line = scanner.line
      let start = scanner.position
      switch byte {
      case UInt8(ascii: ","): _ = scanner.skip(",")
      case UInt8(ascii: "["):
        _ = scanner.skip("[")
        openArrays += 1
      case UInt8(ascii: "]"):
        _ = scanner.skip("]")
        openArrays -= 1
      default:
        do {
          return (try scanner.members(), line)
        } catch let failure as JSONScanner.Failure {
          skipToNextObject(after: start)
          throw TaskIssue(.error, row: line, .notJSON(failure, begunInLine: line))
        }
      }
    }
    if isAtEnd { return nil }
    isAtEnd = true
    guard openArrays > 0 else { return nil }
    throw TaskIssue(
      .error, row: scanner.line, "The file ends inside its array: its end may be missing.",
      "목록 안에서 파일이 끝납니다. 끝이 없을 수 있습니다.")
  }

  private mutating func skipToNextObject(after start: Int) {
    // An object without its end is noticed where the next one begins.
    let isFurther = scanner.position > start && scanner.isAtLineStart
    if isFurther, scanner.peek() == UInt8(ascii: "{") { return }
    repeat {
      scanner.skipLine()
      guard let byte = scanner.peek() else { return }
      if byte == UInt8(ascii: "{") { return }
    } while true
  }
}
