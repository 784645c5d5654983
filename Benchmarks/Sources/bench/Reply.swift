import Foundation

/// What a child answers to a request.
enum Reply<Answer: Codable>: Codable {
  case answer(Answer)
  case failure(String)

  /// Does what was asked for and keeps what came of it.
  init(_ work: () throws -> Answer) {
    do {
      self = .answer(try work())
    } catch {
      self = .failure(String(describing: error))
    }
  }

  /// Writes it to standard output, as one line of JSON.
  func write() throws {
    let json = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    try Console.output.write(json + "\n")
  }
}
