import Croft

/// A model with a unique property, a unique pair, and a list of unique elements.
@Model struct Account: Hashable {
  @PrimaryKey var id: Int
  @Indexed(.unique) var email: String?
  var team = ""
  var number: Int?
  @Indexed(.unique) var badges: [Int] = []
  #Unique<Account>([\.team, \.number.descending])
}
