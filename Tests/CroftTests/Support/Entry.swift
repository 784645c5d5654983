import Croft

/// A model with an index of every kind.
@Model struct Entry: Hashable {
  @PrimaryKey var id: String
  @Indexed(.descending) var number: Int?
  @Indexed var ratio: Double
  @Indexed(.caseFolded) var title: String
  var note: String?
  @Indexed var tags: [String?] = []
  @Indexed(.descending) var codes: Set<Int> = []
  #Index<Entry>(
    [\.note.descending, \.ratio], [\.title, \.number.descending, \.ratio],
    [\.number, \.tags.caseFolded, \.note])
}
