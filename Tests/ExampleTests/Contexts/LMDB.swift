import LMDB

var environment: Environment { example() }
var people: Database { example() }

func use(_ key: RawSpan, _ value: RawSpan) {}
