public import CroftFoundation
import Presentation

/// Where the pictures of groups come from.
///
/// A picture that cannot be fetched is an error, and the caller keeps the picture before.
public protocol ImageSource: Sendable {
  /// A picture for a group.
  ///
  /// - Throws: ``TodoError/noImage(_:)`` with the reason; `CancellationError`.
  func image(for groupID: UUID) async throws -> GroupImage
}

/// Why a picture cannot be fetched.
public enum ImageFailure: Hashable, Sendable {
  /// The server could not be reached, or closed the connection; the network's reason.
  case unreachable(reason: String)
  /// The request exceeded its time limit.
  case timedOut
  /// The server answered with this status in place of a picture.
  case status(Int)
  /// The server's response to a search does not have the format of its interface.
  case malformed
  /// The bytes are not a picture, whatever their content type says.
  case notAnImage(contentType: String)
  /// The picture exceeds the size limit.
  case tooLarge(limitBytes: Int)
}

extension ImageFailure: CustomStringConvertible {
  /// The reason in a few English words.
  public var description: String { text(in: .english) }

  /// The reason in a few words; that of the network is in English, and only in an English text.
  func text(in language: Language) -> String {
    let isKorean = language == .korean
    return switch self {
    case .unreachable(let reason):
      isKorean ? "서버에 연결할 수 없습니다." : "the server cannot be reached: \(reason)"
    case .timedOut: isKorean ? "서버의 응답이 너무 늦습니다." : "the server took too long"
    case .status(let code):
      isKorean ? "서버가 상태 \(code)로 응답했습니다." : "the server answered with status \(code)"
    case .malformed: isKorean ? "서버의 응답을 읽을 수 없습니다." : "the server's answer cannot be read"
    case .notAnImage(let contentType):
      isKorean
        ? "서버가 보낸 것이 그림이 아닙니다(\(contentType))." : "the server sent \(contentType), not a picture"
    case .tooLarge(let limit):
      isKorean ? "그림이 \(limit)바이트보다 큽니다." : "the picture is larger than \(limit) bytes"
    }
  }
}

/// Pictures that are drawn from a group's id, without a network; an id always has the same picture.
///
/// A pattern of squares, mirrored at its middle, in one dark colour: an SVG file of less than
/// two thousand bytes.
public struct PlaceholderImages: ImageSource {
  /// Makes a source of drawn pictures.
  public init() {}

  /// The picture of a group; it never fails.
  public func image(for groupID: UUID) -> GroupImage {
    GroupImage(bytes: Data(Self.drawing(of: groupID).utf8), mimeType: ImageKind.svg.rawValue)
  }

  private static func drawing(of id: UUID) -> String {
    // The store's ids begin with the time, so their bits are mixed before they are looked at.
    var bits = withUnsafeBytes(of: id.uuid) { bytes in
      bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
    bits = (bits ^ (bits >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    bits ^= bits >> 33
    let color = RGBA(rawValue: UInt32(truncatingIfNeeded: bits >> 40) & 0x7F7F_7F << 8 | 0xFF)
    var squares = ""
    for row in 0..<5 {
      for column in 0..<3 where bits >> UInt64(row * 3 + column) & 1 == 1 {
        for x in Set([column, 4 - column]).sorted() {
          squares += #"<rect x="\#(x)" y="\#(row)" width="1" height="1"/>"#
        }
      }
    }
    return ##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 7 7" fill="\##(color)">"##
      + ##"<rect x="-1" y="-1" width="7" height="7" fill="#f0f0f0"/>\##(squares)</svg>"##
  }
}
