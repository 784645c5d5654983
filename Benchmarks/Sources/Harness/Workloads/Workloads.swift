/// The workloads, in the order of a report.
package enum Workloads {
  /// Every workload.
  package static let all: [any Workload] = [
    InsertIndexed(), InsertUUID(), InsertPlain(), DeleteAll(), DeleteQuarter(), DeleteEach(),
    UpdatePlain(), UpdateIndexed(), WriteSingle(), WriteConcurrent(), ReadKey(), ReadGroup(),
    ReadPage(), CountGroup(), ScanDecode(), ScanCount(), SortFirst(),
  ]

  /// The workloads of a name, of a group, or all of them for "storage".
  ///
  /// - Returns: nil when the word names nothing.
  package static func named(_ word: String) -> [any Workload]? {
    if word == "storage" { return all }
    let found = all.filter { $0.name == word || $0.group.rawValue == word }
    return found.isEmpty ? nil : found
  }

  /// Every word that names something, for messages.
  package static var names: [String] {
    all.map(\.name) + WorkloadGroup.allCases.map(\.rawValue) + ["storage"]
  }
}
