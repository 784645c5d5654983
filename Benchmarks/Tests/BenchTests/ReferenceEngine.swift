import Foundation
import Harness

/// The plain twin: an array in memory that does what every engine must do.
///
/// Its file lists the ids that it holds; the dataset knows the rest.
final class ReferenceEngine: Engine {
  static let name = "reference"

  private let dataset: Dataset
  private var path = ""
  private var stored: [Item] = []
  private var results: [Item] = []

  static func about() -> About { About(versions: "none", sync: "none") }

  init(_ dataset: Dataset, schema: Schema) {
    self.dataset = dataset
  }

  func open(at path: String) throws {
    self.path = path
    let isNew = !FileManager.default.fileExists(atPath: path)
    let text = isNew ? "" : try String(contentsOfFile: path, encoding: .utf8)
    let ids = Set(text.split(separator: " ").compactMap { Int64($0) })
    stored = (dataset.items + dataset.extras).filter { ids.contains($0.id) }
  }

  func close() throws {
    let text = stored.map { "\($0.id)" }.joined(separator: " ")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  func insertAll() { stored += dataset.items }

  func deleteAll() { stored = [] }

  func deleteAll(priority: Int) -> Int {
    let before = stored.count
    stored.removeAll { $0.priority == priority }
    return before - stored.count
  }

  func deleteEach() -> Int {
    let before = stored.count
    let ids = Set(dataset.items.map(\.id))
    stored.removeAll { ids.contains($0.id) }
    return before - stored.count
  }

  func toggleEach() { for place in stored.indices { stored[place].isDone.toggle() } }

  func raiseEach() {
    for place in stored.indices {
      stored[place].priority = (stored[place].priority + 1) % Dataset.priorityCount
    }
  }

  func insertSingly() { stored += dataset.extras }

  func insertAtOnce() { insertSingly() }

  func readLatestOpen(createdAfter: Double, limit: Int) {
    let open = stored.filter { !$0.isDone && $0.createdAt > createdAfter }
    results = Array(open.sorted { ($1.createdAt, $0.id) < ($0.createdAt, $1.id) }.prefix(limit))
  }

  func readGroups() { results = stored }

  func readPages() {
    let list = stored.sorted { ($0.priority, $0.id) < ($1.priority, $1.id) }
    results = dataset.pageStarts.flatMap { start in
      list.filter { ($0.priority, $0.id) > (start.priority, start.id) }.prefix(Dataset.pageCount)
    }
  }

  func countGroups() -> Int { stored.count }

  func readEach() {
    results = dataset.shuffledIDs.compactMap { id in stored.first { $0.id == id } }
  }

  func scan() { results = stored }

  func countOpen(createdAfter: Double) -> Int {
    stored.count { !$0.isDone && $0.createdAt > createdAfter }
  }

  func count(priority: Int) -> Int { stored.count { $0.priority == priority } }

  func count(groupId: Int) -> Int { stored.count { $0.groupId == groupId } }

  func takeResults() -> [Item] { results }
}
