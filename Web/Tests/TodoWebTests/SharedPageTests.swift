@testable import Croft
import Foundation
import Presentation
import Testing
import TodoImages
import TodoKit
import TodoPrompt

@testable import TodoWeb

/// The page of a list that is shared with other machines.
struct SharedPageTests {
  @Test func aPageFollowsWhatIsSent() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "shared-\(UUID())")
    // What stays is in the folder for temporary files.
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "list.croft").path
    let list = try SharedList(path: path)
    try list.store.replicate(SharedList.models, as: 1)
    let repository = try CroftTodoRepository(path: path)
    let site = Site(
      repository: repository, settings: TodoSettings(), renderer: try PageRenderer(),
      images: PlaceholderImages())
    let pages = try #require(site.pages(in: .english))
    let address = ListAddress(.all)
    let connection = try #require(pages.join(address))
    func wait(for text: String) async {
      for await _ in connection.wakings
      where connection.page.snapshot.page?.parts["shared"] == text { break }
    }
    await wait(for: "Shared: all changes are sent.")
    try await repository.perform(.add(TodoItem(title: "bread")))
    await wait(for: "Shared: 1 change is not sent yet.")
    // As a synchronization does that has sent it.
    try list.store.writeRemote { tx in
      for (object, _) in try tx.entries() { try tx.setEntry(nil, of: object) }
    }
    await wait(for: "Shared: all changes are sent.")
    pages.leave(connection, at: address)
  }
}
