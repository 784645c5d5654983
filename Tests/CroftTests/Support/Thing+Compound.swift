import Croft
import Foundation

/// The same columns under indexes over several of them.
enum Compound {
  @Model struct Thing: Hashable {
    @PrimaryKey var id: Int16
    var flag: Bool
    var small: Int8?
    var large: Int64
    var size: UInt64
    var ratio: Double
    var score: Float?
    var title: String
    var note: String?
    var day: Date?
    var token: UUID
    var bytes: Data
    var genre: Genre?
    #Index<Compound.Thing>(
      [\.flag, \.small.descending], [\.small, \.title.descending, \.day],
      [\.genre.descending, \.flag], [\.title.caseFolded], [\.note.descending],
      [\.score.descending, \.note.caseFolded], [\.day.descending], [\.bytes, \.ratio],
      [\.ratio.descending])
  }
}
