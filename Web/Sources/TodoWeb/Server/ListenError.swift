import Foundation
import NIOCore
public import Presentation

/// Why a server cannot listen at its address, for people.
public struct ListenError: Error, Sendable {
  /// What prevents it.
  enum Cause: Equatable, Sendable {
    case portInUse
    case notPermitted
    case noSuchAddress
  }

  let cause: Cause
  let host: String
  let port: Int

  /// The reason of what the network has thrown.
  init(_ error: any Error, host: String, port: Int) {
    (self.host, self.port) = (host, port)
    cause =
      switch (error as? IOError)?.errnoCode {
      case EADDRINUSE: .portInUse
      case EACCES, EPERM: .notPermitted
      default: .noSuchAddress
      }
  }

  /// The text, in one sentence.
  public func text(in language: Language) -> String {
    let text = PageText(language: language)
    return switch cause {
    case .portInUse:
      text.text(
        "Another program uses the port \(port); choose another with --port.",
        "다른 프로그램이 \(port)번 포트를 쓰고 있습니다. --port로 다른 포트를 고르세요.")
    case .notPermitted:
      text.text(
        "This user may not use the port \(port); choose one above 1023 with --port.",
        "이 사용자는 \(port)번 포트를 쓸 수 없습니다. --port로 1023보다 큰 포트를 고르세요.")
    case .noSuchAddress:
      text.text(
        "This machine has no address \"\(host)\" to listen at.",
        "이 컴퓨터에는 \"\(host)\" 주소가 없습니다.")
    }
  }
}
