import Croft
package import Harness

/// Croft with a journal beside the file.
package final class CroftJournalEngine: CroftEngine {
  package override class var name: String { "croft-journal" }

  override class var durability: Store.Durability { .journal }

  package override class func about() -> About {
    About(
      versions: "Croft, \(SourceRevision.text)",
      sync: "durability .journal: each commit syncs its record; checkpoints as they come")
  }
}
