import Croft
import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle

@Model struct Book {
  @PrimaryKey var id: UUID = .timeOrdered()
  var title: String
}

/// The books of a store on a page that changes as they do.
struct BookPage {
  let store: Store

  var router: Router<BasicRequestContext> {
    let router = Router()
    router.get("/") { _, _ in
      let body = ResponseBody(byteBuffer: ByteBuffer(string: Self.html))
      return Response(status: .ok, headers: [.contentType: "text/html"], body: body)
    }
    router.get("/events") { _, _ in
      Response(status: .ok, headers: [.contentType: "text/event-stream"], body: events)
    }
    return router
  }

  private var events: ResponseBody {
    ResponseBody { [store] writer in
      let changes = store.changes(of: Book.all.order(by: \.title))
      for await change in changes.cancelOnGracefulShutdown() {
        let json = String(decoding: try JSONEncoder().encode(Batch(change)), as: UTF8.self)
        try await writer.write(ByteBuffer(string: "data: \(json)\n\n"))
      }
      try await writer.finish(nil)
    }
  }

  private struct Batch: Encodable {
    /// Whether it has all books: a page that connects again may have others.
    let isWhole: Bool
    let deleted: [UUID]
    let placed: [[String: String]]

    init(_ change: ResultChange<Book>) {
      let after = change.after
      isWhole = change.isInitial
      deleted = change.deletions.map { change.before[$0].id }
      let new = change.insertions + change.moves.map(\.to) + change.modificationsAfter
      placed = (change.isInitial ? Array(after.indices) : Set(new).sorted()).map { index in
        let previous = index > 0 ? after[index - 1].id.uuidString : ""
        return ["id": after[index].id.uuidString, "after": previous, "title": after[index].title]
      }
    }
  }

  private static let html = """
    <!doctype html><title>Books</title><ul></ul>
    <script type="module">
    const list = document.querySelector("ul"), row = (id) => document.getElementById(id);
    new EventSource("/events").onmessage = (event) => {
      const batch = JSON.parse(event.data);
      if (batch.isWhole) list.replaceChildren();
      for (const id of batch.deleted) row(id)?.remove();
      for (const { id, after, title } of batch.placed) {
        const item = row(id) ?? Object.assign(document.createElement("li"), { id });
        item.textContent = title;
        if (after) row(after).after(item); else list.prepend(item);
      }
    };
    </script>
    """
}
