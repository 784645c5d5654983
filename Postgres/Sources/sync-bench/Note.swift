import Croft
import Foundation

/// An object of some hundred bytes under a random key, with one index.
@Model struct Note: Hashable {
  @PrimaryKey var id: UUID
  var title: String
  var text: String?
  @Indexed var rank: Int
  var isDone: Bool
  var weight: Double

  /// An object that follows from its number but for the key.
  init(number: Int) {
    id = UUID()
    title = "The note with the number \(number)"
    text = number.isMultiple(of: 3) ? nil : "It has a text of some forty characters."
    rank = number &* 2_654_435_761 % 100_000
    isDone = number.isMultiple(of: 2)
    weight = Double(number) / 7
  }
}
