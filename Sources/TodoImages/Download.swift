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

  /// What arrives of an answer, in this order.
  private enum Part: Sendable {
    case head(status: Int, length: Int64, contentType: String?)
    case bytes(Data)
  }

  private let parts = AsyncThrowingStream<Part, any Error>.makeStream()
  private let limitBytes: Int
  private let receivedBytes = Atomic(0)

  init(limitBytes: Int) {
    self.limitBytes = limitBytes
  }

  /// Fetches what a request asks for.
  ///
  /// - Throws: `TodoError.noImage` with the reason; `CancellationError`.
  static func run(_ request: URLRequest, limitBytes: Int) async throws -> Answer {
    let download = Download(limitBytes: limitBytes)
    let configuration = URLSessionConfiguration.ephemeral
    // A task that is cancelled while its cache is read ends twice in FoundationNetworking, which
    // stops the process ("not in the registry"). Without a cache it has nothing to wait for.
    configuration.urlCache = nil
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let session = URLSession(
      configuration: configuration, delegate: download, delegateQueue: queue)
    let task = session.dataTask(with: request)
    defer {
      // In the queue in which a task ends, so that it cannot end and be cancelled at the same time.
      queue.addOperation { task.cancel() }
      // The session retains its delegate until it is invalidated.
      session.finishTasksAndInvalidate()
    }
    task.resume()
    var answer = Answer()
    for try await part in download.parts.stream {
      switch part {
      case .head(let status, let length, let contentType):
        guard (200..<300).contains(status) else { throw TodoError.noImage(.status(status)) }
        if length > Int64(limitBytes) { throw TodoError.noImage(.tooLarge(limitBytes: limitBytes)) }
        answer.contentType = contentType
      case .bytes(let bytes): answer.bytes.append(bytes)
      }
    }
    // In a cancelled task the loop ends as if all had arrived.
    try Task.checkCancellation()
    return answer
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let http = response as? HTTPURLResponse
    parts.continuation.yield(
      .head(
        status: http?.statusCode ?? 0, length: response.expectedContentLength,
        contentType: http?.value(forHTTPHeaderField: "Content-Type")))
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    // Counted here: the stream buffers what arrives faster than it is read.
    let received = receivedBytes.add(data.count, ordering: .relaxed).newValue
    guard received <= limitBytes else {
      parts.continuation.finish(throwing: TodoError.noImage(.tooLarge(limitBytes: limitBytes)))
      return dataTask.cancel()
    }
    parts.continuation.yield(.bytes(data))
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
    parts.continuation.finish(throwing: error.map(Self.failure))
  }

  private static func failure(_ error: any Error) -> any Error {
    switch (error as? URLError)?.code {
    case .cancelled: CancellationError()
    case .timedOut: TodoError.noImage(.timedOut)
    default:
      TodoError.noImage(.unreachable(reason: (error as NSError).localizedDescription))
    }
  }
}
