import Foundation
import NIOCore
public import Presentation

/// Why a server cannot start, for people.
public struct StartError: Error, Sendable {
  /// What prevents it.
  private enum Cause: Sendable {
    case portInUse(Int)
    case notPermitted(Int)
    case noSuchAddress(String)
    case noLink(folder: String, reason: String)
  }

  private let cause: Cause

  /// The reason of what the network has thrown about an address.
  init(_ error: any Error, host: String, port: Int) {
    cause =
      switch (error as? IOError)?.errnoCode {
      case EADDRINUSE: .portInUse(port)
      case EACCES, EPERM: .notPermitted(port)
      default: .noSuchAddress(host)
      }
  }

  /// The reason of what the system has thrown about the folder of links.
  init(_ error: any Error, folder: String) {
    let code = (error as? POSIXError)?.code.rawValue
    let reason = code.map { String(cString: strerror($0)) } ?? error.localizedDescription
    cause = .noLink(folder: folder, reason: reason)
  }

  /// The text, in one sentence.
  public func text(in language: Language) -> String {
    let (english, korean) = texts
    return language == .korean ? korean : english
  }

  private var texts: (english: String, korean: String) {
    switch cause {
    case .portInUse(let port):
      (
        "Another program uses the port \(port); choose another with --port.",
        "다른 프로그램이 \(port)번 포트를 쓰고 있습니다. --port로 다른 포트를 고르세요."
      )
    case .notPermitted(let port):
      (
        "This user may not use the port \(port); choose one above 1023 with --port.",
        "이 사용자는 \(port)번 포트를 쓸 수 없습니다. --port로 1023보다 큰 포트를 고르세요."
      )
    case .noSuchAddress(let host):
      (
        "This machine has no address \"\(host)\" to listen at.",
        "이 컴퓨터에는 \"\(host)\" 주소가 없습니다."
      )
    case .noLink(let folder, let reason):
      (
        "No link to the page can be made in \(folder) (\(reason)). Make room, or let this user write there.",
        "\(folder)에 페이지로 가는 링크를 만들 수 없습니다(\(reason)). 남은 공간과 쓰기 권한을 확인하세요."
      )
    }
  }
}
