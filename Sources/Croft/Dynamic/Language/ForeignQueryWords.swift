/// Words and signs of other query languages, each with what a query text has instead.
///
/// A text that has one of them is refused: some of them mean something else in another language.
enum ForeignQueryWords {
  /// Operators that begin with signs of a query, and are tried before these.
  static let longSigns: [(sign: String, advice: String)] = [
    ("===", "use == to compare"),
    ("!==", "use != for values that are not equal"),
    ("<=>", "use == to compare, also with nil"),
    ("=~", "use like for a pattern, such as \"*milk?\", or matches for a search"),
    ("!~", "use not before the property, and like for a pattern, such as \"*milk?\""),
    ("=>", "use >= for greater or equal"),
    ("=<", "use <= for less or equal"),
    ("%@", "write the value itself, or give a parameter: $1"),
  ]

  /// Signs that no query has.
  static let signs: [(sign: String, advice: String)] = [
    ("~=", "use == to compare, or contains[c] for a part of a text"),
    ("~", "use == to compare, or like for a pattern"),
    ("&", "write and instead of &"),
    ("|", "write or instead of |"),
    ("≠", "use != for values that are not equal"),
    ("≤", "use <= for less or equal"),
    ("≥", "use >= for greater or equal"),
    ("?", "write the value itself, or give a parameter: $1"),
    ("@", "leave it out: tags.count"),
    (";", "write one query at a time"),
    ("“", "write a text in straight quotes: \"milk\""),
    ("”", "write a text in straight quotes: \"milk\""),
    ("‘", "write a text in straight quotes: \"milk\""),
    ("’", "write a text in straight quotes: \"milk\""),
  ]

  /// Operators that are words, in small letters.
  static let operators: [String: String] = [
    "eq": "use == to compare",
    "equal": "use == to compare",
    "ne": "use != for values that are not equal",
    "neq": "use != for values that are not equal",
    "gt": "use > for greater",
    "gte": "use >= for greater or equal",
    "lt": "use < for less",
    "lte": "use <= for less or equal",
    "nin": "use not in",
    "exists": "use != nil",
    "isnull": "use == nil",
    "notnull": "use != nil",
    "null": "use == nil",
    "nil": "use == nil",
    "ilike": "use like[c], which ignores case",
    "glob": "use like for a pattern, such as \"*milk?\"",
    "regex": regularExpression,
    "regexp": regularExpression,
    "rlike": regularExpression,
    "similar": regularExpression,
    "startswith": "use beginsWith",
    "starts": "use beginsWith",
    "hasprefix": "use beginsWith",
    "ends": "use endsWith",
    "hassuffix": "use endsWith",
    "include": "use contains",
    "includes": "use contains",
    "has": "use contains",
    "containing": "use contains",
    "elemmatch": "use any (...)",
    "some": "use any (...)",
    "div": "use / to divide",
    "mod": "use % for the rest of a division",
    "xor": "use != between conditions in parentheses, or and, or and not",
  ]

  private static let regularExpression =
    "there are no regular expressions; use like for a pattern, such as \"*milk?\", or matches for "
    + "a search"

  /// Words with which clauses of other languages begin, in small letters.
  static let clauses: [String: String] = [
    "from": "the model comes first",
    "having": "groups are not filtered; filter the objects with where",
    "join": join,
    "inner": join,
    "left": join,
    "outer": join,
    "on": join,
    "offset": "it follows limit, as in limit 10 offset 20",
    "skip": "write offset after limit, as in limit 10 offset 20",
    "top": "write limit, as in limit 10",
    "first": "write limit, as in limit 10",
    "take": "write limit, as in limit 10",
    "fetch": "write limit, as in limit 10",
    "orderby": "write sort by",
    "sortby": "write sort by",
    "groupby": "write group by",
    "filter": "write where before a condition",
    "find": "write where before a condition",
    "union": "write one query at a time, or join conditions with or",
    "desc": "it follows sort by and a property, as in sort by title desc",
    "asc": "it follows sort by and a property, as in sort by title asc",
    "set": "a query changes nothing; begin with update",
  ]

  /// Functions that no query has, in small letters.
  static let functions: [String: String] = [
    "date": dates,
    "datetime": dates,
    "timestamp": dates,
    "cast": dates,
    "strftime": "write year(createdAt) or another part of a date, or a date, as in 2026-06-01",
    "extract": "write year(createdAt) or another part of a date",
    "lowercase": "write lower(title)",
    "lcase": "write lower(title)",
    "uppercase": "write upper(title)",
    "ucase": "write upper(title)",
    "len": "write length(title)",
    "coalesce": "write ?? after a property, as in price ?? 0",
    "ifnull": "write ?? after a property, as in price ?? 0",
    "nvl": "write ?? after a property, as in price ?? 0",
    "count": "a collection is counted after a point, as in tags.count",
    "sum": "a collection is added up after a point, as in scores.sum",
    "avg": "the mean of a collection is after a point, as in scores.avg",
    "min": "the least of a collection is after a point, as in scores.min",
    "max": "the greatest of a collection is after a point, as in scores.max",
  ]

  private static let dates =
    "a date has no function: write 2026-06-01, 2026-06-01T09:30:00Z, now, today or now - 7d"

  private static let join = "go through a reference with a point, as in author.name"
}
