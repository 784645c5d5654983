import Croft

/// A short title under a number.
@Model struct Title {
  @PrimaryKey var id: Int64
  var text: String
}
