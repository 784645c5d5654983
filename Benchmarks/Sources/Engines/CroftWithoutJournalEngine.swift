import Croft
package import Harness

/// Croft without a journal: each commit waits for its pages, as LMDB's own do.
package final class CroftWithoutJournalEngine: CroftEngine {
  package override class var name: String { "croft-no-journal" }

  override class var durability: Store.Durability { .fullWithoutJournal }

  package override class func about() -> About {
    About(
      versions: "Croft, \(SourceRevision.text)",
      sync: "durability .fullWithoutJournal: each commit syncs the data, then writes the meta page "
        + "synchronously")
  }
}
