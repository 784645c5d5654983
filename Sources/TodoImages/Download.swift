import Foundation
import Synchronization
import TodoKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A download from a web server that is cancelled when it exceeds a size limit.
final class Download: NSObject, URLSessionDataDelegate, Sendable {
  /// What a server sent.
  struct Answer: Sendable {
    var contentType: String?
    var bytes = Data()
  }

  private struct State {
    var answer = Answer()
    /// Why the download was cancelled by this object, if it was.
    var failure: ImageFailure?
    var waiting: CheckedContinuation<Answer, any Error>?
    /// How it ended, if that was before anybody waited.
    var result: Result<Answer, any Error>?
  }

  private let limitBytes: Int
  private let state = Mutex(State())

  init(limitBytes: Int) {
    self.limitBytes = limitBytes
  }

  /// Fetches what a request asks for; call it once.
  ///
  /// - Throws: `TodoError.noImage` with the reason; `CancellationError`.
  func run(_ request: URLRequest) async throws -> Answer {
    let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
    // The session retains its delegate until it is invalidated.
    defer { session.finishTasksAndInvalidate() }
    let task = session.dataTask(with: request)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        wait(with: continuation)
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
  }

  /// Waits for the end, which may have come: a task that was cancelled before ends its download at
  /// once.
  func wait(with continuation: CheckedContinuation<Answer, any Error>) {
    let result = state.withLock { state in
      if state.result == nil { state.waiting = continuation }
      return state.result
    }
    if let result { continuation.resume(with: result) }
  }

  private func callOff(_ task: URLSessionTask, _ failure: ImageFailure) {
    state.withLock { $0.failure = $0.failure ?? failure }
    task.cancel()
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let http = response as? HTTPURLResponse
    let status = http?.statusCode ?? 0
    if !(200..<300).contains(status) {
      callOff(dataTask, .status(status))
    } else if response.expectedContentLength > Int64(limitBytes) {
      callOff(dataTask, .tooLarge(limitBytes: limitBytes))
    }
    let contentType = http?.value(forHTTPHeaderField: "Content-Type")
    state.withLock { $0.answer.contentType = contentType }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = state.withLock { state in
      guard state.answer.bytes.count + data.count <= limitBytes else { return true }
      state.answer.bytes.append(data)
      return false
    }
    if isTooLarge { callOff(dataTask, .tooLarge(limitBytes: limitBytes)) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    // A server may send us on, but not from an encrypted connection to an open one.
    let old = task.originalRequest?.url?.scheme
    let new = request.url?.scheme
    completionHandler(new == "https" || new == "http" && old == "http" ? request : nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    finish(with: error)
  }

  /// Ends the download, for a caller that waits already or will wait.
  func finish(with error: (any Error)?) {
    let (waiting, result) = state.withLock { state in
      let result = state.result ?? Self.result(of: state, error)
      state.result = result
      defer { state.waiting = nil }
      return (state.waiting, result)
    }
    waiting?.resume(with: result)
  }

  private static func result(
    of state: State, _ error: (any Error)?
  ) -> Result<Answer, any Error> {
    if let failure = state.failure { return .failure(TodoError.noImage(failure)) }
    guard let error else { return .success(state.answer) }
    switch (error as? URLError)?.code {
    case .cancelled: return .failure(CancellationError())
    case .timedOut: return .failure(TodoError.noImage(.timedOut))
    default:
      let reason = (error as NSError).localizedDescription
      return .failure(TodoError.noImage(.unreachable(reason: reason)))
    }
  }
}
