@testable import Croft

/// A model with an index for searches, and one beside it.
@Model struct Essay: Hashable {
  @PrimaryKey var id: Int
  var title: String
  var body: String?
  var tags: [String] = []
  @Indexed var year = 0
  #FullText<Essay>([\.title, \.body, \.tags])
}

/// The same model in a program that declares no index for searches.
enum Unsearched {
  @Model struct Essay: Hashable {
    @PrimaryKey var id: Int
    var title: String
    var body: String?
    var tags: [String] = []
    @Indexed var year = 0
  }
}
