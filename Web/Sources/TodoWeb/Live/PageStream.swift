import Foundation
import Hummingbird
import NIOCore
import Presentation
import Reactive
import ServiceLifecycle
import Synchronization
import TodoKit

/// The events of one open page: its state as a whole where the page shows another one, and then the
/// changes of each commit.
///
/// Events are those of the HTML standard (server-sent events); the id of each is the version of the
/// state that it leads to. A page that comes back names the last one, and gets the new state in one
/// event; of the states that a slow reader has not taken, the last one is kept.
struct PageStream: Sendable {
  /// How many rows one event may change; where there are more, the whole is sent again.
  static let changesMax = 100
  /// How long a page may hear nothing, in seconds: a connection that is lost is noticed by then.
  static let beatSeconds = 10
  /// How long a reader may take nothing, in seconds, before its connection is closed.
  static let patienceSeconds: Int64 = 20

  let states: Observable<ShownPage>
  let render: @Sendable (ShownPage) -> RenderedPage
  /// The version that the page shows; nil for one that shows nothing yet.
  let version: String?

  /// The body of the answer.
  func body(on channel: any Channel) -> ResponseBody {
    ResponseBody { writer in
      try await write(to: &writer, channel)
      try await writer.finish(nil)
    }
  }

  private func write(
    to writer: inout any ResponseBodyWriter, _ channel: any Channel
  ) async throws {
    let latest = LatestState()
    // What wakes the writer; several that it has not seen are one.
    let (wakings, waker) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let subscription = states.subscribe(
      onNext: {
        latest.put($0)
        waker.yield()
      },
      onError: { _ in waker.finish() })
    let beats = Task {
      while true {
        try await Task.sleep(for: .seconds(Self.beatSeconds))
        waker.yield()
      }
    }
    // A server that is told to end waits for its answers; this one would have no end.
    let ending = Task {
      try await gracefulShutdown()
      waker.finish()
    }
    defer {
      subscription.dispose()
      beats.cancel()
      ending.cancel()
    }
    var last: RenderedPage?
    for await _ in wakings {
      var text = ": beat\n\n"
      if let shown = latest.take() {
        let next = render(shown)
        guard let event = event(from: last, to: next) else { continue }
        last = next
        text = event
      }
      let limit = channel.eventLoop.scheduleTask(in: .seconds(Self.patienceSeconds)) {
        channel.close(promise: nil)
      }
      try await writer.write(ByteBuffer(string: text))
      limit.cancel()
    }
  }

  private func event(from old: RenderedPage?, to new: RenderedPage) -> String? {
    guard let old else {
      return new.version == version
        ? "id: \(new.version)\nevent: same\ndata: {}\n\n" : Self.window(new)
    }
    if old == new { return nil }
    let batch = PageBatch(from: old, to: new)
    if batch.count > Self.changesMax { return Self.window(new) }
    return Self.text("batch", batch, new.version)
  }

  private static func window(_ page: RenderedPage) -> String {
    text("window", PageWindow(page), page.version)
  }

  private static func text(_ name: String, _ value: some Encodable, _ version: String) -> String {
    // Texts and lists of texts can be encoded, whatever they hold.
    guard let json = try? JSONEncoder().encode(value) else { return "" }
    return "id: \(version)\nevent: \(name)\ndata: \(String(decoding: json, as: UTF8.self))\n\n"
  }
}

/// The last state that has not been taken.
private final class LatestState: Sendable {
  private let state = Mutex<ShownPage?>(nil)

  func put(_ new: ShownPage) { state.withLock { $0 = new } }

  func take() -> ShownPage? {
    state.withLock { state in
      defer { state = nil }
      return state
    }
  }
}

/// All rows and the frame of a page.
struct PageWindow: Encodable {
  let open: [String]
  let completed: [String]
  let frame: RenderedPage.Frame

  init(_ page: RenderedPage) {
    open = page.rows.filter { !$0.isDone }.map(\.html)
    completed = page.rows.filter(\.isDone).map(\.html)
    frame = page.frame
  }
}
