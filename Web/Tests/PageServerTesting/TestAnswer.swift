/// What a server answered.
package struct TestAnswer {
  /// The status code.
  package let status: Int
  /// The headers, by their names in small letters; of one that comes twice the last.
  package let headers: [String: String]
  /// The body.
  package let text: String
}
