import CroftPostgres
import CroftSync

extension SyncText {
  /// What an error of a synchronization, or of the connection, means to people; nil for other errors.
  init?(_ error: any Error) {
    switch error {
    case let error as SyncText: self = error
    case PostgresError.passwordInAddress: self = .passwordInAddress
    case let error as PostgresError: self.init("\(error)", error.korean)
    case let error as SyncError: self.init("\(error)", error.korean)
    default: return nil
    }
  }
}

extension PostgresError {
  fileprivate var korean: String {
    switch self {
    case .invalidAddress(let reason): "서버 주소를 쓸 수 없습니다: \(reason)."
    case .passwordInAddress: SyncText.passwordInAddress.korean
    case .unreachable(let reason): "서버에 연결할 수 없습니다: \(reason)."
    case .unauthorised(let reason): "서버가 로그인을 거부했습니다: \(reason)."
    case .forbidden(let reason): "서버가 허락하지 않습니다: \(reason)."
    case .notInstalled(let reason): "이 데이터베이스는 아직 준비되지 않았습니다: \(reason)."
    case .newerServer: "서버가 더 새로운 형식입니다. 이 프로그램을 업데이트하세요."
    case .olderServer: "서버가 이전 형식입니다. 소유자가 다시 준비해야 합니다."
    case .unanswered: "서버가 제때 응답하지 않았습니다."
    case .connectionLost(let reason): "서버 연결이 끊겼습니다: \(reason)."
    case .unconfirmed: "서버가 저장했지만 예비 서버가 확인하지 않았습니다."
    case .refused(let code, let reason): "서버가 거부했습니다(\(code)): \(reason)."
    case .invalidAnswer(let reason): "서버의 응답이 올바르지 않습니다: \(reason)."
    }
  }
}

extension SyncError {
  fileprivate var korean: String {
    switch self {
    case .unreachable(let reason): "서버에 연결할 수 없습니다: \(reason)"
    case .unauthorised(let reason): "서버가 사용자나 비밀번호를 거부했습니다: \(reason)"
    case .forbidden: "이 사용자는 목록을 공유할 권한이 없습니다. 소유자에게 요청하세요."
    case .noSuchSpace: "서버에 그런 공간이 없습니다."
    case .newerServer: "서버가 더 새로운 형식입니다. 이 프로그램을 업데이트하세요."
    case .olderServer: "서버가 이전 형식입니다. 소유자가 다시 준비해야 합니다."
    case .anotherSpace: "이 목록은 다른 공간과 동기화하고 있습니다. 먼저 \"todo sync leave\"로 끝내세요."
    case .storeBusy(let reason), .storeFailed(let reason): "목록을 동기화할 수 없습니다: \(reason)"
    case .anotherProgram: SyncText.elsewhere.korean
    default: "\(self)"
    }
  }
}
