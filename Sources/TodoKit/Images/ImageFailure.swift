/// Why a picture cannot be had.
public enum ImageFailure: Hashable, Sendable {
  /// The server could not be reached, or broke off; in the words of the network.
  case unreachable(reason: String)
  /// It took longer than it may.
  case timedOut
  /// The server answered with this status in place of a picture.
  case status(Int)
  /// The server's answer to a search is not what its interface promises.
  case malformed
  /// What came is no picture, whatever it is said to be.
  case notAnImage(contentType: String)
  /// The picture is larger than it may be.
  case tooLarge(limitBytes: Int)
}

extension ImageFailure: CustomStringConvertible {
  /// The reason in a few English words.
  public var description: String {
    switch self {
    case .unreachable(let reason): "the server cannot be reached: \(reason)"
    case .timedOut: "the server took too long"
    case .status(let code): "the server answered with status \(code)"
    case .malformed: "the server's answer cannot be read"
    case .notAnImage(let contentType): "what came is no picture but \(contentType)"
    case .tooLarge(let limit): "the picture is larger than \(limit) bytes"
    }
  }
}
